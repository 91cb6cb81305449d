"""Players for programs: found by name, with their ratings, their history, and what the next games would bring."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Annotated, Any

from litestar import Request, Response, get
from litestar.openapi.spec import Example
from litestar.params import PathParameter
from sqlalchemy import Connection

from arpad.explain.calculator_documents import change_document
from arpad.model.clubs import club_on
from arpad.model.errors import BadInput
from arpad.model.rules import CHESS_LISTS, ListName
from arpad.office.editions.acts import edition_on
from arpad.office.office import today
from arpad.office.parts import clubs_of_player, live_standings, player_categories
from arpad.office.players.history import player_history, rating_since
from arpad.office.register.acts import Player, player_facts, player_with_number
from arpad.office.register.merge_rows import merge_targets_of
from arpad.office.register.pages import public_player
from arpad.rating.calculator import Question, answer_change
from arpad.web.api.parameters import ChessList, Games, Number
from arpad.web.api.responses import answers, csv_answers, csv_text, etagged
from arpad.web.api.schemas import (
    CategoryOut,
    HistoryOut,
    LiveRatingOut,
    StandingOut,
    WhatIfOut,
)
from arpad.web.auth import PUBLIC
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


@dataclass
class PlayerFileOut:
    """A player with their club, their rating on each list, and the changes of their national categories."""

    player: Player
    standings: Sequence[StandingOut]
    club: str | None = None
    categories: Sequence[CategoryOut] = ()
    live: Sequence[LiveRatingOut] = ()


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
    return PlayerFileOut(
        player_facts(person, public=True), list(latest.values()), club or None, categories, live
    )


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


ROUTES = (
    get_player,
    get_player_by_number,
    get_history,
    get_history_csv,
    calculate_next_games,
)
