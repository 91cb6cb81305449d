"""Players for programs: found by name, with their ratings, their history, and what the next games would bring."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Any

from litestar import Request, Response, get, post
from litestar.openapi.spec import Example
from litestar.params import PathParameter, QueryParameter
from sqlalchemy import Connection

from arpad.explain.calculator_documents import change_document
from arpad.model.clubs import club_on
from arpad.model.errors import BadInput
from arpad.model.rules import CHESS_LISTS, ListName
from arpad.model.typed_values import parse_day
from arpad.office.editions.acts import edition_on
from arpad.office.office import today
from arpad.office.parts import clubs_of_player, live_standings, player_categories
from arpad.office.players.history import player_history, rating_since
from arpad.office.register.acts import (
    find_players,
    known_player,
    player_with_number,
    report_death,
    withdraw_death,
)
from arpad.office.register.api import person_out
from arpad.office.register.merge_rows import merge_targets_of
from arpad.office.register.pages import public_player
from arpad.office.register.scheme_rows import hidden_schemes, shown_person
from arpad.office.users import Role
from arpad.rating.calculator import Question, answer_change
from arpad.reports.number_schemes import ON_PLAYER
from arpad.web.api.parameters import ChessList, Games, Number
from arpad.web.api.responses import answers, csv_answers, csv_text, etagged
from arpad.web.api.schemas import (
    CategoryOut,
    FoundOut,
    HistoryOut,
    PlayerFileOut,
    PlayerOut,
    StandingOut,
    WhatIfOut,
)
from arpad.web.auth import PUBLIC, scope
from arpad.web.desk import desk_of, worker
from arpad.web.language import words_for
from arpad.web.refusals import Refused
from arpad.web.requests import require_office

Asked = Request[Any, Any, Any]
PLAYER = "/api/v1/players/{number}"
Scheme = Annotated[
    str,
    PathParameter(
        description="A scheme of numbers: fide, fsi, fid, fmjd, or one that the office declared.",
        max_length=20,
        examples=[Example(value="fide")],
    ),
]
SchemeNumber = Annotated[
    str, PathParameter(description="The number.", max_length=40, examples=[Example(value="89900102")])
]


@get(
    "/search", opt=PUBLIC, sync_to_thread=True, summary="Find players",
    responses=answers(FoundOut, "GET /api/v1/search", 400, 404),
)  # fmt: skip
def search_players(
    request: Asked,
    q: Annotated[
        str,
        QueryParameter(description="A name or a number.", max_length=100, examples=[Example(value="Rossi")]),
    ],
    limit: Annotated[
        int, QueryParameter(description="At most so many.", ge=1, le=50, examples=[Example(value=20)])
    ] = 20,
) -> FoundOut:
    """Find players by a name in any spelling, or by a number."""
    office = require_office(request)
    persons = find_players(office, q, limit, public=True) if q.strip() else []
    with office.store.reading() as connection:
        unshown = hidden_schemes(connection, ON_PLAYER)
    shown = [shown_person(person, unshown) for person in persons]
    return FoundOut([person_out(person) for person in shown])


@get(
    "/players/{number:int}", opt=PUBLIC, sync_to_thread=True, summary="A player",
    responses=answers(PlayerFileOut, f"GET {PLAYER}", 404, etag=True),
)  # fmt: skip
def get_player(request: Asked, number: Number) -> Response[Any]:
    """A player with their rating on each list in force."""
    return etagged(request, _player_file(request, number))


@get(
    "/players/{scheme:str}/{value:str}", opt=PUBLIC, sync_to_thread=True, summary="A player by another body's number",
    responses=answers(PlayerFileOut, "GET /api/v1/players/{scheme}/{value}", 404, etag=True),
)  # fmt: skip
def get_player_by_number(request: Asked, scheme: Scheme, value: SchemeNumber) -> Response[Any]:
    """A player by the number that FIDE or another body gave them; schemes that the office hides find nobody."""
    with require_office(request).store.reading() as connection:
        number = player_with_number(connection, scheme.lower(), value)
    if number is None:
        raise Refused(404, "no-player")
    return etagged(request, _player_file(request, number))


def _player_file(request: Asked, number: int) -> PlayerFileOut:
    office = require_office(request)
    with office.store.reading() as connection:
        person = public_player(connection, number)
        day = today(office, connection)
        past = _past(connection, number, day)
        club = club_on(clubs_of_player(connection, number).items(), day)
        categories = [
            CategoryOut(
                change.list, change.category, change.before, str(change.day), change.rating, change.article,
                change.lost, change.decision,
            )
            for name in CHESS_LISTS
            for change in player_categories(connection, number, name, day)
        ]  # fmt: skip
        live = live_standings(connection, number)
    latest = {standing.list: standing for standing in past}
    return PlayerFileOut(person_out(person), list(latest.values()), club or None, categories, live)


def _past(connection: Connection, number: int, day: date | None) -> list[StandingOut]:
    player = merge_targets_of(connection, [number]).get(number, number)
    return [
        StandingOut(
            str(name), str(p.publication.day), p.publication.revision, p.rating, p.games, p.k, p.inactive
        )
        for name, points in player_history(connection, player).items()
        for p in points
        if day is None or p.publication.day <= day
    ]


@get(
    "/players/{number:int}/history", opt=PUBLIC, sync_to_thread=True, summary="History",
    responses=answers(HistoryOut, f"GET {PLAYER}/history", 404, etag=True),
)  # fmt: skip
def get_history(request: Asked, number: Number) -> Response[Any]:
    """A player on every list, each in its newest revision."""
    return etagged(request, _history(request, number))


def _history(request: Asked, number: int) -> HistoryOut:
    office = require_office(request)
    with office.store.reading() as connection:
        public_player(connection, number)
        return HistoryOut(number, _past(connection, number, None))


@get(
    "/players/{number:int}/history.csv", opt=PUBLIC, media_type="text/csv", sync_to_thread=True,
    responses=csv_answers(f"GET {PLAYER}/history.csv", 404, etag=True), summary="History as CSV",
)  # fmt: skip
def get_history_csv(request: Asked, number: Number) -> Response[Any]:
    """A player on every list, as CSV."""
    document = _history(request, number)
    rows = [(s.list, s.day, s.revision, s.rating, s.games, s.k) for s in document.history]
    return etagged(request, csv_text(("list", "day", "revision", "rating", "games", "k"), rows))


@get(
    "/players/{number:int}/what-if", opt=PUBLIC, sync_to_thread=True, summary="The next games of a player",
    responses=answers(WhatIfOut, f"GET {PLAYER}/what-if", 400, 404),
)  # fmt: skip
def calculate_next_games(
    request: Asked,
    number: Number,
    game: Games,
    list: ChessList = "standard",  # noqa: A002  the name that programs rely on
) -> WhatIfOut:
    """The points that the next games would bring, with the rating and K in force and under today's edition (8.5)."""
    if list not in CHESS_LISTS:
        raise BadInput("value-unknown", option="list", value=list, accepted=", ".join(CHESS_LISTS))
    on_list, office = ListName(list), require_office(request)
    with office.store.reading() as connection:
        person = public_player(connection, number)
        day = today(office, connection)
        points = player_history(connection, person.id).get(on_list, [])
        edition = edition_on(connection, on_list, day)
    now = [point for point in points if point.publication.day <= day]
    if not now or now[-1].rating is None:
        raise Refused(404, "unrated-player")
    values = {"rating": [str(now[-1].rating)], "game": game, "list": [list]}
    values["edition"] = [edition.id]
    if now[-1].k:
        values["k"] = [str(now[-1].k)]
    change = change_document(answer_change(Question(values, [edition])), words_for(request), notes=True)
    return WhatIfOut(
        **vars(change), player=person.id, name=person.name, official_since=str(rating_since(now))
    )


@post(
    "/players/{number:int}/death", status_code=200, sync_to_thread=True, summary="A death",
    opt=scope("register"), security=[{"token": []}],
    responses=answers(PlayerOut, f"POST {PLAYER}/death", 400, 401, 403, 404),
)  # fmt: skip
def enter_death(
    request: Asked,
    number: Number,
    reason: Annotated[
        str,
        QueryParameter(
            description="Who reported it.", max_length=500, examples=[Example(value="the club wrote")]
        ),
    ],
    day: Annotated[
        str | None,
        QueryParameter(
            description="The day of death; without it a death entered by mistake is taken back.",
            max_length=40,
            examples=[Example(value="2025-01-10")],
        ),
    ] = None,
) -> PlayerOut:
    """Enter the day of a player's death (2024 10.2), for officers of the player's federation."""
    office = desk_of(request)
    with office.store.reading() as connection:
        if not worker(request).may(Role.OFFICER, known_player(connection, number).federation):
            raise Refused(403, "bound-officer")
    if day:
        report_death(office, number, parse_day(day, "day"), reason=reason)
    else:
        withdraw_death(office, number, reason=reason)
    with office.store.reading() as connection:
        return person_out(known_player(connection, number))


ROUTES = (
    search_players,
    get_player,
    get_player_by_number,
    get_history,
    get_history_csv,
    calculate_next_games,
    enter_death,
)
