"""Clubs and regions that the register has, and what is refused about them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date

from sqlalchemy import Connection

from arpad.model.clubs import Unit, UnitKind, refuse_circles
from arpad.model.errors import BadInput
from arpad.office.clubs import rows
from arpad.reports.formats.lists.clubs_csv import unit_code


def known_code(text: str, parameter: str = "code") -> str:
    """Return a code as the register writes it; refuse a text that is none."""
    try:
        return unit_code(text)
    except ValueError:
        raise BadInput("club-code", option=parameter, given=text[:40]) from None


def open_units(connection: Connection, day: date) -> dict[str, Unit]:
    """Return the clubs and regions that exist on a day, by code."""
    return {code: unit for code, unit in rows.units_on(connection, day).items() if unit.is_open(day)}


def known_unit(connection: Connection, code: str, day: date) -> Unit:
    """Return a club or region as it is on a day; refuse an unknown code."""
    unit = rows.units_on(connection, day).get(code)
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
    for day in sorted(rows.days_of_changes(connection)):
        refuse_circles(rows.units_on(connection, day), checked)
