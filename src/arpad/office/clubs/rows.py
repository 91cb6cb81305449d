"""Clubs and regions, and the players who are members of clubs."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, replace
from datetime import date
from typing import Any

from sqlalchemy import Connection, select

from arpad.model.clubs import Unit, UnitKind, refuse_circles, unit_code
from arpad.model.errors import BadInput
from arpad.office.clubs.tables import club_facts, clubs
from arpad.office.parts import Choice
from arpad.office.register.number_rows import all_numbers, merge_targets
from arpad.office.register.rows import CLUB, clubs_of
from arpad.office.register.tables import player_facts
from arpad.store.bulk import add_numbered_rows, columns_of, fetch_rows, in_values, read_once

_DAYS = ("since", "until")
"""They count as they were entered last."""

UNIT_COLUMNS = tuple(field.name for field in fields(Unit))
_ALL_UNITS = select(clubs.c.id, *(clubs.c[name] for name in UNIT_COLUMNS)).order_by(clubs.c.code)
_AS_ENTERED = select(club_facts.c.club, club_facts.c.field, club_facts.c.value, club_facts.c.since).order_by(
    club_facts.c.id
)


# --------------------------------------------------------------------------------------------- clubs and regions


def add_units(connection: Connection, units: Sequence[Unit], act: int) -> None:
    """Add new clubs and regions."""
    rows = [(*unit_texts(it).values(), act) for it in units]
    add_numbered_rows(connection, clubs, (*UNIT_COLUMNS, "act"), rows)


def add_unit_facts(connection: Connection, changes: Sequence[tuple[str, str, str, date]], act: int) -> None:
    """Add changes of clubs and regions: code, field, value, first day."""
    numbers = {row.code: row.id for row in connection.execute(_ALL_UNITS)}
    rows = [(numbers[code], field, value, str(since), act) for code, field, value, since in changes]
    add_numbered_rows(connection, club_facts, ("club", "field", "value", "since", "act"), rows)


def club_choices(reading: Any, text: str) -> list[Choice]:
    """Return the clubs that are open today, with a text in the name or at the beginning of the code."""
    asked, day = text.casefold(), reading.today
    units = units_on(reading.connection, day)
    return [
        Choice(it.code, it.name, units[it.region].name if it.region in units else it.region)
        for it in sorted(units.values(), key=lambda unit: (unit.code.casefold() != asked, unit.name))
        if it.kind == UnitKind.CLUB and (it.until is None or it.until >= day)
        if asked in it.name.casefold() or it.code.casefold().startswith(asked)
    ]


def units_on(connection: Connection, day: date) -> dict[str, Unit]:
    """Return all clubs and regions by code, as they are on a day, also those that are closed then."""
    rows = read_once(connection, _ALL_UNITS)
    units = {number: unit_of(dict(zip(UNIT_COLUMNS, texts, strict=True))) for number, *texts in rows}
    facts = read_once(connection, _AS_ENTERED)
    for club, field, value, since in sorted(facts, key=lambda fact: fact.since):
        if field not in _DAYS and since <= str(day):
            units[club] = replace(units[club], **{field: value})
    for club, field, value, _ in facts:
        if field == "until" or (field == "since" and value):
            units[club] = replace(units[club], **{field: _value(field, value)})
    return {unit.code: unit for unit in units.values()}


def unit_texts(unit: Unit) -> dict[str, str]:
    """Return the fields of a club or region as the register keeps them."""
    return {name: value or "" for name, value in columns_of(unit).items()}


def unit_of(texts: Mapping[str, str | None]) -> Unit:
    """Return the club or region whose fields the register keeps as these texts."""
    return Unit(**{field: _value(field, text or "") for field, text in texts.items()})


def _value(field: str, text: str) -> Any:
    if field in _DAYS:
        return date.fromisoformat(text) if text else None
    return UnitKind(text) if field == "kind" else text


def days_of_changes(connection: Connection) -> set[date]:
    """Return the days from which a club or region is new, or belongs elsewhere."""
    days = (select(clubs.c.since), select(club_facts.c.since))
    return {date.fromisoformat(day) for query in days for (day,) in fetch_rows(connection, query)}


def unit_changes(connection: Connection, code: str) -> list[tuple[str, str, date, int]]:
    """Return every change of a club or region, the latest first: field, value, first day, act."""
    query = select(club_facts.c.field, club_facts.c.value, club_facts.c.since, club_facts.c.act)
    query = query.join_from(club_facts, clubs, clubs.c.id == club_facts.c.club).where(clubs.c.code == code)
    rows = fetch_rows(connection, query.order_by(club_facts.c.since.desc(), club_facts.c.id.desc()))
    return [(field, value, date.fromisoformat(since), act) for field, value, since, act in rows]


# ------------------------------------------------------------------------------------------------------- members


def club_changes_of(connection: Connection, players: Iterable[int]) -> dict[int, dict[date, str]]:
    """Return the clubs of these players: player → first day → code, the last entry of a day."""
    changes: dict[int, dict[date, str]] = {}
    for player, since, club in clubs_of(connection, players):
        changes.setdefault(player, {})[since] = club
    return changes


def clubs_of_player(connection: Connection, player: int) -> dict[date, str]:
    """Return the clubs of a player under any of their numbers: first day → code, in order."""
    of_numbers = club_changes_of(connection, all_numbers(connection, {player}))
    merged = {day: club for number in sorted(of_numbers) for day, club in of_numbers[number].items()}
    return dict(sorted((merged | of_numbers.get(player, {})).items()))


def members_on(connection: Connection, day: date, clubs: Iterable[str] | None = None) -> dict[int, str]:
    """Return the members on a day: player → code of the club; or only those of some clubs.

    A merged player is a member under the number kept. A club that is closed on the day has no members.
    """
    units = units_on(connection, day)
    clubs = None if clubs is None else sorted(clubs)
    query = select(player_facts.c.player, player_facts.c.value)
    query = query.where(player_facts.c.field == CLUB, player_facts.c.since <= str(day))
    merged = merge_targets(connection)
    if clubs is not None and not merged:  # a few players who were ever members are read faster than all
        ever = select(player_facts.c.player).where(
            player_facts.c.field == CLUB, in_values(connection, player_facts.c.value, clubs)
        )
        query = query.where(player_facts.c.player.in_(ever))
    members: dict[int, str] = {}
    of_dropped: dict[int, str] = {}
    for player, club in fetch_rows(connection, query.order_by(player_facts.c.since, player_facts.c.id)):
        if player in merged:
            of_dropped[merged[player]] = club
        else:
            members[player] = club
    open_clubs = {code for code, unit in units.items() if unit.is_open(day)}
    wanted = open_clubs if clubs is None else open_clubs & set(clubs)
    return {player: club for player, club in sorted((of_dropped | members).items()) if club in wanted}


def count_members(members: Mapping[int, str]) -> dict[str, int]:
    """Return how many members each club has."""
    return Counter(members.values())


def known_code(text: str, parameter: str = "code") -> str:
    """Return a code as the register writes it; refuse a text that is none."""
    try:
        return unit_code(text)
    except ValueError:
        raise BadInput("club-code", option=parameter, given=text[:40]) from None


def open_units(connection: Connection, day: date) -> dict[str, Unit]:
    """Return the clubs and regions that exist on a day, by code."""
    return {code: unit for code, unit in units_on(connection, day).items() if unit.is_open(day)}


def known_unit(connection: Connection, code: str, day: date) -> Unit:
    """Return a club or region as it is on a day; refuse an unknown code."""
    unit = units_on(connection, day).get(code)
    if unit is None:
        raise BadInput("no-club", option="code", code=code[:40])
    return unit


def open_club(units: Mapping[str, Unit], code: str, day: date) -> Unit:
    """Return a club that exists on a day; refuse a region, and a club that begins later or is closed."""
    unit = units.get(code)
    if unit is None:
        raise BadInput("no-club", option="club", code=code[:40])
    if unit.kind != UnitKind.CLUB:
        raise BadInput("club-is-region", option="club", code=code)
    if not unit.is_open(day):
        raise BadInput("club-not-open", option="club", code=code, day=day)
    return unit


def refuse_units(connection: Connection, codes: Iterable[str]) -> None:
    """Refuse clubs and regions that are wrong on some day: in a circle, or in a region that does not exist."""
    checked = list(codes)
    for day in sorted(days_of_changes(connection)):
        refuse_circles(units_on(connection, day), checked)
