"""Tournament reports in FIDE's format: TRF16 and its predecessor, TRFx, TRF26.

Reading keeps every line; writing back changes only the lines of changed values.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import date
from fractions import Fraction
from functools import lru_cache
from itertools import repeat
from typing import Any, NamedTuple, TypeAlias

from arpad.model.errors import Unreadable
from arpad.model.federations import FEDERATIONS
from arpad.model.rules import Finding, Severity
from arpad.reports.formats.encoding import read_text
from arpad.reports.formats.findings import Notes, first_few
from arpad.reports.formats.trf_columns import (
    CELL_STEP,
    DAYS,
    DEPUTY,
    EXTENSIONS,
    FIRST_CELL,
    HEADER_LINES,
    HEADER_TEXT,
    KNOWN,
    MATCH_POINTS,
    MAX_ROUNDS,
    NATIONAL,
    ONLY_TRF26,
    PLAYER,
    PLAYER_TAG,
    POINT_CODES,
    HeaderLine,
    cell_column,
    rounds_in,
)
from arpad.reports.formats.trf_map import TrfMap
from arpad.reports.formats.trf_players import Block, PlayerLine, player_block, read_entrants
from arpad.reports.formats.trf_records import read_records, read_teams
from arpad.reports.formats.trf_write import write_anew, write_back
from arpad.reports.formats.written_values import Day, digits, read_day
from arpad.reports.report import Entrant, Header, NationalEntry, Report, Result, Round

_COLOURS, _SMALL = "wb- ", str.maketrans("WB", "wb")
_RESULTS, _CAPITAL = "".join(Result), str.maketrans("wdlhfuz", "WDLHFUZ")
_OLD_BYES: Mapping[str, str] = {"+": "F", "1": "F", "=": "H", "-": "Z", "0": "Z"}
"""Results without opponent: byes as written before 2016."""

_OPPONENT, _COLOUR, _RESULT, _BLANK = range(4), 5, 7, (4, 6, 8, 9)
"""Offsets in a cell."""


def read_rounds(
    block: Block, numbers: Sequence[int], days: Sequence[date | None], notes: Notes
) -> tuple[Round, ...]:
    """Return the rounds of all players as columns; ``days`` are those of the first rounds."""
    count = (block.width - FIRST_CELL + 1) // CELL_STEP
    _note_short(block, numbers, count, notes)
    places = _Places(block, numbers, notes)
    rounds = [_read_round(number, places) for number in range(1, count + 1)]
    dated = (*days[:count], *repeat(None, count - len(days)))
    return tuple(Round(*columns, day) for columns, day in zip(rounds, dated, strict=True))


Columns: TypeAlias = tuple[tuple[int, ...], str, str]
"""Opponents, colours and results of a round."""


@lru_cache(maxsize=16_384)
def _start_number(text: str) -> int | None:
    """Return the start number in the column of opponents: 0 for none, None if it cannot be read."""
    return digits(text.strip() or "0")


class _Places(NamedTuple):
    """Data for findings about cells."""

    block: Block
    numbers: Sequence[int]
    notes: Notes

    def add(
        self, index: int, round_number: int, offset: int, severity: Severity, code: str, text: str
    ) -> None:
        line, column = self.block.lines[index], cell_column(round_number) + offset
        self.notes.add(
            severity, code, line, column, player=self.numbers[index], round=round_number, text=text
        )


def _read_round(number: int, places: _Places) -> Columns:
    block, first = places.block, cell_column(number)
    start, end = first - 1, first - 1 + len(_OPPONENT)
    texts = [line[start:end] for line in block.texts]
    start_numbers = [*map(_start_number, texts)]
    if None in start_numbers:
        for index in [index for index, opponent in enumerate(start_numbers) if opponent is None]:
            places.add(index, number, 0, Severity.ERROR, "opponent-unreadable", texts[index].strip())
    opponents = tuple([opponent or 0 for opponent in start_numbers])
    colours, results = block.column(first + _COLOUR), block.column(first + _RESULT)
    if colours.strip(_COLOURS):
        colours = colours.translate(_SMALL)
        _note_odd(colours, _COLOURS, number, _COLOUR, "colour-unknown", places)
    if results.strip(_RESULTS):
        results = results.translate(_CAPITAL)
        _note_odd(results, _RESULTS, number, _RESULT, "result-unknown", places)
    for offset in _BLANK:
        between = block.column(first + offset)
        if between.strip():
            _note_odd(between, " ", number, offset, "cell-shifted", places)
    if 0 in opponents:
        results = _modern_byes(number, opponents, results, places)
    if " " in results:
        _note_unfinished(number, opponents, results, places)
    return opponents, colours, results


def _note_unfinished(number: int, opponents: Sequence[int], results: str, places: _Places) -> None:
    for index, (opponent, result) in enumerate(zip(opponents, results, strict=True)):
        if opponent and result == " ":
            places.add(index, number, _RESULT, Severity.ERROR, "result-missing", str(opponent))


def _note_odd(column: str, usual: str, number: int, offset: int, code: str, places: _Places) -> None:
    for index, letter in enumerate(column):
        if letter not in usual:
            severity = Severity.ERROR if letter == "*" else Severity.WARNING
            places.add(index, number, offset, severity, code, letter)


def _modern_byes(number: int, opponents: Sequence[int], results: str, places: _Places) -> str:
    """Replace results without opponent by byes; one finding per letter counts them."""
    letters = list(results)
    for index, opponent in enumerate(opponents):
        if not opponent and (letter := letters[index]) in _OLD_BYES:
            letters[index] = _OLD_BYES[letter]
            places.notes.count(
                Severity.INFO,
                "bye-old-style",
                places.block.lines[index],
                cell_column(number) + _RESULT,
                player=places.numbers[index],
                round=number,
                letter=letter,
                read_as=letters[index],
            )
    return "".join(letters)


def _note_short(block: Block, numbers: Sequence[int], count: int, notes: Notes) -> None:
    """Report lines that end before the last round; missing cells are read as absences, like blank ones."""
    if not count or min(block.ends) >= cell_column(count):
        return
    for line, number, end in zip(block.lines, numbers, block.ends, strict=True):
        if end < cell_column(count):
            missing = rounds_in(end) + 1
            notes.count(
                Severity.INFO, "cells-missing", line, cell_column(missing), player=number, round=missing
            )


_RULER = re.compile(r"(?:(\w)\1\1|III|123|   )[\s\w/]*")
FOREIGN_TAGS = frozenset({"142", "152", "162", "172", "182", "192"})
"""Tags that another program uses for lines of its own, which have bars in them."""


def read(data: bytes, name: str = "") -> Report:  # noqa: ARG001 (all readers are called alike)
    """Return the report in a TRF (9.1)."""
    text = read_text(data)
    return read_lines(text.lines, text.encoding, text.findings)


def read_lines(source: Sequence[str], encoding: str = "utf-8", findings: Sequence[Finding] = ()) -> Report:
    """Return the report in decoded lines."""
    notes = Notes(list(findings))
    numbers, lines, national = _sorted_by_tag(source, notes)
    if not numbers:
        raise Unreadable("no-players", line=1, column=1)
    players = player_block(numbers, [source[number - 1] for number in numbers])
    header, days = read_header(lines, notes)
    entrants = read_entrants(players, PLAYER, notes)
    rounds = read_rounds(players, [entrant.number for entrant in entrants], days, notes)
    _note_missing_numbers(entrants, notes)
    _note_surplus(players, entrants, header, len(rounds), notes)
    to_come = days[len(rounds) :]
    return Report(
        header=replace(header, days_to_come=to_come) if to_come else header,
        entrants=entrants,
        rounds=rounds,
        teams=read_teams(lines, notes),
        format=variant(lines, national=bool(national)),
        source=tuple(source),
        national=_read_national(national, notes),
        records=read_records(lines, notes),
        encoding=encoding,
        findings=notes.all(),
        file_map=TrfMap(source),
    )


def write(report: Report, format: str) -> tuple[bytes, tuple[Finding, ...]]:  # noqa: A002 (as in the registry)
    """Return the bytes of a variant of TRF, and findings about what it cannot express (9.1)."""
    if report.source and report.format == format:
        return write_back(report, read_lines(report.source, report.encoding))
    return write_anew(report, format)


# ------------------------------------------------------------------------------------------------- lines


def _sorted_by_tag(
    source: Sequence[str], notes: Notes
) -> tuple[list[int], dict[str, list[PlayerLine]], list[PlayerLine]]:
    """Return the numbers of the player lines, the other known lines by tag, and the national ratings."""
    players: list[int] = []
    lines: defaultdict[str, list[PlayerLine]] = defaultdict(list)
    national: list[PlayerLine] = []
    for number, line in enumerate(source, start=1):
        tag = line[:3]
        if tag == PLAYER_TAG:
            players.append(number)
            continue
        body = line.rstrip("\r\n")
        if tag in KNOWN and not (tag in FOREIGN_TAGS and "|" in body):
            lines[tag].append(PlayerLine(number, body))
        elif tag in FEDERATIONS and digits(body[4:8].strip()) is not None:
            national.append(PlayerLine(number, body))
        elif _says_something(body):
            notes.count(Severity.WARNING, "line-unknown", number, 1, tag=tag)
    return players, dict(lines), national


def _says_something(body: str) -> bool:
    """Return whether a line is more than a comment, a blank or a ruler of columns."""
    text = body.strip(" \t\x1a\f\v")
    return bool(text) and not body.startswith("#") and not _RULER.fullmatch(body)


def variant(lines: Mapping[str, Sequence[PlayerLine]], *, national: bool) -> str:
    """Return the variant of TRF that has these lines."""
    tags = frozenset(lines)
    if national or tags & ONLY_TRF26:
        return "trf26"
    return "trfx" if tags & EXTENSIONS else "trf16"


def _read_national(lines: list[PlayerLine], notes: Notes) -> tuple[NationalEntry, ...]:
    """Return the national ratings, without findings about them."""
    block = player_block([line for line, _ in lines], [text for _, text in lines])
    entrants = read_entrants(block, NATIONAL, Notes())
    for line, entrant in zip(lines, entrants, strict=True):
        notes.count(
            Severity.INFO, "national-ratings", line.line, 1, player=entrant.number, body=line.text[:3]
        )
    return tuple(NationalEntry(line.text[:3], entrant) for line, entrant in zip(lines, entrants, strict=True))


# -------------------------------------------------------------------------------------- the whole at a glance


def _note_missing_numbers(entrants: Sequence[Entrant], notes: Notes) -> None:
    """Report start numbers that are missing below the highest one."""
    numbers = {entrant.number for entrant in entrants} - {0}
    if len(numbers) == max(numbers, default=0):
        return
    missing = [number for number in range(1, max(numbers)) if number not in numbers]
    after = next(entrant for entrant in entrants if entrant.number > missing[0])
    notes.add(
        Severity.WARNING,
        "start-numbers-missing",
        after.line,
        5,
        count=len(missing),
        numbers=first_few(missing),
    )


def _note_surplus(
    players: Block, entrants: Sequence[Entrant], header: Header, rounds: int, notes: Notes
) -> None:
    """Report cells after the last declared round."""
    declared = header.rounds
    if not declared or rounds <= declared:
        return
    for line, end, entrant in zip(players.lines, players.ends, entrants, strict=True):
        if rounds_in(end) > declared:
            column = cell_column(declared + 1)
            notes.count(
                Severity.WARNING, "cells-surplus", line, column, player=entrant.number, declared=declared
            )


# --------------------------------------------------------------------------------------------- the header
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
