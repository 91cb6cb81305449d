"""The pages of tournaments in progress: standings, changes so far, the next game, first ratings and title norms.

Everything was computed when the version arrived; a page is the stored document in the reader's words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from typing import Any, NamedTuple

from litestar import Response, get
from litestar.params import FromPath
from sqlalchemy import Connection

from arpad.explain.running_document import RunningDocument, RunningPlayer, without_hidden
from arpad.model.disciplines import discipline_of
from arpad.model.exact import from_hundredths
from arpad.model.rules import ListName
from arpad.office.office import known_zone
from arpad.office.running_tournaments import RunningPage, running_page, running_pages, shown
from arpad.store import hidden_players
from arpad.store.settings import read_setting
from arpad.web.auth import PUBLIC
from arpad.web.cache import etag_headers, not_modified
from arpad.web.refusals import Refused
from arpad.web.requests import WebRequest, page_number, paginate, require_office
from arpad.web.templates import page
from arpad.web.tournaments import sign_of

FRESH = "public, max-age=10"
"""A browser may show a page for some seconds without asking again."""

REFRESH_SECONDS = 20
"""How often the script of an open page asks for a newer version."""

ROWS = 200
"""Players on one page."""

_CELL = re.compile(r"(\d+)([wb-])(.?)")


class Cell(NamedTuple):
    """A round of a player, as the page shows it."""

    opponent: int
    colour: str
    sign: str


@dataclass(frozen=True, slots=True)
class Row:
    """A player of the page."""

    player: RunningPlayer
    hidden: bool
    score: Fraction
    change: Fraction | None
    outcomes: tuple[Fraction, ...]
    """What a win, a draw and a loss in the next game add; empty if that is not known."""

    opponent: RunningPlayer | None
    opponent_hidden: bool
    cells: tuple[Cell | None, ...]


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
        local_time(connection, stored.tournament.received),
    )


def local_time(connection: Connection, moment: str) -> datetime:
    """Return a moment of the ledger in the federation's time zone."""
    zone = known_zone(read_setting(connection, "time_zone") or "UTC")
    return datetime.fromisoformat(moment).astimezone(zone)


# --------------------------------------------------------------------------------------------------- the pages


@get("/running", opt=PUBLIC, include_in_schema=False, sync_to_thread=True)
def all_running(request: WebRequest) -> Response[Any]:
    """Show the tournaments in progress, the latest version first."""
    office = require_office(request)
    with office.store.reading() as connection:
        if not shown(connection):
            raise Refused(404, "no-running")
        tournaments = [
            (item, local_time(connection, item.tournament.received)) for item in running_pages(connection)
        ]
    headers, unchanged = etag_headers(
        request,
        "running",
        *((item.tournament.name, item.tournament.version, item.report) for item, _ in tournaments),
    )
    headers["Cache-Control"] = FRESH
    if unchanged:
        return not_modified(headers)
    return page(request, "running_tournaments.html", headers=headers, tournaments=tournaments)


@get("/running/{name:str}", opt=PUBLIC, include_in_schema=False, sync_to_thread=True)
def running(request: WebRequest, name: FromPath[str]) -> Response[Any]:
    """Show a tournament in progress."""
    office = require_office(request)
    with office.store.reading() as connection:
        view = read_running(connection, name)
    number = page_number(request.query_params.get("page", "1"))
    stored, tournament = view.stored, view.stored.tournament
    headers, unchanged = etag_headers(
        request, "running", name, tournament.first_day, tournament.version, tournament.digest, tournament.ended,
        stored.report, stored.accepted, view.hidden_version, number,
    )  # fmt: skip
    headers["Cache-Control"] = FRESH
    if unchanged:
        return not_modified(headers)
    document = view.document
    rows, shown_page, pages = paginate(document.players if document else (), number, ROWS)
    return page(
        request, "running_tournament.html", headers=headers, tournament=tournament, document=document,
        received=view.received, report=stored.report, accepted=stored.accepted, rows=_rows(view, rows),
        newcomers=[player for player in _shown(view) if player.entry is not None],
        norms=_norms(view), page_number=shown_page, pages=pages, refresh=REFRESH_SECONDS,
        address=lambda to: f"/running/{name}?page={to}",
    )  # fmt: skip


def _shown(view: RunningView) -> list[RunningPlayer]:
    players = view.document.players if view.document is not None else ()
    return [player for player in players if player.number not in view.hidden]


def _rows(view: RunningView, players: Sequence[RunningPlayer]) -> list[Row]:
    if view.document is None:
        return []
    by_number = {player.number: player for player in view.document.players}
    sign = sign_of(discipline_of(ListName(view.document.list)))
    return [
        Row(
            player,
            player.number in view.hidden,
            Fraction(player.score),
            None if player.change is None else from_hundredths(player.change),
            _outcomes(player),
            by_number.get(player.next.opponent) if player.next else None,
            player.next is not None and player.next.opponent in view.hidden,
            tuple(_cell(text, sign) for text in player.rounds),
        )
        for player in players
    ]


def _outcomes(player: RunningPlayer) -> tuple[Fraction, ...]:
    following = player.next
    if following is None or following.win is None or following.draw is None or following.loss is None:
        return ()
    return tuple(from_hundredths(value) for value in (following.win, following.draw, following.loss))


def _cell(text: str, sign: Any) -> Cell | None:
    parts = _CELL.fullmatch(text)
    return Cell(int(parts[1]), parts[2], sign(parts[3]) if parts[3] else "") if parts else None


def _norms(view: RunningView) -> list[tuple[RunningPlayer, Any]]:
    if view.document is None:
        return []
    players = {player.number: player for player in _shown(view)}
    return [(players[norm.number], norm) for norm in view.document.norms if norm.number in players]


ROUTES = (all_running, running)
