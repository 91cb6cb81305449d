"""A player's page: ratings, the curve, every change with its article, what the next games would bring."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any
from urllib.parse import urlencode

from litestar import Request, Response, get
from litestar.params import FromPath, FromQuery
from litestar.response import Redirect
from sqlalchemy import Connection

from arpad import accounts
from arpad.explain.words import Words
from arpad.lists.published import DRAUGHTS
from arpad.model.json_values import to_step
from arpad.model.people import Person, birth_year
from arpad.model.rules import Edition, ListName
from arpad.office.draughts_records import player_record
from arpad.office.editions import edition_on
from arpad.office.office import today
from arpad.office.register import find_players
from arpad.regulations.chess.rules import ChessRules
from arpad.store.lists import Publication
from arpad.store.merges import merge_targets_of
from arpad.store.reports import last_decided
from arpad.web import queries
from arpad.web.auth import PUBLIC
from arpad.web.chart import progress
from arpad.web.fact_forms import public_facts
from arpad.web.http_cache import etag_headers, not_modified, remember, remembered
from arpad.web.language import words_for
from arpad.web.requests import page_number, paginate, public_player, require_office
from arpad.web.templates import page

MOST_FOUND = 50
"""Players on a page of a search."""

MOST_PAGES = 20
"""Whoever is not among so many is found sooner by more letters."""


@get("/players", opt=PUBLIC, include_in_schema=False, sync_to_thread=True)
def search(request: Request[Any, Any, Any], q: FromQuery[str] = "") -> Response[Any]:
    """Players by name or number, page by page; a single one is shown at once."""
    office = require_office(request)
    asked = q.strip()[:100]
    number = min(max(1, page_number(request.query_params.get("page", "1"))), MOST_PAGES)
    found = find_players(office, asked, MOST_FOUND * number + 1) if asked else []
    more = len(found) > MOST_FOUND * number
    with office.store.reading() as connection:
        away = accounts.hidden(connection)
        people, number, _ = paginate([one for one in found if one.id not in away], number, MOST_FOUND)
        rated = {
            name: _ratings(connection, publication, people)
            for name, publication in queries.in_force(office, connection).items()
        }
    if len(people) == 1 and number == 1 and not more:
        return Redirect(f"/players/{people[0].id}", status_code=303)
    return page(
        request, "players.html", asked=asked, people=people, rated=rated, year=birth_year, page_number=number,
        pages=number + 1 if more and number < MOST_PAGES else number,
        address=lambda to: f"/players?{urlencode({'q': asked, 'page': to})}",
    )  # fmt: skip


def _ratings(
    connection: Connection, publication: Publication, people: Sequence[Person]
) -> dict[int, int | None]:
    return queries.ratings_of(connection, publication.id, [person.id for person in people])


@get("/players/{number:int}", opt=PUBLIC, include_in_schema=False, sync_to_thread=True)
def player(request: Request[Any, Any, Any], number: FromPath[int]) -> Response[Any]:
    """A player's ratings, the curve, and every change with its article."""
    office = require_office(request)
    with office.store.reading() as connection:
        person = public_player(connection, number)
        kept = merge_targets_of(connection, [number]).get(number)
        if kept is not None:
            return Redirect(f"/players/{kept}", status_code=303)
        day = today(office, connection)
        past = queries.history(connection, number)
        away = accounts.hidden(connection)
        version = queries.moment(connection).hidden_version
        decided = last_decided(connection)
    asked = request.query_params.get("list", "")
    shown = ListName(asked) if asked in tuple(ListName) and asked in past else next(iter(past), None)
    page_asked = page_number(request.query_params.get("page", "1"))
    headers, known = etag_headers(
        request,
        *_public_values(person),
        shown,
        page_asked,
        day,
        version,
        decided if shown in DRAUGHTS else 0,
        *(p.publication.digest for found in past.values() for p in found),
    )
    if known:
        return not_modified(headers)
    if (before := remembered(request, headers)) is not None:
        return before
    points = past[shown] if shown else []
    with office.store.reading() as connection:
        told, current_page, pages = queries.told(connection, number, points, page_asked)
        edition = edition_on(connection, shown, day) if shown and shown not in DRAUGHTS else None
    record = player_record(office, shown, number) if shown in DRAUGHTS else None
    now = {name: [p for p in found if p.publication.day <= day] for name, found in past.items()}
    words = words_for(request)

    def address(to: int) -> str:
        return f"/players/{number}?{urlencode({'list': str(shown), 'page': to})}#told"

    made = page(
        request, "player.html", headers=headers, person=person, away=away, year=birth_year, past=past, shown=shown,
        cards=[(name, found[-1], queries.since(found)) for name, found in now.items() if found],
        chart=_chart(points, words), draughts=DRAUGHTS, told=told, page_number=current_page, pages=pages,
        address=address,
        needs=_needs(shown, points, told, edition) if shown and edition and current_page == 1 else None,
        what_if=_what_if(shown, now[shown], edition) if shown and edition else None, half=Fraction,
        public_facts=public_facts, to_step=to_step, record=record,
    )  # fmt: skip
    return remember(request, made)


def _public_values(person: Person) -> tuple[object, ...]:
    """Return what the page shows of a person: of the birth the year, nothing of affiliations."""
    return (
        person.id, person.name, person.federation, person.title or person.women_title, birth_year(person.born),
        person.identifiers,
    )  # fmt: skip


def _chart(found: list[queries.Point], words: Words) -> Any:
    rated = [
        (p.publication.day, p.rating, f"{words.day(p.publication.day)}: {p.rating}")
        for p in found
        if p.rating is not None
    ]
    return progress(rated)


def _needs(
    shown: ListName, points: list[queries.Point], told: list[queries.Point], edition: Edition[ChessRules]
) -> dict[str, Any] | None:
    """What an unrated player still lacks on a chess list: games so far, games needed, the floor."""
    if points[-1].rating is not None:
        return None
    rules = edition.on(shown)
    entry = next((p.story["entry"] for p in told if p.story and p.story.get("entry")), None)
    return {
        "entry": entry,
        "games": entry["games"] if entry else 0,
        "needed": rules.minimum_games.value,
        "floor": rules.floor.value,
        "edition": edition.id,
        "articles": {"games": rules.minimum_games.article, "floor": rules.floor.article},
    }


def _what_if(
    shown: ListName, now: list[queries.Point], edition: Edition[ChessRules]
) -> dict[str, Any] | None:
    """With which rating, K and edition games of today would be counted on a chess list."""
    if not now or now[-1].rating is None:
        return None
    point = now[-1]
    return {
        "rating": point.rating,
        "k": point.k,
        "edition": edition.id,
        "list": str(shown),
    }


ROUTES = (search, player)
