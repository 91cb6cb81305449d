"""Facts about the event in a sheet, one line each: a key, then its value or values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any

from arpad.model.exact import read_number
from arpad.model.rules import Severity
from arpad.reports.formats.findings import Notes
from arpad.reports.formats.sheet_grid import Sheet, SheetRow, Value
from arpad.reports.formats.sheet_tables import Place, read_cell_day, shown
from arpad.reports.formats.sheet_words import EVENT_KEYS, event_field, heading
from arpad.reports.formats.written_values import digits
from arpad.reports.report import Header, Report, Round, Team

MOST_ROUNDS = 999
_DAYS = frozenset({"first_day", "last_day", "one_day"})
_COUNTS = frozenset({"players", "rated_players", "teams", "rounds"})
_WORTHS = frozenset({"points", "match_points"})


class SheetFacts:
    """The facts read so far."""

    def __init__(self, notes: Notes) -> None:
        self.notes = notes
        self.values: dict[str, Any] = {}
        self.deputies: list[str] = []
        self.days: dict[int, date] = {}
        self.teams: list[Team] = []
        self.places: dict[str, tuple[Sheet, int, int]] = {}
        """Sheet, line and column of the value of each fact, by its name."""

        self.day_places: dict[int, tuple[Sheet, int, int]] = {}

    def header(self, rounds: int) -> Header:
        """Return the header; days beyond the played rounds are days to come."""
        coming = range(rounds + 1, max(self.days, default=0) + 1)
        days = tuple(self.days.get(number) for number in coming)
        if (day := self.values.pop("one_day", None)) is not None:
            self.values = {"first_day": day, "last_day": day} | self.values
        return Header(**self.values, deputies=tuple(self.deputies), days_to_come=days)

    def take(self, sheet: Sheet, row: SheetRow) -> None:
        """Read one line."""
        columns = sorted(row.cells)
        key, position = row.cells[columns[0]], Place(sheet, row.line, columns[0])
        name = event_field(key)
        if name is None:
            cell = sheet.address(row.line, columns[0])
            self.notes.add(
                Severity.INFO, "sheet-key-unknown", row.line, columns[0], cell=cell, text=shown(key)
            )
        elif len(columns) > 1:
            self._value(name, [(column, row.cells[column]) for column in columns[1:]], position)

    def _value(self, name: str, cells: Sequence[tuple[int, str]], position: Place) -> None:
        column, text = cells[0]
        value: object = text
        for fact in ("first_day", "last_day") if name == "one_day" else (name,):
            self.places.setdefault(fact, (position.sheet, position.line, column))
        if name in _DAYS:
            value = read_cell_day(text, position, column, self.notes)
        elif name in _COUNTS:
            value = digits(text)
        elif name == "round_day":
            value = self._round_day(cells, position)
        elif name in _WORTHS:
            value = self._worth(name, cells)
        elif name == "team":
            value = self._team(cells, position.column)
        elif name == "deputies":
            self.deputies.append(text)
        else:
            value = self.values.setdefault(name, text)
        if value is None and name not in _DAYS:
            cell = position.sheet.address(position.line, column)
            self.notes.add(
                Severity.WARNING, "sheet-value", position.line, column, cell=cell, text=shown(text)
            )
        elif name in _DAYS | _COUNTS:
            self.values.setdefault(name, value)

    def _round_day(self, cells: Sequence[tuple[int, str]], position: Place) -> object:
        number = digits(cells[0][1])
        if number is None or not 1 <= number <= MOST_ROUNDS or len(cells) == 1:
            return None
        day = read_cell_day(cells[1][1], position, cells[1][0], self.notes)
        if day:
            self.days.setdefault(number, day)
            self.day_places.setdefault(number, (position.sheet, position.line, cells[1][0]))
        return number

    def _worth(self, name: str, cells: Sequence[tuple[int, str]]) -> object:
        worth = read_number(cells[1][1]) if len(cells) > 1 else None
        if worth is not None:
            self.values.setdefault(name, {}).setdefault(cells[0][1], worth)
        return worth

    def _team(self, cells: Sequence[tuple[int, str]], start: int) -> object:
        """Read a team: name, members as numbers, and its number if it has one; each may be empty."""
        by_place = {column - start: text for column, text in cells}
        members = tuple(digits(text) for text in by_place.get(2, "").split())
        number = digits(by_place.get(3, ""))
        if None in members or (number is None and 3 in by_place):  # noqa: PLR2004  the third value
            return None
        known_members = tuple(member for member in members if member is not None)
        self.teams.append(Team(by_place.get(1, ""), known_members, number))
        return self.teams[-1]


def dated(rounds: Sequence[Round], days: Mapping[int, date]) -> tuple[Round, ...]:
    """Return the rounds with the days of the lines, which override the days of single games."""
    return tuple(
        Round(cells.opponents, cells.colours, cells.results, days.get(number, cells.day))
        for number, cells in enumerate(rounds, start=1)
    )


def event_rows(report: Report, language: str, *, blank: bool = False) -> Iterator[Sequence[Value]]:
    """Return the lines of a report; with ``blank`` also the common keys without value."""
    header = report.header
    for name in EVENT_KEYS:
        label = heading("event", name, language)
        if name == "team":
            yield from (
                [label, team.name, " ".join(map(str, team.members)), team.number] for team in report.teams
            )
        elif name == "round_day":
            days: list[date | None] = [*(cells.day for cells in report.rounds), *header.days_to_come]
            for number, day in enumerate(days, start=1):
                if day:
                    yield [label, number, day]
        elif name in _WORTHS:
            yield from ([label, code, str(worth)] for code, worth in getattr(header, name).items())
        elif name == "deputies":
            yield from ([label, deputy] for deputy in header.deputies)
        elif getattr(header, name) not in ("", None) or (blank and name in _COMMON):
            yield [label, getattr(header, name)]


_COMMON = frozenset({"name", "city", "federation", "first_day", "last_day", "chief_arbiter", "time_control"})
