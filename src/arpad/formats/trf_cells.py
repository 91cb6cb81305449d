"""The rounds of a TRF: the cells of all player lines, a column of them at a time."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from arpad.formats.notes import Notes
from arpad.formats.trf_columns import CELL_STEP, FIRST_CELL, cell_column, rounds_in
from arpad.formats.trf_players import Block, digits
from arpad.model import Severity
from arpad.report import Result, Round

_COLOURS, _SMALL = "wb- ", str.maketrans("WB", "wb")
_RESULTS, _CAPITAL = "".join(Result), str.maketrans("wdlhfuz", "WDLHFUZ")
_OLD_BYES: Mapping[str, str] = {"+": "F", "1": "F", "=": "H", "-": "Z", "0": "Z"}
"""A result without opponent: a bye written as before 2016."""


_USUAL: Mapping[str, int] = {"    ": 0, "0000": 0} | {f"{number:>4}": number for number in range(1, 1000)}
"""What stands in nearly all cells; the others are read one by one."""


class _Opponents(dict[str, int]):
    """Start numbers by the text of the column, each text read once."""

    def __init__(self) -> None:
        super().__init__({"    ": 0, "0000": 0})
        self.unreadable: set[str] = set()

    def __missing__(self, text: str) -> int:
        number = digits(text.strip() or "0")
        if number is None:
            self.unreadable.add(text)
        self[text] = number or 0
        return number or 0


def read_rounds(block: Block, numbers: Sequence[int], notes: Notes) -> tuple[Round, ...]:
    """The rounds of all players, each as columns."""
    count = (block.width - FIRST_CELL + 1) // CELL_STEP
    _note_short(block, numbers, count, notes)
    known = _Opponents()
    places = _Places(block, numbers, notes)
    return tuple(_read_round(number, known, places) for number in range(1, count + 1))


class _Places(NamedTuple):
    """What a remark about a cell needs."""

    block: Block
    numbers: Sequence[int]
    notes: Notes

    def add(
        self, place: int, round_number: int, offset: int, severity: Severity, code: str, text: str
    ) -> None:
        line, column = self.block.lines[place], cell_column(round_number) + offset
        self.notes.add(
            severity, code, line, column, player=self.numbers[place], round=round_number, text=text
        )


def _read_round(number: int, known: _Opponents, places: _Places) -> Round:
    block, first = places.block, cell_column(number)
    start, end = first - 1, first + 3
    texts = [line[start:end] for line in block.texts]
    try:
        opponents = tuple(map(_USUAL.__getitem__, texts))
    except KeyError:
        opponents = tuple(map(known.__getitem__, texts))
    if known.unreadable:
        _note_opponents(number, texts, known.unreadable, places)
    colours, results = block.column(first + 5), block.column(first + 7)
    if colours.strip(_COLOURS):
        colours = colours.translate(_SMALL)
        _note_odd(colours, _COLOURS, number, 5, "colour-unknown", places)
    if results.strip(_RESULTS):
        results = results.translate(_CAPITAL)
        _note_odd(results, _RESULTS, number, 7, "result-unknown", places)
    for offset in (4, 6, 8, 9):
        between = block.column(first + offset)
        if between.strip():
            _note_odd(between, " ", number, offset, "cell-shifted", places)
    if 0 in opponents:
        results = _modern_byes(number, opponents, results, places)
    if " " in results:
        _note_unfinished(number, opponents, results, places)
    return Round(opponents, colours, results)


def _note_opponents(number: int, texts: Sequence[str], unreadable: Collection[str], places: _Places) -> None:
    for place, text in enumerate(texts):
        if text in unreadable:
            places.add(place, number, 0, Severity.ERROR, "opponent-unreadable", text.strip())


def _note_unfinished(number: int, opponents: Sequence[int], results: str, places: _Places) -> None:
    for place, (opponent, result) in enumerate(zip(opponents, results, strict=True)):
        if opponent and result == " ":
            places.add(place, number, 7, Severity.INFO, "result-missing", str(opponent))


def _note_odd(column: str, usual: str, number: int, offset: int, code: str, places: _Places) -> None:
    for place, letter in enumerate(column):
        if letter not in usual:
            severity = Severity.INFO if letter == "*" else Severity.WARNING
            places.add(place, number, offset, severity, code, letter)


def _modern_byes(number: int, opponents: Sequence[int], results: str, places: _Places) -> str:
    """Results without opponent as the byes they stand for; one finding per letter counts them."""
    letters = list(results)
    for place, opponent in enumerate(opponents):
        if not opponent and (letter := letters[place]) in _OLD_BYES:
            letters[place] = _OLD_BYES[letter]
            places.notes.count(
                Severity.INFO,
                "bye-old-style",
                places.block.lines[place],
                cell_column(number) + 7,
                player=places.numbers[place],
                round=number,
                letter=letter,
                read_as=letters[place],
            )
    return "".join(letters)


def _note_short(block: Block, numbers: Sequence[int], count: int, notes: Notes) -> None:
    """Lines that end before the last round: read as absences, which is what a blank cell means."""
    if not count or min(block.ends) >= cell_column(count):
        return
    for line, number, end in zip(block.lines, numbers, block.ends, strict=True):
        if end < cell_column(count):
            missing = rounds_in(end) + 1
            notes.count(
                Severity.INFO, "cells-missing", line, cell_column(missing), player=number, round=missing
            )
