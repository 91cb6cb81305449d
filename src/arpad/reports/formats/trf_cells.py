"""Read the rounds of a TRF: the cells of all player lines, one column at a time.

If no cell needs a finding, which is the rule, all rounds are cut at once: without this shortcut reading a report takes
30 % longer (1,000 players and 11 rounds: 13.0 ms instead of 10.0 ms; 100 reports of a month: 102 ms instead of 76 ms).
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Mapping, Sequence
from datetime import date
from itertools import repeat
from typing import NamedTuple, TypeAlias

from arpad.model.rules import Severity
from arpad.reports.formats.findings import Notes
from arpad.reports.formats.trf_columns import CELL_STEP, FIRST_CELL, cell_column, rounds_in
from arpad.reports.formats.trf_players import Block
from arpad.reports.formats.written_values import digits
from arpad.reports.report import MIRROR, Result, Round

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
    rounds = _read_all(block, count) or _read_each(count, _Places(block, numbers, notes))
    dated = (*days[:count], *repeat(None, count - len(days)))
    return tuple(Round(*columns, day) for columns, day in zip(rounds, dated, strict=True))


Columns: TypeAlias = tuple[tuple[int, ...], str, str]
"""Opponents, colours and results of a round."""


# -------------------------------------------------------------------------------------------- cells in order


class _StartNumbers(dict[int, int]):
    """Start numbers by the four bytes of the column as one integer; each is parsed once."""

    def __missing__(self, letters: int) -> int:
        text = letters.to_bytes(len(_OPPONENT), sys.byteorder).decode("ascii")
        number = digits(text.strip() or "0")
        if number is None:
            raise KeyError(text)
        self[letters] = number
        return number


_KNOWN = _StartNumbers()
_LETTERS = _RESULTS.encode("ascii")
_GAME_OR_NOT = bytes.maketrans(_LETTERS, bytes(letter in MIRROR for letter in _RESULTS))


def _read_all(block: Block, count: int) -> list[Columns] | None:
    """Return all rounds; None if a cell needs interpretation or a finding."""
    try:
        cells = "".join([text[FIRST_CELL - 1 :] for text in block.texts]).encode("ascii")
    except UnicodeEncodeError:
        return None
    colours, results = cells[_COLOUR::CELL_STEP], cells[_RESULT::CELL_STEP]
    if colours.translate(None, _COLOURS.encode("ascii")) or results.translate(None, _LETTERS):
        return None
    if any(cells[offset::CELL_STEP].strip() for offset in _BLANK):
        return None
    letters = bytearray(len(_OPPONENT) * len(results))
    for offset in _OPPONENT:
        letters[offset :: len(_OPPONENT)] = cells[offset::CELL_STEP]
    try:
        opponents = tuple(map(_KNOWN.__getitem__, memoryview(letters).cast("I").tolist()))
    except KeyError:
        return None
    if bytes(map(bool, opponents)) != results.translate(_GAME_OR_NOT):
        return None  # a game without opponent or without result, a bye with an opponent
    colour, result = colours.decode("ascii"), results.decode("ascii")
    return [(opponents[index::count], colour[index::count], result[index::count]) for index in range(count)]


# --------------------------------------------------------------------------------------------- round by round


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


def _read_each(count: int, places: _Places) -> list[Columns]:
    start_numbers = _Opponents()
    return [_read_round(number, start_numbers, places) for number in range(1, count + 1)]


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
