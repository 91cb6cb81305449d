"""The pages of tournaments in progress: standings, changes so far, the next game, first ratings and title norms.

Everything was computed when the version arrived; a page is the stored document in the reader's words.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from html import escape
from typing import Any

from litestar import Response, get, post
from litestar.params import FromPath
from markupsafe import Markup
from sqlalchemy import Connection

from arpad.explain.running_document import RunningDocument, RunningNext, RunningPlayer, without_hidden
from arpad.explain.words import Words
from arpad.model.disciplines import discipline_of
from arpad.model.errors import BadInput
from arpad.model.exact import from_hundredths
from arpad.model.rules import ListName
from arpad.office.inbox.check_pages import bounds_of
from arpad.office.office import local_moment
from arpad.office.register import number_rows as hidden_players
from arpad.office.reports.fact_forms import fact_fields, facts_of
from arpad.office.running.acts import RunningPage, may_replace, running_page, running_pages, shown
from arpad.office.running.jobs import run_version
from arpad.office.running.rows import versions_of
from arpad.web.cache import fresh_headers
from arpad.web.event_strips import sign_of
from arpad.web.forms import act_and_redirect, form_texts
from arpad.web.reader import ARBITER, COSTLY, PUBLIC, office_as_user, page_words, signed_in_user, words_for
from arpad.web.requests import Refused, WebRequest, page_number, paginate, require_office
from arpad.web.site_settings import site_address
from arpad.web.templates import page
from arpad.web.uploads import uploaded_report

FRESH = "public, max-age=10"
"""A browser may show a page for some seconds without asking again."""

REFRESH_SECONDS = 20
"""How often the script of an open page asks for a newer version."""

ROWS = 200
"""Players on one page."""

BOARDS = 8
"""Pairings of the next round that are open."""

_CELL = re.compile(r"(\d+)([wb-])(.?)")


@dataclass(frozen=True, slots=True)
class Row:
    """A player of the page, as texts and HTML: a round has hundreds, and each is written faster here than there."""

    player: RunningPlayer
    name: Markup
    score: str
    change: Markup
    opponent: Markup | None
    """The next opponent; None if there is none."""

    outcomes: tuple[Markup, ...]
    """The points that a win, a draw and a loss in the next game add; empty if that is not known."""

    results: Markup
    """The cells of the cross-table."""


@dataclass(frozen=True, slots=True)
class RunningView:
    """A tournament in progress with the players who may not be shown."""

    stored: RunningPage
    document: RunningDocument | None
    hidden: frozenset[int]
    """Start numbers."""

    hidden_version: str
    received: datetime
    """In the federation's time zone."""


def read_running(connection: Connection, name: str) -> RunningView:
    """Return a tournament in progress; refuse the request if there is none, or if the office shows none."""
    stored = running_page(connection, name) if shown(connection) else None
    if stored is None:
        raise Refused(404, "no-running")
    document = None if stored.accepted else stored.document
    hidden = hidden_players.hidden(connection)
    return RunningView(
        stored,
        document,
        without_hidden(document, hidden) if document is not None else frozenset(),
        hidden_players.hidden_version(connection),
        local_moment(connection, stored.tournament.received),
    )


# --------------------------------------------------------------------------------------------------- the pages


@get("/running", opt=PUBLIC, include_in_schema=False, sync_to_thread=True)
def all_running(request: WebRequest) -> Response[Any]:
    """Show the tournaments in progress, the latest version first."""
    with require_office(request).store.reading() as connection:
        if not shown(connection):
            raise Refused(404, "no-running")
        tournaments = [
            (item, local_moment(connection, item.tournament.received)) for item in running_pages(connection)
        ]
    headers = fresh_headers(
        request,
        "running",
        *((item.tournament.name, item.tournament.version, item.report) for item, _ in tournaments),
        others={"Cache-Control": FRESH},
    )
    return page(request, "running/tournaments.html", headers=headers, tournaments=tournaments)


@get("/running/{name:str}", opt=PUBLIC, include_in_schema=False, sync_to_thread=True)
def running(request: WebRequest, name: FromPath[str]) -> Response[Any]:
    """Show a tournament in progress."""
    with require_office(request).store.reading() as connection:
        view = read_running(connection, name)
    number = page_number(request.query_params.get("page", "1"))
    stored, tournament = view.stored, view.stored.tournament
    headers = fresh_headers(
        request, "running", name, tournament.first_day, tournament.version, tournament.digest, tournament.ended,
        stored.report, stored.accepted, view.hidden_version, number, others={"Cache-Control": FRESH},
    )  # fmt: skip
    document = view.document
    players, shown_page, pages = paginate(document.players if document else (), number, ROWS)
    return page(
        request, "running/tournament.html", headers=headers, tournament=tournament, document=document,
        received=view.received, report=stored.report, accepted=stored.accepted,
        hidden=view.hidden, page_number=shown_page, pages=pages, refresh=REFRESH_SECONDS, first_boards=BOARDS,
        address=lambda to: f"/running/{name}?page={to}", **_parts(view, players, page_words(request)),
    )  # fmt: skip


def _parts(view: RunningView, players: Sequence[RunningPlayer], words: Words) -> dict[str, Any]:
    """Return the rows of some players, the boards, the newcomers and the norms of a page; none after the end."""
    document = view.document
    if document is None:
        return dict.fromkeys(("rows", "boards", "newcomers", "norms"), ())
    writer = _Writer(view, document, words)
    shown = {player.number: player for player in document.players if player.number not in view.hidden}
    return {
        "rows": [writer.row(player) for player in players],
        "boards": writer.boards(),
        "newcomers": [player for player in shown.values() if player.entry is not None],
        "norms": [(shown[norm.number], norm) for norm in document.norms if norm.number in shown],
    }


class _Writer:
    """Writes the rows of a page in the reader's language."""

    def __init__(self, view: RunningView, document: RunningDocument, words: Words) -> None:
        self.view, self.players, self.words, self.list = view, document.players, words, escape(document.list)
        self.by_number = {player.number: player for player in document.players}
        self.sign = sign_of(discipline_of(ListName(document.list)))
        self.hidden_name = f'<span class="soft">{escape(words.text("site.hidden-name"))}</span>'
        self.unrated = escape(words.text("page.unrated"))
        self.colours = {colour: escape(words.text(f"site.running-colour-{colour}")) for colour in ("w", "b")}
        self.signs = {colour: escape(words.text(f"site.colour-{colour}")) for colour in ("w", "b")}

    def row(self, player: RunningPlayer) -> Row:
        """Return a player with everything that the page shows."""
        following = player.next
        outcomes = (following.win, following.draw, following.loss) if following else (None, None, None)
        return Row(
            player,
            self.name(player),
            self.words.number(Fraction(player.score)),
            self.change(player.change),
            self._opponent(following) if following else None,
            () if None in outcomes else tuple(map(self.change, outcomes)),
            Markup("".join(map(self._cell, player.rounds))),  # noqa: S704  written by ``_cell``
        )

    def boards(self) -> list[tuple[Markup, Markup]]:
        """Return the pairings of the next round, White first; that of the best placed player first."""
        boards, paired = [], set[int]()
        for player in self.players:
            opponent = self.by_number.get(player.next.opponent) if player.next else None
            if player.next is None or opponent is None or player.number in paired:
                continue
            paired |= {player.number, opponent.number}
            both = (opponent, player) if player.next.colour == "b" else (player, opponent)
            boards.append((self.at_board(both[0]), self.at_board(both[1])))
        return boards

    def name(self, player: RunningPlayer) -> Markup:
        """Return the name with a link to the player, unless the player is hidden or unknown."""
        name = escape(player.name)
        if player.number in self.view.hidden:
            name = self.hidden_name
        elif player.player is not None:
            name = f'<a href="/players/{player.player}?list={self.list}">{name}</a>'
        return Markup(name)  # noqa: S704  escaped above

    def at_board(self, player: RunningPlayer) -> Markup:
        """Return the name of a player with rating and points."""
        about = f"{player.rating or self.unrated} · {self.words.number(Fraction(player.score))}"
        return self.name(player) + Markup(f" <small>{about}</small>")  # noqa: S704  numbers, and a word of ours

    def change(self, hundredths: int | None) -> Markup:
        """Return a change with its sign and colour."""
        if hundredths is None:
            return Markup("–")
        kind = "up" if hundredths > 0 else "down" if hundredths < 0 else ""
        text = self.words.number(from_hundredths(hundredths), signed=True)
        return Markup(f'<span class="{kind}">{text}</span>')  # noqa: S704  a number

    def _opponent(self, following: RunningNext) -> Markup | None:
        opponent = self.by_number.get(following.opponent)
        if opponent is None:
            return None
        about = [str(opponent.rating or self.unrated)]
        about += [self.colours[following.colour]] if following.colour in self.colours else []
        return self.name(opponent) + Markup(f" <small>{', '.join(about)}</small>")  # noqa: S704  escaped above

    def _cell(self, text: str) -> str:
        """Return a cell of the cross-table: opponent, colour and result."""
        parts = _CELL.fullmatch(text)
        if parts is None:
            return '<td class="c"></td>'
        number, colour, result = parts.groups()
        against = "" if number == "0" else f"<small>{number}{self.signs.get(colour, '')}</small> "
        sign = f"<b>{self.sign(result)}</b>" if result else ""
        return f'<td class="c nowrap">{against}{sign}</td>'


@get("/desk/running", opt=ARBITER, include_in_schema=False, sync_to_thread=True)
def running_desk(request: WebRequest) -> Response[str]:
    """Show the form for a round, and the tournaments that the user may continue."""
    return _page(request)


def _page(request: WebRequest) -> Response[str]:
    office, permitted = require_office(request), may_replace(signed_in_user(request))
    with office.store.reading() as connection:
        items = [item for item in running_pages(connection) if permitted(item.tournament)]
        own = [
            (
                item,
                [
                    (sent, local_moment(connection, sent.at))
                    for sent in versions_of(connection, item.tournament.name)
                ],
            )
            for item in items
        ]
        open_to_all = shown(connection)
    list_field = [field for field in fact_fields(words_for(request)) if field.name == "list"]
    return page(
        request, "running/desk.html", own=own, list_field=list_field, open_to_all=open_to_all,
        chosen=request.query_params.get("name", "")[:60], sent=request.query_params.get("sent", ""),
        origin=site_address(request),
    )  # fmt: skip


@post("/desk/running", opt=ARBITER | COSTLY, include_in_schema=False, status_code=200)
async def send_running(request: WebRequest) -> Response[Any]:
    """Replace the version of a tournament in progress by the uploaded one, or begin one."""
    form = await request.form()
    upload = await uploaded_report(form)
    texts = await form_texts(request)

    def act() -> str:
        if upload is None:
            raise BadInput("running-no-file", option="file")
        office, user = office_as_user(request), signed_in_user(request)
        facts = facts_of({"list": texts.get("list", "")})
        older = bool(texts.get("older"))
        sent = run_version(
            bounds_of(request), upload, office, texts.get("address", "").strip(), user, facts, older=older
        )
        tournament = sent.tournament
        return f"/desk/running?name={tournament.name}&sent={tournament.version}"

    return await act_and_redirect(request, act, lambda: _page(request))
