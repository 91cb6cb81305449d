"""The pages of clubs and regions, for everybody and at the desk."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from litestar import Response, get, post
from litestar.datastructures import UploadFile
from litestar.params import FromPath
from sqlalchemy import Connection

from arpad.model.clubs import Unit, UnitKind, clubs_in, regions_above
from arpad.model.errors import BadInput
from arpad.model.people import birth_year
from arpad.model.rules import ListName
from arpad.model.typed_values import parse_day
from arpad.office import verbs
from arpad.office.clubs.acts import known_code, known_unit
from arpad.office.office import today
from arpad.store import hidden_players, ledger
from arpad.store.clubs import UNIT_FIELDS, count_members, members_on, unit_changes, units_on
from arpad.store.lists import Publication
from arpad.store.pages import published_ratings, snapshot
from arpad.store.register import load_people
from arpad.web import published_lists
from arpad.web.auth import OFFICER, PUBLIC
from arpad.web.cache import etag_headers, not_modified
from arpad.web.check_page import clean_name
from arpad.web.forms import act_and_redirect, choice_field, form_texts
from arpad.web.refusals import Refused
from arpad.web.reports_inbox import desk_of, for_all
from arpad.web.requests import WebRequest, page_number, paginate, require_office
from arpad.web.templates import page

MEMBERS_PER_PAGE = 200


@dataclass(frozen=True, slots=True)
class Member:
    """A player of a club, with the rating on each list in force."""

    player: int
    name: str
    title: str
    born: int | None
    ratings: Mapping[ListName, int | None]


def shown_members(connection: Connection, day: date, codes: frozenset[str] | None = None) -> dict[int, str]:
    """Return the members whom visitors may see: player → club."""
    hidden = hidden_players.hidden(connection)
    members = members_on(connection, day, codes)
    return {player: club for player, club in members.items() if player not in hidden}


def open_units(connection: Connection, day: date) -> dict[str, Unit]:
    """Return the clubs and regions that exist on a day, by code."""
    return {code: unit for code, unit in units_on(connection, day).items() if unit.is_open(day)}


@get("/clubs", opt=PUBLIC, include_in_schema=False, sync_to_thread=True)
def all_clubs(request: WebRequest) -> Response[Any]:
    """Show all regions and clubs with the number of members."""
    office = require_office(request)
    with office.store.reading() as connection:
        day = today(office, connection)
        headers, unchanged = etag_headers(request, "clubs", day, snapshot(connection).head)
        if unchanged:
            return not_modified(headers)
        units = open_units(connection, day)
        counts = count_members(shown_members(connection, day))
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
        day = today(office, connection)
        units = open_units(connection, day)
        unit = units.get(code.upper()[:20])
        if unit is None or unit.kind != kind:
            raise Refused(404, "no-club-here")
        wanted = page_number(request.query_params.get("page", "1"))
        headers, unchanged = etag_headers(request, unit.code, wanted, day, snapshot(connection).head)
        if unchanged:
            return not_modified(headers)
        codes = frozenset({unit.code}) if kind == UnitKind.CLUB else clubs_in(units, unit.code)
        players = shown_members(connection, day, codes)
        current = published_lists.lists_in_force(office, connection)
        members = members_with_ratings(connection, day, players, current) if kind == UnitKind.CLUB else []
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


def members_with_ratings(
    connection: Connection,
    day: date,
    players: Mapping[int, str],
    current: Mapping[ListName, Publication],
) -> list[Member]:
    """Return members with their ratings in force, the highest on the first list first, then by name."""
    people = load_people(connection, players, on=day)
    ratings = {name: published_ratings(connection, p.id, list(players)) for name, p in current.items()}
    members = [
        Member(
            number, person.name, person.title or person.women_title, birth_year(person.born),
            {name: of_list.get(number) for name, of_list in ratings.items()},
        )
        for number, person in people.items()
    ]  # fmt: skip
    first = next(iter(current), None)
    return sorted(
        members, key=lambda it: (-(it.ratings[first] or 0) if first else 0, it.name.casefold(), it.player)
    )


# ----------------------------------------------------------------------------------------------------------- desk


@get("/desk/clubs", opt=OFFICER, include_in_schema=False, sync_to_thread=True)
def desk_clubs(request: WebRequest) -> Response[str]:
    """Show all clubs and regions to an officer, with forms to enter and to import them."""
    return _desk_page(request)


def _desk_page(request: WebRequest, code: str = "") -> Response[str]:
    office = require_office(request)
    with office.store.reading() as connection:
        day = today(office, connection)
        units = units_on(connection, day)
        counts = count_members(members_on(connection, day))
        unit = known_unit(connection, code, day) if code else None
        past = unit_changes(connection, code) if code else []
        acts = ledger.some_acts(connection, [act for *_, act in past])
    return page(
        request, "clubs/desk.html", units=sorted(units.values(), key=lambda it: (it.kind, it.code)), counts=counts,
        unit=unit, past=past, acts=acts, day_=day, regions=_by_name(units, UnitKind.REGION), fields=UNIT_FIELDS,
    )  # fmt: skip


@post("/desk/clubs", opt=OFFICER, include_in_schema=False, status_code=200)
async def enter_club(request: WebRequest) -> Response[Any]:
    """Enter a club or a region."""
    texts = await form_texts(request)

    def act() -> str:
        for_all(request)
        kind = UnitKind(choice_field(texts, "kind", tuple(UnitKind)))
        until = texts.get("until", "")
        unit = verbs.enter_unit(
            desk_of(request), kind, texts.get("code", ""), texts.get("name", ""), region=texts.get("region", ""),
            since=parse_day(texts.get("since", ""), "since"), until=parse_day(until, "until") if until else None,
            reason=texts.get("reason", ""),
        )  # fmt: skip
        return f"/desk/clubs/{unit.code}"

    return await act_and_redirect(request, act, lambda: _desk_page(request))


@get("/desk/clubs/{code:str}", opt=OFFICER, include_in_schema=False, sync_to_thread=True)
def desk_club(request: WebRequest, code: FromPath[str]) -> Response[str]:
    """Show a club or region to an officer, with its changes and the form to change it."""
    return _desk_page(request, known_code(code))


@post("/desk/clubs/{code:str}", opt=OFFICER, include_in_schema=False, status_code=200)
async def change_club(request: WebRequest, code: FromPath[str]) -> Response[Any]:
    """Change the name, the region or the days of a club or region; ``import`` instead of a code reads a file."""
    texts = await form_texts(request)
    if code in ("import", "members"):
        file = (await request.form()).get("file")
        uploaded = (
            (clean_name(file.filename), await file.read()) if isinstance(file, UploadFile) else ("", b"")
        )
        return await act_and_redirect(
            request, lambda: _import(request, code, texts, *uploaded), lambda: _desk_page(request)
        )

    def act() -> str:
        for_all(request)
        field = choice_field(texts, "field", UNIT_FIELDS)
        since = parse_day(texts.get("since", ""), "since")
        facts = {field: texts.get("value", "")}
        verbs.change_unit(desk_of(request), code, since=since, reason=texts.get("reason", ""), **facts)
        return f"/desk/clubs/{known_code(code)}"

    return await act_and_redirect(request, act, lambda: _desk_page(request, known_code(code)))


def _import(request: WebRequest, what: str, texts: Mapping[str, str], name: str, data: bytes) -> str:
    for_all(request)
    if not data:
        raise BadInput("value-missing", option="file")
    office, reason = desk_of(request), texts.get("reason", "")
    if what == "import":
        verbs.import_clubs(office, data, name, parse_day(texts.get("since", ""), "since"), reason=reason)
    else:
        verbs.import_memberships(office, data, name, reason=reason)
    return "/desk/clubs"


ROUTES = (all_clubs, club, region, desk_clubs, enter_club, desk_club, change_club)
