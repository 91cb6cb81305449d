"""Import clubs and regions, and the memberships of players, from CSV: the whole file, or nothing of it."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from sqlalchemy import Connection

from arpad.model.clubs import Membership, Unit, UnitKind, club_changes, unit_code
from arpad.model.errors import BadInput
from arpad.model.names import same_person_name, spelled
from arpad.model.people import Birth, Person, birth_year, births_agree
from arpad.office.clubs import rows
from arpad.office.clubs.rows import open_club, refuse_units, unit_of, unit_texts
from arpad.office.clubs.tables import UNIT_FIELDS
from arpad.office.office import ActContext
from arpad.office.register import rows as register
from arpad.office.register.number_rows import declared_schemes, merge_targets
from arpad.office.register.rows import CLUB
from arpad.office.register.search_rows import same_names
from arpad.reports.formats.lists.list_csv import Cell, named_cells
from arpad.reports.formats.written_values import read_birth, whole_day
from arpad.reports.number_schemes import BUILT_IN


@dataclass(frozen=True, slots=True)
class ImportedClubs:
    """The result of an import of clubs."""

    rows: int
    entered: int
    changed: int


@dataclass(frozen=True, slots=True)
class ImportedMemberships:
    """The result of an import of memberships."""

    rows: int
    players: int
    """Players whose clubs changed."""


# ------------------------------------------------------------------------------------------------------------ files


def _given(cells: Mapping[str, Cell], field: str) -> bool:
    return field in cells and bool(cells[field].text)


def _day(cells: Mapping[str, Cell], field: str) -> date | None:
    return cells[field].read(whole_day) if _given(cells, field) else None


# ----------------------------------------------------------------------------------------------- clubs and regions

UNIT_COLUMNS = {
    "code": "code", "codice": "code", "name": "name", "nome": "name", "denominazione": "name",
    "kind": "kind", "tipo": "kind", "region": "region", "regione": "region", "parent": "region",
    "from": "since", "since": "since", "dal": "since", "until": "until", "to": "until", "al": "until",
} | {field: field for field in UNIT_FIELDS}  # fmt: skip
"""Heading of a file of clubs → field."""

_KINDS = {
    "": UnitKind.CLUB, "club": UnitKind.CLUB, "circolo": UnitKind.CLUB, "società": UnitKind.CLUB,
    "societa": UnitKind.CLUB, "region": UnitKind.REGION, "regione": UnitKind.REGION,
}  # fmt: skip
_LONGEST = 200


_READERS: Mapping[str, Callable[[str], object]] = {
    "region": lambda text: unit_code(text) if text else "", "since": whole_day, "until": whole_day,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class UnitRow:
    """A club or region in a file."""

    kind: UnitKind
    code: Cell
    region: Cell
    """The cell of the region, or of the code if it has none."""

    values: Mapping[str, str]
    """The values of the file, as the register keeps them; an empty cell only takes the region away."""


def read_units(data: bytes) -> Iterator[UnitRow]:
    """Yield the clubs and regions of a file; an unreadable cell raises with line and column."""
    for cells in map(dict, named_cells(data, UNIT_COLUMNS, ("code",))):
        code = cells["code"]
        code = code._replace(text=code.read(unit_code))
        kind = cells["kind"].read(lambda text: _KINDS[text.lower()]) if "kind" in cells else UnitKind.CLUB
        values = {
            field: str(cells[field].read(_READERS.get(field, _plain)))
            for field in UNIT_FIELDS
            if _given(cells, field) or (field == "region" and field in cells)
        }
        yield UnitRow(kind, code, cells["region"] if _given(cells, "region") else code, values)


def _plain(text: str) -> str:
    if not text.isprintable() or len(text) > _LONGEST:
        raise ValueError(text)
    return text


def enter_clubs(act: ActContext, data: bytes, since: date) -> ImportedClubs:
    """Enter the clubs and regions of a file; what it changes about known ones counts from a day on.

    A file that is imported again changes nothing.
    """
    units = list(read_units(data))
    known = rows.units_on(act.connection, since)
    entered: dict[str, Unit] = {}
    changes: list[tuple[str, str, str, date]] = []
    lines: dict[str, UnitRow] = {}
    for row in units:
        code = row.code.text
        if code in lines:
            raise row.code.refused("club-twice", code=code, first=lines[code].code.line)
        lines[code] = row
        if code in known:
            changes += _changes(known[code], row, since)
        else:
            entered[code] = _entered(row, since)
    rows.add_units(act.connection, list(entered.values()), act.seq)
    rows.add_unit_facts(act.connection, changes, act.seq)
    _refuse_at_lines(act.connection, lines)
    return ImportedClubs(len(units), len(entered), len({code for code, *_ in changes}))


def _entered(row: UnitRow, since: date) -> Unit:
    if "name" not in row.values:
        raise row.code.refused("club-name", given="")
    values = {"kind": row.kind, "code": row.code.text, "since": str(since), **row.values}
    _refuse_days(row, values)
    return unit_of(values)


def _changes(unit: Unit, row: UnitRow, since: date) -> list[tuple[str, str, str, date]]:
    """Return what a row says that the register does not."""
    if row.kind != unit.kind:
        raise row.code.refused("club-other-kind", code=unit.code)
    before = unit_texts(unit)
    _refuse_days(row, {**before, **row.values})
    return [(unit.code, field, new, since) for field, new in row.values.items() if new != before[field]]


def _refuse_days(row: UnitRow, values: Mapping[str, str]) -> None:
    """Refuse a last day before the first."""
    since, until = values["since"], values.get("until", "")
    if until and until < since:
        days = {"since": date.fromisoformat(since), "until": date.fromisoformat(until)}
        raise row.code.refused("membership-days", **days)


def _refuse_at_lines(connection: Connection, lines: Mapping[str, UnitRow]) -> None:
    """Refuse wrong regions, with the line and column of the row."""
    try:
        refuse_units(connection, lines)
    except BadInput as error:
        row = lines.get(error.facts["code"], next(iter(lines.values())))
        raise row.region.refused(error.code, **error.facts) from None


# ------------------------------------------------------------------------------------------------------ memberships

MEMBER_COLUMNS = {
    "player": "player", "id": "player", "giocatore": "player", "name": "name", "nome": "name",
    "born": "born", "birth": "born", "nato": "born", "nascita": "born",
    "club": "club", "circolo": "club", "societa": "club", "società": "club",
    "from": "since", "since": "since", "dal": "since", "until": "until", "to": "until", "al": "until",
}  # fmt: skip
"""Heading of a file of memberships → field; every other heading may be a number of another body."""


@dataclass(frozen=True, slots=True)
class MembershipRow:
    """A player's time in a club in a file; the player is named by numbers, or by name and birth."""

    line: int
    player: Cell | None
    """The register's number."""

    numbers: Mapping[str, Cell]
    """Numbers of other bodies by scheme."""

    name: Cell | None
    born: Birth
    club: Cell
    membership: Membership


def read_memberships(data: bytes, schemes: Collection[str]) -> Iterator[MembershipRow]:
    """Yield the memberships of a file; a column named after one of the schemes has numbers of that body."""
    columns = {**MEMBER_COLUMNS, **{scheme: scheme for scheme in schemes}}
    columns |= {f"{scheme}_id": scheme for scheme in schemes} | {f"id_{scheme}": scheme for scheme in schemes}
    for cells in map(dict, named_cells(data, columns, ("club", "since"))):
        club, since = cells["club"], _day(cells, "since")
        if since is None:
            raise cells["since"].refused("list-row-unreadable", text="")
        numbers = {scheme: cells[scheme] for scheme in schemes if _given(cells, scheme)}
        player, name = (cells[field] if _given(cells, field) else None for field in ("player", "name"))
        if not (player or numbers or name):
            raise club.refused("membership-nobody")
        born = cells["born"].read(read_birth)[0] if _given(cells, "born") else None
        code = club._replace(text=club.read(unit_code))
        yield MembershipRow(
            club.line, player, numbers, name, born, code, Membership(code.text, since, _day(cells, "until"))
        )  # fmt: skip


def enter_memberships(act: ActContext, data: bytes) -> ImportedMemberships:
    """Enter the memberships and transfers of a file; players are named by a number of any body, or by name."""
    memberships = list(read_memberships(data, (*BUILT_IN, *declared_schemes(act.connection))))
    players = _players(act.connection, memberships)
    by_player: dict[int, list[MembershipRow]] = {}
    days = {row.membership.since for row in memberships}
    clubs = {day: rows.units_on(act.connection, day) for day in days}
    for row in memberships:
        day = row.membership.since
        try:
            open_club(clubs[day], row.club.text, day)
        except BadInput as error:
            raise row.club.refused(error.code, **error.facts) from None
        by_player.setdefault(players[row.line], []).append(row)
    changes = _all_changes(act.connection, by_player)
    register.add_facts(act.connection, changes, act.seq)
    return ImportedMemberships(len(memberships), len({player for player, *_ in changes}))


def _all_changes(
    connection: Connection, by_player: Mapping[int, Sequence[MembershipRow]]
) -> list[tuple[int, str, str, date]]:
    """Return the facts to enter: player, field, club, first day."""
    registered = rows.club_changes_of(connection, by_player)
    facts: list[tuple[int, str, str, date]] = []
    for player, own in by_player.items():
        try:
            changes = club_changes(registered.get(player, {}).items(), [row.membership for row in own])
        except BadInput as error:
            row = next((row for row in own if row.club.text == error.facts.get("club")), own[-1])
            raise row.club.refused(error.code, **error.facts) from None
        facts += [(player, CLUB, club, day) for day, club in changes]
    return facts


def _players(connection: Connection, memberships: Sequence[MembershipRow]) -> dict[int, int]:
    """Return the player of each line; refuse a row that names nobody, or more than one."""
    numbers = [(scheme, cell.text) for row in memberships for scheme, cell in row.numbers.items()]
    holders = register.holders_of(connection, numbers)
    targets = merge_targets(connection)
    by_number = {
        row.line: {targets.get(player, player) for player in _numbered(row, holders)} for row in memberships
    }
    people = register.load_people(connection, {player for found in by_number.values() for player in found})
    unnumbered = {row.name.text for row in memberships if row.name and not by_number[row.line]}
    named = same_names(connection, {*map(spelled, unnumbered)})
    return {
        row.line: _numbered_person(row, of_row, people).id if of_row else _named_person(row, named).id
        for row, of_row in zip(memberships, by_number.values(), strict=True)
    }


def _numbered(row: MembershipRow, holders: Mapping[tuple[str, str], int]) -> Iterator[int]:
    """Yield the players who have the numbers of a row."""
    if row.player is not None:
        yield row.player.read(lambda text: int(text) if text.isascii() and len(text) < 10 else int(""))  # noqa: PLR2004
    for scheme, cell in row.numbers.items():
        if (scheme, cell.text) not in holders:
            raise cell.refused("membership-unknown", given=f"{scheme} {cell.text}")
        yield holders[scheme, cell.text]


def _numbered_person(row: MembershipRow, players: set[int], people: Mapping[int, Person]) -> Person:
    cell = row.player or next(iter(row.numbers.values()))
    if len(players) > 1:
        raise cell.refused("membership-two-players", players=", ".join(map(str, sorted(players))))
    (player,) = players
    if player not in people:
        raise cell.refused("membership-unknown", given=cell.text)
    person = people[player]
    if row.name and not same_person_name(person.name, row.name.text):
        raise row.name.refused("membership-other-name", given=row.name.text, player=player, name=person.name)
    return person


def _named_person(row: MembershipRow, named: Mapping[str, Sequence[Person]]) -> Person:
    if row.name is None:
        raise row.club.refused("membership-nobody")
    people = [person for person in named[spelled(row.name.text)] if births_agree(row.born, person.born)]
    if not people:
        raise row.name.refused("membership-unknown", given=row.name.text)
    if len(people) > 1:
        shown = ", ".join(f"{person.id} ({birth_year(person.born) or '?'})" for person in people[:5])
        raise row.name.refused("membership-ambiguous", given=row.name.text, candidates=shown)
    return people[0]
