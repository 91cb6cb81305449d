"""Values as lines of a TRF, and what the columns cannot hold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields
from datetime import date
from fractions import Fraction

from arpad.model.exact import decimal_text
from arpad.model.rules import Severity
from arpad.reports.formats.dates import format_birth, format_day, format_short_day
from arpad.reports.formats.fixed_width import Layout, one_line, overlay
from arpad.reports.formats.reader_findings import Notes
from arpad.reports.formats.trf_columns import (
    CELL,
    DAYS,
    MATCH_POINTS,
    NATIONAL,
    PLAYER,
    PLAYER_TAG,
    POINT_CODES,
    POINTS,
    HeaderLine,
    cell_column,
)
from arpad.reports.report import BYES, Entrant, Header, NationalEntry, Report

Cell = tuple[int, str, str]
"""Opponent, colour, result."""

NO_CELL: Cell = (0, " ", " ")
_CUT = frozenset({"name", "federation", "title"})
"""Fields that still say something when they are cut; a number that is cut says something wrong."""

_TOO_LONG: Mapping[str, str] = {
    "name": "name-cut",
    "federation": "federation-cut",
    "title": "title-cut",
    "number": "start-number-left-out",
    "sex": "sex-left-out",
    "rating": "rating-left-out",
    "id": "id-left-out",
    "born": "birth-left-out",
    "half_points": "points-left-out",
    "rank": "rank-left-out",
}


def cell_at(report: Report, place: int, index: int) -> Cell:
    """The cell of the entrant at a place in a round counted from zero; blank where there is none."""
    if index >= len(report.rounds):
        return NO_CELL
    cells = report.rounds[index]
    if place >= len(cells.opponents):
        return NO_CELL
    return cells.opponents[place], cells.colours[place], cells.results[place]


def put_cell(line: str, index: int, cell: Cell) -> str:
    """A player line with the cell of one round written anew."""
    opponent, colour, result = cell
    number = str(opponent) if opponent else "0000" if result in BYES else ""
    text = CELL.put("", "opponent", number)
    text = CELL.put(text, "colour", colour)
    return overlay(line, cell_column(index + 1), CELL.put(text, "result", result))


def put_entrant(
    line: str, entrant: Entrant, names: Iterable[str], notes: Notes, layout: Layout = PLAYER
) -> str:
    """A line with some fields of an entrant written anew."""
    for name in names:
        column = layout.by_name.get(name)
        if column is None:
            continue
        text = one_line(_field_text(entrant, name))
        if len(text) > column.width:
            severity = Severity.WARNING if name in _CUT else Severity.ERROR
            notes.add(severity, _TOO_LONG[name], player=entrant.number, text=text, width=column.width)
            text = text if name in _CUT else ""
        line = layout.put(line, name, text)
    return line


def player_line(report: Report, place: int, notes: Notes) -> str:
    """A whole player line."""
    line = put_entrant(PLAYER_TAG, report.entrants[place], PLAYER.by_name, notes)
    for index in range(len(report.rounds)):
        line = put_cell(line, index, cell_at(report, place, index))
    return line.rstrip()


def national_line(entry: NationalEntry, notes: Notes) -> str:
    """A whole line of a national rating."""
    return put_entrant(entry.body[:3], entry.entrant, NATIONAL.by_name, notes, NATIONAL).rstrip()


def header_line(entry: HeaderLine, header: Header) -> str:
    """A line about the tournament; only its tag where the header says nothing."""
    value = getattr(header, entry.field)
    if isinstance(value, date):
        text = format_day(value)
    elif entry.kind == "colour":
        words = {"w": "white1", "b": "black1"} if entry.tag == "XXC" else {"w": "W", "b": "B"}
        text = words.get(value, value)
    else:
        text = "" if value is None else one_line(str(value))
    return f"{entry.tag} {text}".rstrip()


def round_days(report: Report) -> list[date | None]:
    """The days of all rounds, played or to come."""
    days = [cells.day for cells in report.rounds]
    return [*days, *report.header.days_to_come] if any(days) or report.header.days_to_come else []


def days_line(days: Iterable[date | None]) -> str:
    """The line of round days, each under its cell."""
    line = DAYS
    for number, day in enumerate(days, start=1):
        line = line.ljust(cell_column(number) - 1) + (format_short_day(day) if day else "")
    return line.rstrip()


def points_line(tag: str, points: Mapping[str, Fraction]) -> str | None:
    """What results are worth, in the letters of the line; nothing where they cannot say it."""
    pairs: list[tuple[str, Fraction]] = []
    if tag == MATCH_POINTS:
        pairs = list(points.items())
    else:
        named = POINT_CODES[tag]
        # The letters that set several cases come only into TRF26; the JaVaFo line names every case.
        codes = named if tag == POINTS else {code: cases for code, cases in named.items() if code in cases}
        for code, cases in codes.items():
            values = {points[case] for case in cases if case in points}
            if len(values) > 1:
                return None
            pairs += [(code, value) for value in values]
        if set(points) - {case for cases in codes.values() for case in cases}:
            return None
    texts = [(code, decimal_text(value, places=1)) for code, value in pairs]
    if any(Fraction(text) != value for (_, text), (_, value) in zip(texts, pairs, strict=True)):
        return None
    if tag == POINTS:
        return "162  " + "".join(f"{code}{text:>4}".ljust(9) for code, text in texts).rstrip()
    if tag == MATCH_POINTS:
        return "362 " + "".join(f"{code}{text:>5}".ljust(9) for code, text in texts).rstrip()
    return f"{tag} " + " ".join(f"{code}={text}" for code, text in texts)


def entrant_fields() -> tuple[str, ...]:
    """The fields of an entrant that can change."""
    return tuple(field.name for field in fields(Entrant) if field.name != "line")


def _field_text(entrant: Entrant, name: str) -> str:
    value = getattr(entrant, name)
    if name == "born":
        return format_birth(value)
    if name == "half_points":
        return "" if value is None else decimal_text(Fraction(value, 2), places=1)
    return "" if value is None else str(value)
