"""Tournament reports in FIDE's format: TRF16 and its predecessor, TRFx, TRF26.

Reading keeps every line; writing back changes only the lines of changed values.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import date
from itertools import repeat
from typing import NamedTuple, TypeAlias

from arpad.model.errors import Unreadable
from arpad.model.federations import FEDERATIONS
from arpad.model.rules import Finding, Severity
from arpad.reports.formats.encoding import read_text
from arpad.reports.formats.findings import Notes, first_few
from arpad.reports.formats.trf_columns import (
    CELL_STEP,
    EXTENSIONS,
    FIRST_CELL,
    KNOWN,
    NATIONAL,
    ONLY_TRF26,
    PLAYER,
    PLAYER_TAG,
    cell_column,
    rounds_in,
)
from arpad.reports.formats.trf_header import read_header
from arpad.reports.formats.trf_players import Block, PlayerLine, player_block, read_entrants
from arpad.reports.formats.trf_records import read_records, read_teams
from arpad.reports.formats.trf_write import write_anew, write_back
from arpad.reports.formats.written_values import digits
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
    places, start_numbers = _Places(block, numbers, notes), _Opponents()
    rounds = [_read_round(number, start_numbers, places) for number in range(1, count + 1)]
    dated = (*days[:count], *repeat(None, count - len(days)))
    return tuple(Round(*columns, day) for columns, day in zip(rounds, dated, strict=True))


Columns: TypeAlias = tuple[tuple[int, ...], str, str]
"""Opponents, colours and results of a round."""


class _Opponents(dict[str, int]):
    """Start numbers by the text of the column; each text is parsed once."""

    def __init__(self) -> None:
        super().__init__({"    ": 0, "0000": 0})
        self.unreadable: set[str] = set()

    def __missing__(self, text: str) -> int:
        number = digits(text.strip() or "0")
        if number is None:
            self.unreadable.add(text)
        self[text] = number or 0
        return number or 0


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


def _read_round(number: int, start_numbers: _Opponents, places: _Places) -> Columns:
    block, first = places.block, cell_column(number)
    start, end = first - 1, first - 1 + len(_OPPONENT)
    texts = [line[start:end] for line in block.texts]
    opponents = tuple(map(start_numbers.__getitem__, texts))
    if start_numbers.unreadable:
        _note_opponents(number, texts, start_numbers.unreadable, places)
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


def _note_opponents(number: int, texts: Sequence[str], unreadable: Collection[str], places: _Places) -> None:
    for index, text in enumerate(texts):
        if text in unreadable:
            places.add(index, number, 0, Severity.ERROR, "opponent-unreadable", text.strip())


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
