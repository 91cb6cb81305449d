"""Cards for other sites: a player, a tournament or one in progress, as a picture and as a small page to be framed.

They exist only if the office named the sites that may frame them; no other route can be framed by anybody.
"""

from collections.abc import Iterator
from datetime import date
from fractions import Fraction
from typing import Any

from litestar import Response, get
from litestar.params import FromPath

from arpad.explain.cards import (
    HEIGHT,
    STYLE_DIGEST,
    WIDTH,
    Line,
    PlayerCard,
    TournamentCard,
    player_card,
    tournament_card,
)
from arpad.explain.words import Words
from arpad.model.rules import ListName
from arpad.office.office import today
from arpad.office.parts import read_running
from arpad.office.players.history import player_history
from arpad.office.register.number_rows import merge_targets_of, public_player
from arpad.office.reports.tournament_names import public_name, public_names
from arpad.office.tournaments.page import TournamentPage, read_tournament
from arpad.store.settings import kept_list
from arpad.web.cache import fresh_headers
from arpad.web.reader import PUBLIC, page_words
from arpad.web.requests import Refused, WebRequest, require_office
from arpad.web.site_settings import settings_of
from arpad.web.templates import environment

KEEP = "public, max-age=300"
CURVE_POINTS = 24
FIRST = 3
"""Players on the card of a tournament."""

RUNNING = {**PUBLIC, "feature": "running"}


def _sites(request: WebRequest) -> tuple[str, ...]:
    """Return the sites that may frame cards; refuse the request if the office named none."""
    sites = settings_of(request).card_sites
    if not sites:
        raise Refused(404, "no-cards")
    return sites


def _picture(request: WebRequest, svg: str) -> Response[Any]:
    """Return a picture that other sites may show."""
    headers = fresh_headers(
        request,
        svg,
        others={
            "Cache-Control": KEEP,
            "Cross-Origin-Resource-Policy": "cross-origin",
            "Content-Security-Policy": f"default-src 'none'; style-src '{STYLE_DIGEST}'; {_ancestors(_sites(request))}",
        },
    )
    return Response(svg, headers=headers, media_type="image/svg+xml")


def _framed(request: WebRequest, path: str, title: str, picture: str) -> Response[Any]:
    """Return the small page with a picture that leads to the page of its subject."""
    words, sites = page_words(request), _sites(request)
    headers = fresh_headers(
        request,
        path,
        title,
        others={
            "Cache-Control": KEEP,
            "Cross-Origin-Resource-Policy": "cross-origin",
            "Content-Security-Policy": "default-src 'none'; img-src 'self'; style-src 'self'; base-uri 'none'; "
            f"form-action 'none'; {_ancestors(sites)}",
        },
    )
    html = environment().get_template("card.html").render(
        words=words, title=title, path=path, width=WIDTH, height=HEIGHT,
        picture=f"{picture}?lang={words.language}",
    )  # fmt: skip
    return Response(html, headers=headers, media_type="text/html")


def _ancestors(sites: tuple[str, ...]) -> str:
    return f"frame-ancestors {' '.join(sites)}"


# -------------------------------------------------------------------------------------------------------- players


@get("/cards/players/{number:int}", opt=PUBLIC, include_in_schema=False, sync_to_thread=True)
def framed_player(request: WebRequest, number: FromPath[int]) -> Response[Any]:
    """Show the card of a player as a page to be framed."""
    path, chosen = f"/players/{number}", request.query_params.get("list", "")
    card = _player(request, number)
    with require_office(request).store.reading() as connection:
        known = kept_list(connection, chosen) is not None
    picture = f"/cards{path}/{chosen}.svg" if known else f"/cards{path}/card.svg"
    return _framed(request, path, card.name, picture)


@get("/cards/players/{number:int}/{file:str}", opt=PUBLIC, include_in_schema=False, sync_to_thread=True)
def player_picture(request: WebRequest, number: FromPath[int], file: FromPath[str]) -> Response[Any]:
    """Return the card of a player as a picture: ``card.svg``, or ``rapid.svg`` for a list."""
    name, dot, kind = file.rpartition(".")
    with require_office(request).store.reading() as connection:
        on_list = kept_list(connection, name)
    if f"{dot}{kind}" != ".svg" or (name != "card" and on_list is None):
        raise Refused(404, "no-page")
    return _picture(request, player_card(_player(request, number, on_list)))


def _player(request: WebRequest, number: int, on_list: ListName | None = None) -> PlayerCard:
    """Return the card of a player who may be shown, on a list or on the first one that has the player."""
    _sites(request)
    office, words = require_office(request), page_words(request)
    with office.store.reading() as connection:
        number = merge_targets_of(connection, [number]).get(number, number)
        person = public_player(connection, number)
        day = today(office, connection)
        history = player_history(connection, number)
    until_today = {
        name: rated
        for name, entries in history.items()
        if (
            rated := [entry for entry in entries if entry.publication.day <= day and entry.rating is not None]
        )
    }
    title = person.title or person.women_title
    name = f"{person.name} {title}" if title else person.name
    chosen = on_list if on_list in until_today else next(iter(until_today), None)
    if chosen is None:
        return PlayerCard(name, words.text("site.on-no-list"), "–", "", 0, (), _office(request))
    entries = until_today[chosen]
    ratings = [entry.rating for entry in entries if entry.rating is not None][-CURVE_POINTS:]
    change = ratings[-1] - ratings[-2] if len(ratings) > 1 else 0
    about = words.text(
        "site.card-list", list=words.text(f"site.list-{chosen}"), day=entries[-1].publication.day
    )
    text = "" if len(ratings) == 1 else words.text("site.card-same")
    if change:
        text = words.text("site.card-change", change=words.number(change, signed=True))
    return PlayerCard(name, about, str(ratings[-1]), text, change, tuple(ratings), _office(request))


def _office(request: WebRequest) -> str:
    return settings_of(request).name or "Arpad"


# ---------------------------------------------------------------------------------------------------- tournaments


@get("/cards/tournaments/{number:int}", opt=PUBLIC, include_in_schema=False, sync_to_thread=True)
def framed_tournament(request: WebRequest, number: FromPath[int]) -> Response[Any]:
    """Show the card of an accepted tournament as a page to be framed."""
    _sites(request)
    path = f"/tournaments/{number}"
    return _framed(request, path, tournament_facts(request, number).name, f"/cards{path}/card.svg")


@get("/cards/tournaments/{number:int}/card.svg", opt=PUBLIC, include_in_schema=False, sync_to_thread=True)
def tournament_picture(request: WebRequest, number: FromPath[int]) -> Response[Any]:
    """Return the card of an accepted tournament as a picture."""
    _sites(request)
    return _picture(request, tournament_card(tournament_facts(request, number)))


def tournament_facts(request: WebRequest, number: int) -> TournamentCard:
    """Return what a card or a shared picture says of an accepted tournament."""
    words = page_words(request)
    office = require_office(request)
    with office.store.reading() as connection:
        event = read_tournament(connection, number)
        name = public_names(connection, [event.filed])[number]
    lines = tuple(_first_places(event, words))
    filed = event.filed
    about = _about(
        words, filed.first_day, filed.last_day, words.text("site.card-players", players=filed.players)
    )
    return TournamentCard(name or words.text("page.untitled"), about, lines, _office(request))


def _first_places(event: TournamentPage, words: Words) -> Iterator[Line]:
    """Yield the first of the final table, teams or players, as the page of the tournament ranks them."""
    for team in event.teams.places[:FIRST] if event.teams else ():
        yield Line(f"{team.rank}. {team.name}", words.number(team.match_points))
    for place in () if event.teams else event.standings[:FIRST]:
        hidden = event.is_hidden(place.index)
        name = words.text("site.hidden-name") if hidden else event.report.entrants[place.index].name
        yield Line(f"{place.rank}. {name}", words.number(place.points))


def _about(words: Words, first: date | None, last: date | None, more: str) -> str:
    days = words.days(first, last)
    return " · ".join(text for text in (days, more) if text)


@get("/cards/running/{name:str}", opt=RUNNING, include_in_schema=False, sync_to_thread=True)
def framed_running(request: WebRequest, name: FromPath[str]) -> Response[Any]:
    """Show the card of a tournament in progress as a page to be framed."""
    path = f"/running/{name}"
    return _framed(request, path, _running(request, name).name, f"/cards{path}/card.svg")


@get("/cards/running/{name:str}/card.svg", opt=RUNNING, include_in_schema=False, sync_to_thread=True)
def running_picture(request: WebRequest, name: FromPath[str]) -> Response[Any]:
    """Return the card of a tournament in progress as a picture."""
    return _picture(request, tournament_card(_running(request, name)))


def _running(request: WebRequest, name: str) -> TournamentCard:
    _sites(request)
    words = page_words(request)
    with require_office(request).store.reading() as connection:
        view = read_running(connection, name)
    if view is None:
        raise Refused(404, "no-page")
    document, tournament = view.document, view.stored.tournament
    if document is None:
        over = words.text("site.running-accepted" if view.stored.accepted else "site.running-ended")
        return TournamentCard(tournament.title, over, (), _office(request))
    lines = [
        Line(
            f"{player.rank}. {words.text('site.hidden-name') if player.number in view.hidden else player.name}",
            words.number(Fraction(player.score)),
        )
        for player in document.players[:FIRST]
    ]
    absent = [player.name for player in document.players if player.number in view.hidden]
    title = public_name(tournament.title, absent) or words.text("page.untitled")
    about = words.text("site.card-running", round=document.rounds, day=view.received.date())
    return TournamentCard(title, about, tuple(lines), _office(request))
