"""Players, lists and tournaments for programs; published data carry an ETag."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from datetime import date
from typing import Annotated, Any

from litestar import Request, Response, get
from litestar.openapi.datastructures import ResponseSpec
from litestar.openapi.spec import Example
from litestar.params import PathParameter, QueryParameter
from sqlalchemy import Connection

from arpad import accounts
from arpad.formats.sheet_grid import escape as safe_cell
from arpad.model import ListName
from arpad.office.closing import year
from arpad.office.desk import today
from arpad.office.register import find_players
from arpad.store import register
from arpad.store.lists import Publication
from arpad.store.register import Person
from arpad.web import queries
from arpad.web.access import PUBLIC
from arpad.web.api.models import (
    FoundOut,
    HistoryOut,
    ListOut,
    ListsOut,
    PlayerFileOut,
    PlayerOut,
    RankingOut,
    RowOut,
    StandingOut,
    TournamentOut,
    TournamentsOut,
    refusals,
)
from arpad.web.caching import cached, not_modified
from arpad.web.errors import Refused
from arpad.web.lists import asked_list
from arpad.web.visiting import office_here, visible

Asked = Request[Any, Any, Any]
Number = Annotated[
    int, PathParameter(description="The register's number.", ge=1, le=2**31 - 1, examples=[Example(value=1)])
]
Page = Annotated[
    int, QueryParameter(description="Which page.", ge=1, le=1_000_000, examples=[Example(value=1)])
]
Name = Annotated[
    str,
    PathParameter(
        description="A list such as standard-2025-01-01-r1, or its bare name for the one in force.",
        examples=[Example(value="standard")],
        max_length=60,
    ),
]


# ------------------------------------------------------------------------------------------------------ players


def _player(person: Person) -> PlayerOut:
    return PlayerOut(
        person.id, person.name, person.federation, person.sex, person.title or person.women_title,
        year(person.born), dict(person.identifiers),
    )  # fmt: skip


@get("/search", opt=PUBLIC, responses=refusals(400, 404), sync_to_thread=True, summary="Find players")
def search(
    request: Asked,
    q: Annotated[
        str,
        QueryParameter(description="A name or a number.", max_length=100, examples=[Example(value="Rossi")]),
    ],
    limit: Annotated[int, QueryParameter(description="At most so many.", ge=1, le=50)] = 20,
) -> FoundOut:
    """Players by a name however it is written, or by a number of theirs."""
    office = office_here(request)
    found = find_players(office, q, limit) if q.strip() else []
    with office.store.reading() as connection:
        away = accounts.hidden(connection)
    return FoundOut([_player(person) for person in found if person.id not in away])


@get("/players/{number:int}", opt=PUBLIC, responses=refusals(404), sync_to_thread=True, summary="A player")
def player(request: Asked, number: Number) -> PlayerFileOut:
    """A player and where he stands on each list in force."""
    office = office_here(request)
    with office.store.reading() as connection:
        person = visible(connection, number)
        day = today(office, connection)
        past = _past(connection, number, day)
    latest = {standing.list: standing for standing in past}
    return PlayerFileOut(_player(person), list(latest.values()))


def _past(connection: Connection, number: int, day: date | None) -> list[StandingOut]:
    kept = register.kept_instead(connection, [number]).get(number, number)
    return [
        StandingOut(
            str(name), str(p.publication.day), p.publication.revision, p.rating, p.games, p.k, p.inactive
        )
        for name, points in queries.history(connection, kept).items()
        for p in points
        if day is None or p.publication.day <= day
    ]


@get(
    "/players/{number:int}/history",
    opt=PUBLIC,
    responses=refusals(404),
    sync_to_thread=True,
    summary="History",
)
def history(request: Asked, number: Number) -> HistoryOut:
    """A player on every list, each in its newest revision."""
    return _history(request, number)


def _history(request: Asked, number: int) -> HistoryOut:
    office = office_here(request)
    with office.store.reading() as connection:
        visible(connection, number)
        return HistoryOut(number, _past(connection, number, None))


CSV_ANSWER = ResponseSpec(str, generate_examples=False, description="A CSV file", media_type="text/csv")


@get(
    "/players/{number:int}/history.csv", opt=PUBLIC, media_type="text/csv", sync_to_thread=True,
    responses={200: CSV_ANSWER, **refusals(404)}, summary="History as CSV",
)  # fmt: skip
def history_csv(request: Asked, number: Number) -> Response[str]:
    """A player on every list, as CSV."""
    found = _history(request, number)
    rows = [(s.list, s.day, s.revision, s.rating, s.games, s.k) for s in found.history]
    return _csv(("list", "day", "revision", "rating", "games", "k"), rows)


def _csv(
    heading: Iterable[str], rows: Iterable[Iterable[Any]], headers: dict[str, str] | None = None
) -> Response[str]:
    """Text that a spreadsheet would take for a formula is made harmless."""
    made = io.StringIO()
    writer = csv.writer(made, lineterminator="\n")
    writer.writerow(heading)
    for row in rows:
        writer.writerow([safe_cell(cell) if isinstance(cell, str) else cell for cell in row])
    return Response(made.getvalue(), media_type="text/csv", headers=headers)


# -------------------------------------------------------------------------------------------------------- lists


def _list(
    publication: Publication, current: dict[ListName, Publication], by_id: dict[int, Publication]
) -> ListOut:
    corrects = by_id.get(publication.corrects) if publication.corrects is not None else None
    return ListOut(
        publication.name, str(publication.list), str(publication.day), publication.revision, publication.edition,
        publication.digest, queries.list_sizes([publication])[publication.id],
        current.get(publication.list) == publication, corrects.name if corrects else None,
    )  # fmt: skip


OnlyList = Annotated[
    str | None,
    QueryParameter(
        description="Only lists of this name.", max_length=40, examples=[Example(value="standard")]
    ),
]


@get("/lists", opt=PUBLIC, responses=refusals(400, 404), sync_to_thread=True, summary="All lists")
def all_lists(
    request: Asked,
    list: OnlyList = None,  # noqa: A002  the name that programs rely on
) -> ListsOut:
    """Every published list, corrections included."""
    office = office_here(request)
    with office.store.reading() as connection:
        found = queries.shown_publications(connection)
        current = queries.in_force(office, connection)
    by_id = {p.id: p for p in found}
    return ListsOut([_list(p, current, by_id) for p in found if list in (None, str(p.list))])


def _ranking(
    request: Asked, name: str, cut: str, federation: str | None, page: int
) -> tuple[RankingOut, dict[str, str], bool]:
    office = office_here(request)
    key = f"federation-{federation.upper()}" if federation else cut
    with office.store.reading() as connection:
        publication = asked_list(office, connection, name)
        headers, known = cached(
            request, "api", publication.digest, key, page, sorted(accounts.hidden(connection))
        )
        found = queries.ranking(connection, publication, key, page)
        if found is None:
            raise Refused(404, "no-list-here")
        current = queries.in_force(office, connection)
        by_id = {p.id: p for p in queries.shown_publications(connection, publication.list)}
    rows = [
        RowOut(
            r.rank, r.player or None, r.name, r.federation, r.title, r.category, r.rating, r.games, r.k, r.born,
            r.inactive,
        )
        for r in found.rows
    ]  # fmt: skip
    out = RankingOut(_list(publication, current, by_id), key, found.page, found.pages, found.total, rows)
    return out, headers, known


Cut = Annotated[
    str,
    QueryParameter(
        description="top, all, women, juniors or seniors.", max_length=40, examples=[Example(value="top")]
    ),
]
Federation = Annotated[
    str | None,
    QueryParameter(
        description="Instead: the list of a federation.", max_length=10, examples=[Example(value="ITA")]
    ),
]
NOT_CHANGED = ResponseSpec(None, generate_examples=False, description="Not changed since the ETag given")
RANKING = ResponseSpec(RankingOut, generate_examples=False, description="A page of the list")


@get(
    "/lists/{name:str}", opt=PUBLIC, sync_to_thread=True, summary="A list",
    responses={200: RANKING, 304: NOT_CHANGED, **refusals(400, 404)},
)  # fmt: skip
def one_list(
    request: Asked, name: Name, cut: Cut = "top", federation: Federation = None, page: Page = 1
) -> Response[Any]:
    """A page of a list: the top, everybody, women, juniors, seniors, or one federation."""
    out, headers, known = _ranking(request, name, cut, federation, page)
    return not_modified(headers) if known else Response(out, headers=headers)


@get(
    "/lists/{name:str}/rows.csv", opt=PUBLIC, media_type="text/csv", sync_to_thread=True, summary="A list as CSV",
    responses={200: CSV_ANSWER, 304: NOT_CHANGED, **refusals(400, 404)},
)  # fmt: skip
def list_csv(
    request: Asked, name: Name, cut: Cut = "top", federation: Federation = None, page: Page = 1
) -> Response[Any]:
    """The same page as CSV."""
    out, headers, known = _ranking(request, name, cut, federation, page)
    if known:
        return not_modified(headers)
    rows = [
        (r.rank, r.id, r.name, r.federation, r.title, r.category, r.rating, r.games, r.k, r.born)
        for r in out.rows
    ]
    heading = ("rank", "id", "name", "federation", "title", "category", "rating", "games", "k", "born")
    return _csv(heading, rows, headers)


# -------------------------------------------------------------------------------------------------- tournaments


@get("/tournaments", opt=PUBLIC, responses=refusals(400, 404), sync_to_thread=True, summary="Tournaments")
def tournaments(request: Asked, page: Page = 1) -> TournamentsOut:
    """Accepted tournaments, the latest first."""
    office = office_here(request)
    with office.store.reading() as connection:
        found, pages = queries.tournaments(connection, page)
        listed = [
            TournamentOut(
                f.id, f.name, f.federation, str(f.list), str(f.first_day) if f.first_day else None,
                str(f.last_day) if f.last_day else None, [p.name for p in queries.rated_with(connection, f.id)],
            )
            for f in found
        ]  # fmt: skip
    return TournamentsOut(min(page, pages), pages, listed)


ROUTES = (search, player, history, history_csv, all_lists, one_list, list_csv, tournaments)
