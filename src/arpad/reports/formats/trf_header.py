"""Read the lines of a TRF about the tournament: names, days, counts, point systems."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from datetime import date
from fractions import Fraction
from typing import Any

from arpad.model.federations import FEDERATIONS
from arpad.model.rules import Severity
from arpad.reports.formats.findings import Notes
from arpad.reports.formats.trf_columns import (
    CELL_STEP,
    DAYS,
    DEPUTY,
    FIRST_CELL,
    HEADER_LINES,
    HEADER_TEXT,
    MATCH_POINTS,
    MAX_ROUNDS,
    POINT_CODES,
    HeaderLine,
)
from arpad.reports.formats.trf_players import PlayerLine
from arpad.reports.formats.written_values import Day, digits, read_day
from arpad.reports.report import Header

_FIRST_NUMBER = re.compile(r"\d{1,9}(?!\d)", re.ASCII)
_BLANKS = re.compile(r"\s+", re.ASCII)
_VALUES = re.compile(r"((?:(?<![A-Z])[A-Z]++)?) ?=? ?(-?\d{1,6}(?:[.,]\d{1,4})?)", re.ASCII)
"""A code and its value, with single blanks; the lookbehind keeps the search linear in long runs of letters."""

_COLOUR_WORD = re.compile(r"\b(?:(w)(?:hite1?)?|(b)(?:lack1?)?)\b", re.ASCII | re.IGNORECASE)

ByTag = Mapping[str, Sequence[PlayerLine]]


def text_of(line: str) -> str:
    """Return the stripped text after the tag."""
    return line[HEADER_TEXT - 1 :].strip()


def read_header(lines: ByTag, notes: Notes) -> tuple[Header, tuple[date | None, ...]]:
    """Return the header without the days of the rounds, and the days from round one on."""
    days = _read_days(lines.get(DAYS, ()), notes)
    values: dict[str, Any] = {}
    for entry in HEADER_LINES:
        same_tag = lines.get(entry.tag, ())
        if entry.kind != "day" and same_tag:
            _read_entry(entry, same_tag, values, notes)
    values |= _read_bounds(lines, [day for day in days if day], notes)
    values["deputies"] = tuple(text for line in lines.get(DEPUTY, ()) if (text := text_of(line.text)))
    values["points"] = _read_points(lines, notes)
    values["match_points"] = {
        code: value
        for line in lines.get(MATCH_POINTS, ())
        for code, value in _values(line, ("TW", "TD", "TL"), notes)
    }
    federation = values.get("federation")
    if federation and federation not in FEDERATIONS:
        line = lines["032"][0].line
        notes.add(Severity.WARNING, "event-federation-unknown", line, HEADER_TEXT, text=federation)
    return Header(**values), days


def _read_entry(
    entry: HeaderLine, same_tag: Sequence[PlayerLine], values: dict[str, Any], notes: Notes
) -> None:
    if entry.tag != "XXC":
        _note_repeated(same_tag, notes)
    line, text = same_tag[0].line, text_of(same_tag[0].text)
    value: int | str | None = text
    if entry.kind == "count":
        value = _count(line, text, notes)
    elif entry.kind == "colour":
        text = " ".join(text_of(line.text) for line in same_tag)
        colour = _COLOUR_WORD.search(text)
        value = (colour[1] or colour[2]).lower() if colour else ""
    earlier = values.get(entry.field)
    if not earlier:
        values[entry.field] = value
    elif value and value != earlier:
        notes.add(
            Severity.WARNING, "header-contradicts", line, HEADER_TEXT, tag=entry.tag, text=text, other=earlier
        )


def _note_repeated(same_tag: Sequence[PlayerLine], notes: Notes) -> None:
    for again in same_tag[1:]:
        notes.add(
            Severity.WARNING, "header-repeated", again.line, 1, tag=again.text[:3], first=same_tag[0].line
        )


def _count(line: int, text: str, notes: Notes) -> int | None:
    """Return a count; of ``129 (88)`` the first number."""
    if not text:
        return None
    number = digits(text)
    if number is None:
        first = _FIRST_NUMBER.search(text)
        if first is None:
            notes.add(Severity.WARNING, "count-unreadable", line, HEADER_TEXT, text=text)
            return None
        number = int(first[0])
        notes.add(Severity.WARNING, "count-unclear", line, HEADER_TEXT, text=text, read_as=number)
    return number


# ------------------------------------------------------------------------------------------------- days


def _read_bounds(lines: ByTag, round_days: Collection[date], notes: Notes) -> dict[str, date | None]:
    """Return first and last day; each may settle in which order the other is written."""
    texts: dict[str, tuple[int, str, Day]] = {}
    for entry in HEADER_LINES:
        tag_lines = lines.get(entry.tag, ())
        if entry.kind == "day" and tag_lines:
            _note_repeated(tag_lines, notes)
            text = text_of(tag_lines[0].text)
            if text:
                texts[entry.field] = (tag_lines[0].line, text, read_day(text))
    if all(day.usual and len(day.readings) == 1 for _, _, day in texts.values()):
        return {field: day.readings[0] for field, (_, _, day) in texts.items()}
    first, last = _closest(
        *(texts[field][2] if field in texts else Day((), usual=True) for field in ("first_day", "last_day"))
    )
    bounds: dict[str, date | None] = {}
    for field, (line, text, written) in texts.items():
        day, opposite = (first, last) if field == "first_day" else (last, first)
        sensible = [
            reading
            for reading in day.readings
            if len(opposite.readings) != 1
            or (reading <= opposite.readings[0] if field == "first_day" else reading >= opposite.readings[0])
        ]
        narrowed = Day(tuple(sensible) or day.readings, usual=day.usual)
        reading_used, in_doubt = narrowed.nearest(round_days)
        bounds[field] = reading_used
        if reading_used is None:
            notes.add(Severity.WARNING, "date-unreadable", line, HEADER_TEXT, text=text)
        elif in_doubt:
            code, other_day = "date-ambiguous", narrowed.readings[1]
            notes.add(
                Severity.WARNING, code, line, HEADER_TEXT, text=text, read_as=reading_used, other=other_day
            )
        elif not written.usual or reading_used != written.readings[0]:
            notes.add(Severity.INFO, "date-unusual", line, HEADER_TEXT, text=text, read_as=reading_used)
    return bounds


def _closest(first: Day, last: Day) -> tuple[Day, Day]:
    """Return both ends, each with the reading first that makes the shortest tournament."""
    pairs = [(begin, end) for begin in first.readings for end in last.readings if begin <= end]
    if not pairs:
        return first, last
    began, ended = min(pairs, key=lambda pair: pair[1] - pair[0])
    return (
        Day(tuple(dict.fromkeys((began, *first.readings))), first.usual),
        Day(tuple(dict.fromkeys((ended, *last.readings))), last.usual),
    )


def _read_days(lines: Sequence[PlayerLine], notes: Notes) -> tuple[date | None, ...]:
    """Return the days of the rounds: below their cells, or one after the other."""
    days: dict[int, date] = {}
    following = 1
    for line, text in lines:
        for token in re.finditer(r"\S+", text[HEADER_TEXT - 1 :]):
            column = token.start() + HEADER_TEXT
            shift = (column - FIRST_CELL + CELL_STEP // 2) % CELL_STEP - CELL_STEP // 2
            under_cell = column >= FIRST_CELL - 4
            number = (column - shift - FIRST_CELL) // CELL_STEP + 1 if under_cell else following
            if number > MAX_ROUNDS:
                break
            if not under_cell or shift:
                notes.count(Severity.INFO, "round-days-shifted", line, column)
            following = number + 1
            reading = read_day(token[0])
            if not reading.readings:
                notes.add(Severity.WARNING, "date-unreadable", line, column, round=number, text=token[0])
                continue
            if not reading.usual:
                notes.count(Severity.INFO, "round-days-unusual", line, column, round=number)
            days.setdefault(number, reading.readings[0])
    return tuple(days.get(number) for number in range(1, max(days, default=0) + 1))


# ----------------------------------------------------------------------------------------------- points


def _read_points(lines: ByTag, notes: Notes) -> dict[str, Fraction]:
    """Return the point system; of several lines the last one counts."""
    points: dict[str, Fraction] = {}
    for tag, codes in POINT_CODES.items():
        for line in lines.get(tag, ()):
            for code, value in _values(line, codes, notes):
                points.update(dict.fromkeys(codes[code], value))
    return points


def _values(line: PlayerLine, codes: Collection[str], notes: Notes) -> list[tuple[str, Fraction]]:
    """Return pairs of a code and its value."""
    text = line.text[HEADER_TEXT - 1 :]
    single = _BLANKS.sub(" ", text)
    pairs = [(match[1], Fraction(match[2].replace(",", "."))) for match in _VALUES.finditer(single)]
    values = [(code, value) for code, value in pairs if code in codes]
    if len(values) < len(pairs) or _VALUES.sub("", single).strip():
        notes.add(Severity.WARNING, "points-line-unclear", line.line, HEADER_TEXT, text=text.strip())
    return values
