"""Clubs, regions and the memberships of players, each from a day on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date

from sqlalchemy import Connection

from arpad.model.clubs import Membership, Unit, UnitKind, club_changes, refuse_circles
from arpad.model.errors import BadInput
from arpad.model.typed_values import parse_day
from arpad.office.office import Office, record_act
from arpad.office.register import known_player
from arpad.reports.formats.lists.clubs_csv import unit_code
from arpad.store import clubs as rows
from arpad.store.clubs import UNIT_FIELDS
from arpad.store.merges import merge_targets_of
from arpad.store.register import CLUB, add_facts

_LONGEST = 200


def enter_unit(
    office: Office,
    kind: UnitKind,
    code: str,
    name: str,
    *,
    since: date,
    region: str = "",
    until: date | None = None,
    reason: str = "",
) -> Unit:
    """Enter a club or a region; return it."""
    unit = Unit(kind, known_code(code), name.strip(), since, known_code(region) if region else "", until)
    with record_act(office, "enter-club", reason) as act:
        if unit.code in rows.units_on(act.connection, since):
            raise BadInput("club-code-taken", code=unit.code)
        _refuse(unit)
        rows.add_units(act.connection, [unit], act.seq)
        refuse_units(act.connection, [unit.code])
        act.record(**unit_details(unit))
    return unit


def change_unit(office: Office, code: str, *, since: date, reason: str, **facts: str) -> Unit:
    """Change the name, the region, the first or the last day of a club or region; return it.

    Name and region change from a day on. An empty text takes a region or a last day away.
    """
    code = known_code(code)
    wrong = [field for field in facts if field not in UNIT_FIELDS]
    if wrong or not facts:
        raise BadInput("player-field", field=", ".join(wrong) or "-", accepted=", ".join(UNIT_FIELDS))
    with record_act(office, "change-club", reason, reason_needed=True) as act:
        known_unit(act.connection, code, since)
        values = {field: value.strip() for field, value in facts.items()}
        if values.get("region"):
            values["region"] = known_code(values["region"])
        for field in ("since", "until"):
            if values.get(field) or (field == "since" and field in values):
                values[field] = str(parse_day(values[field], field))
        rows.add_unit_facts(
            act.connection, [(code, field, value, since) for field, value in values.items()], act.seq
        )
        unit = known_unit(act.connection, code, since)
        _refuse(unit)
        refuse_units(act.connection, [code])
        act.record(code=code, since=str(since), changed=values)
    return unit


def transfer(
    office: Office, player: int, club: str, *, since: date, until: date | None = None, reason: str = ""
) -> None:
    """Make a player a member of a club from a day on, until a day if one is given; no club: the player leaves."""
    code = known_code(club) if club else ""
    with record_act(office, "transfer", reason) as act:
        known_player(act.connection, player)
        kept = merge_targets_of(act.connection, [player]).get(player, player)
        if code:
            open_club(rows.units_on(act.connection, since), code, since)
        registered = rows.clubs_of_player(act.connection, kept)
        changes = club_changes(registered.items(), [Membership(code, since, until)])
        add_facts(act.connection, [(kept, CLUB, value, day) for day, value in changes], act.seq)
        if changes:
            last = {"until": str(until)} if until else {}
            act.record(player=kept, club=code, since=str(since), **last)


# ------------------------------------------------------------------------------------------------- what is known


def known_code(text: str) -> str:
    """Return a code as the register writes it; refuse a text that is none."""
    try:
        return unit_code(text)
    except ValueError:
        raise BadInput("club-code", option="code", given=text[:40]) from None


def known_unit(connection: Connection, code: str, day: date) -> Unit:
    """Return a club or region as it is on a day; refuse an unknown code."""
    unit = rows.units_on(connection, day).get(code)
    if unit is None:
        raise BadInput("no-club", option="club", code=code[:40])
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


def _refuse(unit: Unit) -> None:
    """Refuse a name or days that no club has."""
    if not unit.name or len(unit.name) > _LONGEST or not unit.name.isprintable():
        raise BadInput("club-name", option="name", given=unit.name[:40])
    if unit.until is not None and unit.until < unit.since:
        raise BadInput("membership-days", option="until", since=unit.since, until=unit.until)


def unit_details(unit: Unit) -> dict[str, str]:
    """Return what the ledger says about a club or region."""
    texts = {
        "kind": str(unit.kind), "code": unit.code, "name": unit.name, "region": unit.region,
        "since": str(unit.since), "until": str(unit.until or ""),
    }  # fmt: skip
    return {name: text for name, text in texts.items() if text}
