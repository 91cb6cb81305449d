"""The player lines of a TRF, read column by column: entrants from the fixed part, rounds from the cells.

Whole columns are cut and checked at once; a single line is looked at only where a column holds something odd.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from itertools import repeat
from typing import Any, NamedTuple

from arpad.errors import Unreadable
from arpad.formats.columns import Column, Layout
from arpad.formats.dates import read_birth
from arpad.formats.federations import FEDERATIONS
from arpad.formats.notes import Notes
from arpad.formats.trf_columns import (
    CELL_STEP,
    FIRST_CELL,
    MAX_PLAYERS,
    MAX_ROUNDS,
    PLAYER,
    cell_column,
    rounds_in,
)
from arpad.model import Severity
from arpad.report import Entrant, Result, Round

TITLES = frozenset({"GM", "IM", "FM", "CM", "WGM", "WIM", "WFM", "WCM"})
OLD_TITLES: Mapping[str, str] = {
    "g": "GM", "m": "IM", "f": "FM", "c": "CM", "wg": "WGM", "wm": "WIM", "wf": "WFM", "wc": "WCM",
}  # fmt: skip
"""Titles as reports wrote them before 2016."""

_SEX: Mapping[str, str] = {" ": "", "": "", "m": "m", "M": "m", "w": "w", "W": "w"}
_BLANK = frozenset(" ")
_COLOURS, _SMALL = frozenset("wb- "), str.maketrans("WB", "wb")
_RESULTS, _CAPITAL = frozenset(Result), str.maketrans("wdlhfuz", "WDLHFUZ")
_OLD_BYES: Mapping[str, str] = {"+": "F", "1": "F", "=": "H", "-": "Z", "0": "Z"}
"""A result without opponent: a bye written as before 2016."""


_LONGEST = 15


class Problem(NamedTuple):
    """What is wrong with a field; ``counted`` where one finding speaks for all."""

    severity: Severity
    code: str
    counted: bool = False


class PlayerLine(NamedTuple):
    """A line of the file with its number."""

    line: int
    text: str


Reading = tuple[Any, Problem | None]


def read_entrants(lines: Sequence[PlayerLine], layout: Layout, notes: Notes) -> tuple[Entrant, ...]:
    """The fixed part of player lines, or of lines that share their columns."""
    if len(lines) > MAX_PLAYERS:
        raise Unreadable("too-many-players", line=lines[MAX_PLAYERS].line, column=1, limit=MAX_PLAYERS)
    if not lines:
        return ()
    cut = list(zip(*(layout.cut(line.text) for line in lines), strict=True))
    raw = dict(zip((column.name for column in layout.columns), cut, strict=True))
    numbers = _read(layout.by_name["number"], raw["number"], lines, (), notes)
    values = {
        column.name: _read(column, raw[column.name], lines, numbers, notes) for column in layout.columns[1:]
    }
    _note_gaps(layout, lines, numbers, notes)
    nothing: repeat[None] = repeat(None)
    return tuple(
        map(
            Entrant,
            numbers,
            values["name"],
            values["rating"],
            values["sex"],
            values["title"],
            values["federation"],
            values["id"],
            values["born"],
            values.get("half_points", nothing),
            values.get("rank", nothing),
            nothing,
            [line.line for line in lines],
        )
    )


def _read(
    column: Column, raw: Sequence[str], lines: Sequence[PlayerLine], numbers: Sequence[int], notes: Notes
) -> list[Any]:
    """One column: every different text is read once."""
    reader = _READERS[column.name]
    readings = {text: reader(text) for text in set(raw)}
    odd = {text: problem for text, (_, problem) in readings.items() if problem}
    if odd:
        for place, text in enumerate(raw):
            if text in odd:
                severity, code, counted = odd[text]
                note = notes.count if counted else notes.add
                player = numbers[place] if numbers else None
                facts = {} if counted else {"text": text.strip()}
                note(severity, code, lines[place].line, column.first, player=player, **facts)
    values = {text: value for text, (value, _) in readings.items()}
    return [values[text] for text in raw]


def _note_gaps(layout: Layout, lines: Sequence[PlayerLine], numbers: Sequence[int], notes: Notes) -> None:
    """Blank columns that are not blank: a field ran over, or the whole line is shifted."""
    gaps = layout.gaps if layout is not PLAYER else (4, *layout.gaps, FIRST_CELL - 2, FIRST_CELL - 1)
    for column in gaps:
        if "".join([text[column - 1 : column] for _, text in lines]).strip():
            for (line, text), number in zip(lines, numbers, strict=True):
                if text[column - 1 : column].strip():
                    notes.add(Severity.WARNING, "column-not-blank", line, column, player=number)


# --------------------------------------------------------------------------------------------- one field


def digits(text: str) -> int | None:
    """A whole number without sign in plain digits, or nothing (also where it is absurdly long)."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _LONGEST else None


def _number(text: str) -> Reading:
    number = digits(text.strip())
    return (number, None) if number else (0, Problem(Severity.ERROR, "start-number-unreadable"))


def _sex(text: str) -> Reading:
    if text in _SEX:
        return _SEX[text], None
    if text in "fF":
        return "w", Problem(Severity.INFO, "sex-old-style", counted=True)
    return "", Problem(Severity.WARNING, "sex-unknown")


def _title(text: str) -> Reading:
    title = text.strip()
    if not title or title in TITLES:
        return title, None
    if title.lower() in OLD_TITLES:
        return OLD_TITLES[title.lower()], Problem(Severity.INFO, "titles-old-style", counted=True)
    if title.upper() in TITLES:
        return title.upper(), None
    return title, Problem(Severity.WARNING, "title-unknown")


def _name(text: str) -> Reading:
    name = text.strip()
    if not name:
        return "", Problem(Severity.WARNING, "name-missing")
    full = len(text) == PLAYER.by_name["name"].width and not text[-1].isspace()
    return name, Problem(Severity.INFO, "name-may-be-cut") if full else None


def _rating(text: str) -> Reading:
    rating = digits(text.strip() or "0")
    if rating is None:
        return None, Problem(Severity.WARNING, "rating-unreadable")
    return rating or None, None


def _federation(text: str) -> Reading:
    code = text.strip()
    known = not code or code in FEDERATIONS
    return code, None if known else Problem(Severity.WARNING, "federation-unknown")


def _id(text: str) -> Reading:
    number = text.strip()
    if not number.strip("0"):
        return "", None
    if number.isascii() and number.isdigit():
        return number, None
    inside = number.strip("'\"")
    if digits(inside):
        return inside, Problem(Severity.WARNING, "id-quoted")
    return number, Problem(Severity.WARNING, "id-not-a-number")


def _born(text: str) -> Reading:
    if text[4:5] == "/" == text[7:8] and text[5:7] != "00":
        try:
            return date.fromisoformat(text.replace("/", "-")), None
        except ValueError:
            pass
    born, readable = read_birth(text)
    return born, None if readable else Problem(Severity.WARNING, "birth-unreadable")


def half_points(text: str) -> int | None:
    """Points in decimals, counted in halves; nothing where they are no multiple of a half."""
    whole, _, rest = text.strip().replace(",", ".").partition(".")
    halves = {"": 0, "0": 0, "5": 1, "00": 0, "50": 1}.get(rest)
    number = digits(whole or "0")
    return None if number is None or halves is None else 2 * number + halves


def _half_points(text: str) -> Reading:
    if not text.strip():
        return None, None
    halves = half_points(text)
    return halves, None if halves is not None else Problem(Severity.WARNING, "points-unreadable")


def _rank(text: str) -> Reading:
    rank = text.strip()
    if not rank:
        return None, Problem(Severity.INFO, "rank-missing", counted=True)
    number = digits(rank)
    return number, None if number is not None else Problem(Severity.WARNING, "rank-unreadable")


_READERS: Mapping[str, Callable[[str], Reading]] = {
    "number": _number,
    "sex": _sex,
    "title": _title,
    "name": _name,
    "rating": _rating,
    "federation": _federation,
    "id": _id,
    "born": _born,
    "half_points": _half_points,
    "rank": _rank,
}


# -------------------------------------------------------------------------------------------- the cells


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


def read_rounds(lines: Sequence[PlayerLine], numbers: Sequence[int], notes: Notes) -> tuple[Round, ...]:
    """The rounds of all players, each as columns."""
    bodies = [text.rstrip() for _, text in lines]
    longest = max(bodies, key=len, default="")
    count = rounds_in(len(longest))
    if count > MAX_ROUNDS:
        line = lines[bodies.index(longest)].line
        raise Unreadable("too-many-rounds", line=line, column=cell_column(MAX_ROUNDS + 1), limit=MAX_ROUNDS)
    width = FIRST_CELL - 1 + CELL_STEP * count
    padded = [body.ljust(width) for body in bodies]
    _note_short(lines, numbers, bodies, count, notes)
    # One long text: the same column of all lines is then a single stride through it.
    block, known = "".join(padded), _Opponents()
    return tuple(
        _read_round(number, padded, block, known, _Places(lines, numbers, notes))
        for number in range(1, count + 1)
    )


class _Places(NamedTuple):
    """What a remark about a cell needs."""

    lines: Sequence[PlayerLine]
    numbers: Sequence[int]
    notes: Notes

    def add(self, place: int, round_number: int, offset: int, severity: Severity, code: str, text: str) -> None:
        line, column = self.lines[place].line, cell_column(round_number) + offset
        self.notes.add(severity, code, line, column, player=self.numbers[place], round=round_number, text=text)


def _read_round(
    number: int, padded: Sequence[str], block: str, known: _Opponents, places: _Places
) -> Round:
    start, width = cell_column(number) - 1, len(padded[0])
    texts = [line[start : start + 4] for line in padded]
    opponents = list(map(known.__getitem__, texts))
    colours = block[start + 5 :: width].translate(_SMALL)
    results = block[start + 7 :: width].translate(_CAPITAL)
    if known.unreadable and not known.unreadable.isdisjoint(texts):
        for place, text in enumerate(texts):
            if text in known.unreadable:
                places.add(place, number, 0, Severity.ERROR, "opponent-unreadable", text.strip())
    _note_odd(colours, _COLOURS, number, 5, "colour-unknown", places)
    _note_odd(results, _RESULTS, number, 7, "result-unknown", places)
    for offset in (4, 6, 8, 9):
        between = block[start + offset :: width]
        if between.strip():
            _note_odd(between, _BLANK, number, offset, "cell-shifted", places)
    if 0 in opponents:
        results = _modern_byes(number, opponents, results, places)
    if " " in results:
        for place, (opponent, result) in enumerate(zip(opponents, results, strict=True)):
            if opponent and result == " ":
                places.add(place, number, 7, Severity.INFO, "result-missing", str(opponent))
    return Round(tuple(opponents), colours, results)


def _note_odd(
    column: str, usual: frozenset[str], number: int, offset: int, code: str, places: _Places
) -> None:
    if not usual.issuperset(column):
        severity = Severity.INFO if code == "result-unknown" and set(column) - usual == {"*"} else Severity.WARNING
        for place, letter in enumerate(column):
            if letter not in usual:
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
                places.lines[place].line,
                cell_column(number) + 7,
                player=places.numbers[place],
                round=number,
                letter=letter,
                read_as=letters[place],
            )
    return "".join(letters)


def _note_short(
    lines: Sequence[PlayerLine], numbers: Sequence[int], bodies: Sequence[str], count: int, notes: Notes
) -> None:
    """Lines that end before the last round: read as absences, which is what a blank cell means."""
    reach = FIRST_CELL + CELL_STEP * (count - 1)
    for (line, _), number, body in zip(lines, numbers, bodies, strict=True):
        if len(body) < reach:
            missing = rounds_in(len(body)) + 1
            notes.count(
                Severity.INFO, "cells-missing", line, cell_column(missing), player=number, round=missing
            )
