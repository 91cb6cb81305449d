"""Clubs, regions and their members for programs; transfers with a token."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from litestar import Request, Response, get, post
from litestar.openapi.spec import Example
from litestar.params import PathParameter, QueryParameter

from arpad.accounts import Role
from arpad.model.clubs import Unit, UnitKind, clubs_in
from arpad.model.errors import BadInput
from arpad.model.typed_values import parse_day
from arpad.office import verbs
from arpad.office.office import Office, today
from arpad.office.register import known_player
from arpad.store.clubs import count_members, members_on, units_on
from arpad.web import published_lists
from arpad.web.api.parameters import Number
from arpad.web.api.responses import answers, etagged
from arpad.web.auth import PUBLIC, scope
from arpad.web.clubs import members_with_ratings, open_units, shown_members
from arpad.web.refusals import Refused
from arpad.web.reports_inbox import desk_of, for_all, worker
from arpad.web.requests import require_office

Asked = Request[Any, Any, Any]
Code = Annotated[
    str,
    PathParameter(
        description="The code of the club or region.", max_length=20, examples=[Example(value="MI1")]
    ),
]


@dataclass
class ClubOut:
    """A club or a region."""

    code: str
    kind: str
    name: str
    region: str | None
    since: str
    until: str | None
    members: int


@dataclass
class ClubsOut:
    """All clubs and regions of today."""

    clubs: list[ClubOut]


@dataclass
class MemberOut:
    """A member with the ratings in force, by list."""

    id: int
    name: str
    title: str
    born: int | None
    club: str
    ratings: dict[str, int | None]


@dataclass
class ClubMembersOut:
    """A club or region with its members; hidden players are not among them."""

    club: ClubOut
    players: list[MemberOut]


@dataclass
class TransferOut:
    """The club of a player from a day on."""

    player: int
    club: str
    since: str
    until: str | None


def _text(description: str, example: str, most: int = 40) -> Any:
    return QueryParameter(description=description, max_length=most, examples=[Example(value=example)])


def _club(unit: Unit, members: int) -> ClubOut:
    until = str(unit.until) if unit.until else None
    return ClubOut(unit.code, str(unit.kind), unit.name, unit.region or None, str(unit.since), until, members)


@get(
    "/clubs", opt=PUBLIC, sync_to_thread=True, summary="Clubs and regions",
    responses=answers(ClubsOut, "GET /api/v1/clubs", 404, etag=True),
)  # fmt: skip
def list_clubs(request: Asked) -> Response[Any]:
    """Every club and region of today, with the number of members."""
    office = require_office(request)
    with office.store.reading() as connection:
        day = today(office, connection)
        units = open_units(connection, day)
        members = shown_members(connection, day)
    counts = count_members(members)
    clubs = [
        _club(unit, counts.get(code, 0) if unit.kind == UnitKind.CLUB else _in_region(units, code, counts))
        for code, unit in units.items()
    ]
    return etagged(request, ClubsOut(clubs))


def _in_region(units: dict[str, Unit], code: str, counts: dict[str, int]) -> int:
    return sum(counts.get(club, 0) for club in clubs_in(units, code))


@get(
    "/clubs/{code:str}", opt=PUBLIC, sync_to_thread=True, summary="A club or region",
    responses=answers(ClubMembersOut, "GET /api/v1/clubs/{code}", 404, etag=True),
)  # fmt: skip
def get_club(request: Asked, code: Code) -> Response[Any]:
    """A club or region with its members of today and their ratings in force."""
    office = require_office(request)
    with office.store.reading() as connection:
        day = today(office, connection)
        units = open_units(connection, day)
        unit = units.get(code.upper())
        if unit is None:
            raise Refused(404, "no-club-here")
        codes = frozenset({unit.code}) if unit.kind == UnitKind.CLUB else clubs_in(units, unit.code)
        players = shown_members(connection, day, codes)
        current = published_lists.lists_in_force(office, connection)
        members = members_with_ratings(connection, day, players, current)
    rows = [
        MemberOut(
            it.player, it.name, it.title, it.born, players[it.player],
            {str(name): rating for name, rating in it.ratings.items()},
        )
        for it in members
    ]  # fmt: skip
    return etagged(request, ClubMembersOut(_club(unit, len(rows)), rows))


@post(
    "/players/{number:int}/transfer", status_code=200, sync_to_thread=True, summary="A transfer",
    opt=scope("register"), security=[{"token": []}],
    responses=answers(TransferOut, "POST /api/v1/players/{number}/transfer", 400, 401, 403, 404),
)  # fmt: skip
def transfer_player(
    request: Asked,
    number: Number,
    since: Annotated[
        str, QueryParameter(description="The first day.", max_length=40, examples=[Example(value="2025-01-10")])
    ],
    club: Annotated[
        str,
        QueryParameter(
            description="The code of the club; empty: the player leaves.", max_length=20,
            examples=[Example(value="MI1")],
        ),
    ] = "",
    until: Annotated[
        str | None,
        QueryParameter(description="The last day.", max_length=40, examples=[Example(value="2025-12-31")]),
    ] = None,
    reason: Annotated[
        str, QueryParameter(description="The reason.", max_length=500, examples=[Example(value="transfer 12")])
    ] = "",
) -> TransferOut:  # fmt: skip
    """Make a player a member of a club from a day on, for officers of the player's federation."""
    office = desk_of(request)
    with office.store.reading() as connection:
        if not worker(request).may(Role.OFFICER, known_player(connection, number).federation):
            raise Refused(403, "bound-officer")
    first, last = parse_day(since, "since"), parse_day(until, "until") if until else None
    verbs.transfer(office, number, club, since=first, until=last, reason=reason)
    return TransferOut(number, club.upper(), str(first), str(last) if last else None)


def _entered(unit: Unit, office: Office) -> ClubOut:
    with office.store.reading() as connection:
        units, members = units_on(connection, unit.since), members_on(connection, today(office, connection))
    counts = count_members(members)
    return _club(
        unit,
        counts.get(unit.code, 0) if unit.kind == UnitKind.CLUB else _in_region(units, unit.code, counts),
    )


@post(
    "/clubs", status_code=201, sync_to_thread=True, summary="Enter a club or region",
    opt=scope("register"), security=[{"token": []}],
    responses=answers(ClubOut, "POST /api/v1/clubs", 400, 401, 403, 404, status=201),
)  # fmt: skip
def enter_club(
    request: Asked,
    code: Annotated[str, _text("Its code.", "MI2", 20)],
    name: Annotated[str, _text("Its name.", "Circolo di Monza", 200)],
    since: Annotated[str, _text("The first day.", "2024-01-01")],
    kind: Annotated[str, _text("club or region.", "club")] = "club",
    region: Annotated[str, _text("The region that contains it.", "LOM", 20)] = "",
    until: Annotated[str, _text("The last day.", "2025-12-31")] = "",
    reason: Annotated[str, _text("The reason.", "letter 7", 500)] = "",
) -> ClubOut:
    """Enter a club or a region, for officers of all federations."""
    for_all(request)
    if kind not in tuple(UnitKind):
        raise BadInput("value-unknown", option="kind", value=kind[:20], accepted=", ".join(UnitKind))
    office = desk_of(request)
    unit = verbs.enter_unit(
        office, UnitKind(kind), code, name, since=parse_day(since, "since"), region=region,
        until=parse_day(until, "until") if until else None, reason=reason,
    )  # fmt: skip
    return _entered(unit, office)


@post(
    "/clubs/{code:str}", status_code=200, sync_to_thread=True, summary="Change a club or region",
    opt=scope("register"), security=[{"token": []}],
    responses=answers(ClubOut, "POST /api/v1/clubs/{code}", 400, 401, 403, 404),
)  # fmt: skip
def change_club(
    request: Asked,
    code: Code,
    field: Annotated[str, _text("name, region, since or until.", "name")],
    since: Annotated[str, _text("The day from which it applies.", "2025-01-10")],
    reason: Annotated[str, _text("The reason.", "letter 8", 500)],
    value: Annotated[str, _text("Its value; empty: none.", "Circolo Milanese", 200)] = "",
) -> ClubOut:
    """Change the name, the region, the first or the last day of a club or region."""
    for_all(request)
    office = desk_of(request)
    unit = verbs.change_unit(office, code, since=parse_day(since, "since"), reason=reason, **{field: value})
    return _entered(unit, office)


ROUTES = (list_clubs, get_club, transfer_player, enter_club, change_club)
