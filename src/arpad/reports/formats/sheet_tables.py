"""Find the tables of a sheet and read their cells."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import NamedTuple

from arpad.model.errors import Unreadable
from arpad.model.people import Birth
from arpad.model.rules import Fact, Severity
from arpad.reports.formats.findings import Notes
from arpad.reports.formats.sheet_grid import Sheet, SheetRow
from arpad.reports.formats.sheet_words import field_of, round_number
from arpad.reports.formats.written_values import digits, read_birth, read_day, whole_number

SERIAL_DAY = re.compile(r"([1-9][0-9]{4})(?:\.[0-9]+)?")
"""A day as spreadsheet programs store it: a number of five digits (1927 to 2173)."""

LONGEST_SHOWN = 60


FACT_AND_VALUE = 2


class Heading(NamedTuple):
    """The row that names the columns."""

    kind: str
    """``players`` or ``games``."""

    fields: Mapping[str, int]
    rounds: Mapping[int, int]
    unknown: tuple[int, ...]


@dataclass(slots=True)
class Table:
    """One table with its heading."""

    sheet: Sheet
    line: int
    heading: Heading
    rows: list[SheetRow] = field(default_factory=list)


class Place(NamedTuple):
    """A cell and its sheet."""

    sheet: Sheet
    line: int
    column: int

    def note(
        self, notes: Notes, severity: Severity, code: str, text: str, round_: int | None = None, **facts: Fact
    ) -> None:
        """Add a finding about the text of the cell."""
        facts |= {"cell": self.sheet.address(self.line, self.column), "text": shown(text)}
        notes.add(severity, code, self.line, self.column, player=None, round=round_, **facts)

    def refused(self, code: str, text: str) -> Unreadable:
        """Return an error about the text of the cell."""
        cell = self.sheet.address(self.line, self.column)
        return Unreadable(code, line=self.line, column=self.column, cell=cell, text=shown(text))


@dataclass(slots=True)
class SheetContents:
    """The facts and tables in the sheets of a file."""

    event: list[tuple[Sheet, SheetRow]] = field(default_factory=list)
    players: Table | None = None
    games: Table | None = None


def heading_of(row: SheetRow) -> Heading | None:
    """Return the row as a heading, if it is one; a fact and its value, such as ``Federation, name``, are not."""
    if len(row.cells) == FACT_AND_VALUE and field_of("event", row.cells[min(row.cells)]):
        return None
    games = _columns(row, "game")
    if {"white", "black"} <= games.keys() and games.keys() & {"result", "round"}:
        return Heading("games", games, {}, _unknown(row, games, {}))
    players = _columns(row, "player")
    rounds = {number: column for column, text in row.cells.items() if (number := round_number(text))}
    named = players.keys() & {"name", "surname"}
    lettered = any(not row.cells[column].isdigit() for column in rounds.values())
    if (named and (len(players) > 1 or rounds)) or ("number" in players and lettered):
        return Heading("players", players, rounds, _unknown(row, players, rounds))
    return None


def score(sheet: Sheet) -> int:
    """Return how much of a sheet is understood: columns of its headings, and keys."""
    total = 0
    for row in sheet.rows:
        heading = heading_of(row)
        if heading:
            total += 10 * (len(heading.fields) + len(heading.rounds))
        elif len(row.cells) > 1 and field_of("event", row.cells[min(row.cells)]):
            total += 1
    return total


def find_tables(sheets: Sequence[Sheet], notes: Notes) -> SheetContents:
    """Return the facts about the event and the tables, anywhere in the sheets."""
    contents = SheetContents()
    for sheet in sheets:
        table: Table | None = None
        before: list[SheetRow] = []
        for row in sheet.rows:
            heading = None if table and _is_numbered(table, row) else heading_of(row)
            if heading:
                table = Table(sheet, row.line, heading)
                _keep(contents, table, row, notes)
            elif table is not None:
                table.rows.append(row)
            else:
                before.append(row)
        if table is not None or any(field_of("event", row.cells[min(row.cells)]) for row in before):
            contents.event.extend((sheet, row) for row in before)
        elif before:
            notes.add(Severity.INFO, "sheet-ignored", sheet=sheet.name)
    if contents.players is None and contents.games is None:
        raise Unreadable("sheet-no-heading", line=1, column=1)
    return contents


def _is_numbered(table: Table, row: SheetRow) -> bool:
    """Return whether a row begins with its number: then it is no heading, whatever its words."""
    column = table.heading.fields.get("number" if table.heading.kind == "players" else "round", 0)
    return digits(row.cells.get(column, "")) is not None


def _keep(contents: SheetContents, table: Table, row: SheetRow, notes: Notes) -> None:
    kind = table.heading.kind
    earlier = contents.players if kind == "players" else contents.games
    column = min(row.cells)
    if earlier is not None:
        raise Unreadable("sheet-table-twice", line=table.line, column=column, first=earlier.line)
    if kind == "players":
        contents.players = table
    else:
        contents.games = table
    if contents.players and contents.games and contents.players.heading.rounds:
        raise Unreadable("sheet-two-layouts", line=table.line, column=column)
    for unknown in table.heading.unknown:
        place, text = Place(table.sheet, table.line, unknown), row.cells[unknown]
        if round_number(text) in table.heading.rounds:
            raise place.refused("sheet-round-twice", text)
        place.note(notes, Severity.INFO, "sheet-column-unknown", text)


def _columns(row: SheetRow, table: str) -> dict[str, int]:
    columns: dict[str, int] = {}
    for column, text in sorted(row.cells.items()):
        if name := field_of(table, text):
            columns.setdefault(name, column)
    return columns


def _unknown(row: SheetRow, columns: Mapping[str, int], rounds: Mapping[int, int]) -> tuple[int, ...]:
    read = {*columns.values(), *rounds.values()}
    return tuple(column for column in sorted(row.cells) if column not in read)


def shown(text: str) -> str:
    """Return a text for a finding, shortened if it is long."""
    return text if len(text) <= LONGEST_SHOWN else text[: LONGEST_SHOWN - 1] + "…"


# ----------------------------------------------------------------------------------------- single cells


@dataclass(frozen=True, slots=True)
class Cells:
    """The cells of a row by field; an unreadable cell becomes a finding at its address."""

    table: Table
    row: SheetRow
    notes: Notes

    def text(self, name: str) -> str:
        """Return the cell of a field; empty if there is none."""
        return self.row.cells.get(self.table.heading.fields.get(name, 0), "")

    def whole(self, name: str, *, none: str = "0") -> int | None:
        """Return a whole number; None for zero, a dash and similar words."""
        text = self.text(name)
        if not text or text.casefold() in _NOTHING:
            return None
        number = whole_number(text)
        if number is None:
            self.complain("sheet-number", name)
        return None if number is None or str(number) == none else number

    def day(self, name: str) -> date | None:
        """Return a day; if day and month are ambiguous, the day comes first, with a finding."""
        text = self.text(name)
        return read_cell_day(text, self.place(name), self.notes) if text else None

    def born(self) -> Birth:
        """Return a date of birth or its year."""
        text = self.text("born")
        serial = serial_day(text, self.table.sheet.day_zero)
        if serial:
            return serial
        born, readable = read_birth(text)
        if not readable:
            self.complain("sheet-birth", "born")
        return born

    def place(self, name: str) -> Place:
        """Return the place of the cell of a field."""
        return Place(self.table.sheet, self.row.line, self.table.heading.fields[name])

    def complain(self, code: str, name: str, severity: Severity = Severity.WARNING) -> None:
        """Add a finding about the cell of a field."""
        self.place(name).note(self.notes, severity, code, self.text(name))


_NOTHING = frozenset({"-", "–", "—", "nc", "n.c.", "unr", "unrated", "?"})


def serial_day(text: str, zero: date) -> date | None:
    """Return a day stored as a number, if the text is one."""
    match = SERIAL_DAY.fullmatch(text)
    return zero + timedelta(days=int(match[1])) if match else None


def read_cell_day(text: str, place: Place, notes: Notes) -> date | None:
    """Return the day in a cell."""
    serial = serial_day(text, place.sheet.day_zero)
    if serial:
        return serial
    day = read_day(text)
    # with two digits for the year a spreadsheet program writes it last: 12/05/18
    readings = (*day.readings[1:], *day.readings[:1]) if day.usual else day.readings
    if not readings:
        place.note(notes, Severity.WARNING, "sheet-day", text)
        return None
    if len(readings) > 1:
        severity = Severity.WARNING if day.usual else Severity.INFO
        place.note(notes, severity, "sheet-day-in-doubt", text, day=readings[0])
    return readings[0]
