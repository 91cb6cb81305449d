"""The pages of clubs and regions, for everybody and at the desk."""

from collections.abc import Mapping
from datetime import date
from typing import Any

from litestar import Response, get
from litestar.params import FromPath
from sqlalchemy import Connection

from arpad.model.clubs import Unit, UnitKind, club_on, clubs_in, regions_above
from arpad.model.people import Person
from arpad.office.clubs.acts import members_with_ratings, shown_members
from arpad.office.clubs.rows import (
    clubs_of_player,
    count_members,
    known_code,
    known_unit,
    members_on,
    open_units,
    unit_changes,
    units_on,
)
from arpad.office.declared import Reading
from arpad.office.lists.page_rows import snapshot
from arpad.office.lists.published import lists_in_force
from arpad.office.office import today
from arpad.office.users import VISITOR
from arpad.store import ledger
from arpad.store.bulk import cached_until_act
from arpad.web.cache import fresh_headers
from arpad.web.reader import OFFICER, PUBLIC
from arpad.web.requests import Refused, WebRequest, page_number, paginate, require_office
from arpad.web.templates import PagePart, page

MEMBERS_PER_PAGE = 200


@get("/clubs", opt=PUBLIC, include_in_schema=False, sync_to_thread=True)
def all_clubs(request: WebRequest) -> Response[Any]:
    """Show all regions and clubs with the number of members."""
    office = require_office(request)
    with office.store.reading() as connection:
        day = today(office, connection)
        headers = fresh_headers(request, "clubs", day, snapshot(connection).head)
        units = open_units(connection, day)
        counts = count_members(shown_members(Reading(office, connection, VISITOR), day))
    return page(
        request, "clubs/clubs.html", headers=headers, regions=_by_name(units, UnitKind.REGION),
        clubs=_by_name(units, UnitKind.CLUB), units=units, counts=counts,
    )  # fmt: skip


def _by_name(units: Mapping[str, Unit], kind: UnitKind) -> list[Unit]:
    chosen = (unit for unit in units.values() if unit.kind == kind)
    return sorted(chosen, key=lambda unit: (unit.name.casefold(), unit.code))


@get("/clubs/{code:str}", opt=PUBLIC, include_in_schema=False, sync_to_thread=True)
def club(request: WebRequest, code: FromPath[str]) -> Response[Any]:
    """Show a club with its players and their ratings."""
    return _unit_page(request, code, UnitKind.CLUB)


@get("/regions/{code:str}", opt=PUBLIC, include_in_schema=False, sync_to_thread=True)
def region(request: WebRequest, code: FromPath[str]) -> Response[Any]:
    """Show a region with its regions and clubs."""
    return _unit_page(request, code, UnitKind.REGION)


def _unit_page(request: WebRequest, code: str, kind: UnitKind) -> Response[Any]:
    office = require_office(request)
    with office.store.reading() as connection:
        reading = Reading(office, connection, VISITOR)
        day = reading.today
        units = open_units(connection, day)
        unit = units.get(code.upper()[:20])
        if unit is None or unit.kind != kind:
            raise Refused(404, "no-club-here")
        wanted = page_number(request.query_params.get("page", "1"))
        headers = fresh_headers(request, unit.code, wanted, day, snapshot(connection).head)
        codes = frozenset({unit.code}) if kind == UnitKind.CLUB else clubs_in(units, unit.code)
        players = shown_members(reading, day, codes)
        current = [str(name) for name in lists_in_force(office, connection)]
        members = members_with_ratings(reading, day, players) if kind == UnitKind.CLUB else []
    rated = [name for name in current if not members or any(it.ratings[name] for it in members)]
    shown, number, pages = paginate(members, wanted, MEMBERS_PER_PAGE)
    inside = {code: it for code, it in units.items() if it.region == unit.code}
    return page(
        request, "clubs/club.html", headers=headers, unit=unit,
        above=[units[it] for it in regions_above(units, unit.code)],
        regions=_by_name(inside, UnitKind.REGION), clubs=_by_name(inside, UnitKind.CLUB),
        counts=count_members(players), total=len(players), members=shown, lists=rated, page_number=number,
        pages=pages, address=lambda to: f"/{kind}s/{unit.code}?page={to}",
    )  # fmt: skip


# ----------------------------------------------------------------------------------------------------------- desk


@get("/desk/clubs", opt=OFFICER, include_in_schema=False, sync_to_thread=True)
def desk_clubs(request: WebRequest) -> Response[str]:
    """Show all clubs and regions to an officer, with forms to enter and to import them."""
    return _desk_page(request)


@get("/desk/clubs/{code:str}", opt=OFFICER, include_in_schema=False, sync_to_thread=True)
def desk_club(request: WebRequest, code: FromPath[str]) -> Response[str]:
    """Show a club or region to an officer, with its changes and the form to change it."""
    return _desk_page(request, known_code(code))


def _desk_page(request: WebRequest, code: str = "") -> Response[str]:
    office = require_office(request)
    with office.store.reading() as connection:
        day = today(office, connection)
        units = units_on(connection, day)
        counts = count_members(members_on(connection, day))
        unit = known_unit(connection, code, day) if code else None
        past = unit_changes(connection, code) if code else []
        acts = ledger.some_acts(connection, [act for *_, act in past])
    regions = _by_name(units, UnitKind.REGION)
    return page(
        request, "clubs/desk.html", units=sorted(units.values(), key=lambda it: (it.kind, it.code)), counts=counts,
        unit=unit, past=past, acts=acts, day_=day, regions=[("", "–"), *((it.code, it.name) for it in regions)],
    )  # fmt: skip


# --------------------------------------------------------------------------------------- on the page of a player


def _of_player(request: WebRequest, connection: Connection, person: Person) -> Mapping[str, Any]:
    """Return the club of a player today."""
    return _club_of(connection, person.id, today(require_office(request), connection))


@cached_until_act  # for the two parts of a page
def _club_of(connection: Connection, player: int, day: date) -> Mapping[str, Any]:
    units = units_on(connection, day)
    club = club_on(clubs_of_player(connection, player).items(), day)
    return {"club": club, "name": units[club].name if club in units else club}


PARTS = {
    "desk-player-facts": PagePart("clubs/player_fact.html", _of_player),
    "desk-player-forms": PagePart("clubs/player_form.html", _of_player),
}
