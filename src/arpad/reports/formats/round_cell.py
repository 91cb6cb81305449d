"""The cell of a cross-table: opponent, colour, result, written ``12w1``.

    12w1   with White against number 12, won       12b½   with Black, drawn        12w0   lost
    12w+   won by forfeit      12w-   lost by forfeit      12wW 12wD 12wL   decided before both had moved
    12x+   no colour           12?1   colour not known     12w   no result yet
    U  pairing-allocated bye   H  half-point bye   F  full-point bye   Z  zero-point bye, absent   (empty)  nothing

Also read: blanks between the parts and large letters; ``=`` or ``0.5`` for the half; ``+12 =12 -12`` (won, drawn,
lost; colour not known); ``bye``, ``½bye``, ``-``, ``-½``, ``-0`` and similar words. The whole table decides three
things: with an ``n`` for Black anywhere (nero), ``b`` is White (bianco); with a ``2`` among the results, a win counts
two points and ``1`` is a draw, as in draughts; if games have colours and none has a sign before it, ``-1`` is a bye.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from arpad.reports.report import Result


class ParsedCell(NamedTuple):
    """A cell; opponent 0 for none, colour and result in the letters of the report."""

    opponent: int
    colour: str
    result: str


class Habits(NamedTuple):
    """How a table writes what has two spellings."""

    italian_colours: bool = False
    two_points: bool = False
    dash_byes: bool = False


EMPTY = ParsedCell(0, " ", " ")
_GAME = re.compile(r"([0-9]{1,6})\s*+([wbnx?]?)\s*+(½|1/2|0[.,]5|[^\s0-9]|[012])?", re.IGNORECASE)
_SIGNED = re.compile(r"([+=½-])\s*([0-9]{1,6})")
_COLOURS = {"w": "w", "b": "b", "n": "b", "x": "-", "?": " ", "": " "}
_WRITTEN_COLOURS = {"w": "w", "b": "b", "-": "x", " ": "?"}
_HALVES = frozenset({"½", "1/2", "0.5", "0,5", "="})
_SIGNS = {"+": "1", "=": "=", "½": "=", "-": "0"}
_BYES = {
    "U": "u bye pab riposo riposa 1bye bye1 exempt",
    "H": "h ½bye bye½ halfbye half-bye 0.5bye hpb mezzopunto ½ -½ -0.5 -0,5 -1/2",
    "F": "f fullbye full-bye fpb",
    "Z": "z - -- – -0 0bye bye0 zpb absent assente ass out 0 zero",
}
_DASH_BYE = "-1"
_BYE_WORDS = {word: letter for letter, words in _BYES.items() for word in words.split()}
_LETTERS = frozenset(Result) - {Result.NONE}
_DIGITS = frozenset("0123456789")


def habits_of(texts: Iterable[str]) -> Habits | None:
    """Return how a table writes its cells; None if White is written in both languages."""
    colours, results, signed = set(), set(), set()
    for text in texts:
        match = _GAME.fullmatch(text)
        if match:
            colours.add(match[2].lower())
            results.add(match[3])
        elif _SIGNED.fullmatch(text):
            signed.add("".join(text.split()))
    if {"n", "w"} <= colours:
        return None
    dash_byes = bool(colours & set("wbn")) and signed <= {_DASH_BYE, "-0"} and _DASH_BYE in signed
    return Habits("n" in colours, "2" in results, dash_byes)


def read_cell(text: str, habits: Habits) -> ParsedCell | None:
    """Return a cell; None if it cannot be read."""
    text = text.strip()
    if not text:
        return EMPTY
    joined = "".join(text.casefold().split())
    word = "U" if habits.dash_byes and joined == _DASH_BYE else _BYE_WORDS.get(joined)
    if word:
        return ParsedCell(0, "-", word)
    signed = _SIGNED.fullmatch(text)
    if signed:
        return ParsedCell(int(signed[2]), " ", _SIGNS[signed[1]])
    match = _GAME.fullmatch(text)
    if match is None or not (match[2] or match[3] is None):
        return None
    colour = _COLOURS[match[2].lower()]
    if habits.italian_colours and match[2] in ("b", "B"):
        colour = "w"
    return ParsedCell(int(match[1]), colour, _result(match[3], habits))


def _result(text: str | None, habits: Habits) -> str:
    if text is None:
        return Result.NONE
    if habits.two_points and text in ("1", "2"):
        return Result.WIN if text == "2" else Result.DRAW
    if text in _HALVES:
        return Result.DRAW
    return text.upper() if text.upper() in _LETTERS else text


def known(cell: ParsedCell) -> bool:
    """Return whether the result is a letter of ``Result``; any other letter is kept unchanged."""
    return cell.result in _LETTERS or cell.result == Result.NONE


def write_cell(cell: ParsedCell) -> str | None:
    """Return a text that reads back as the same cell; None if there is none."""
    opponent, colour, result = cell
    if cell == EMPTY:
        return ""
    if not opponent and colour == "-" and result in ("U", "H", "F", "Z"):
        return result
    if colour not in _WRITTEN_COLOURS:
        return None
    if result == Result.NONE:
        text = f"{opponent}{_WRITTEN_COLOURS[colour]}"
    else:
        text = f"{opponent}{_WRITTEN_COLOURS[colour]}{'½' if result == Result.DRAW else result}"
    return text if read_cell(text, Habits()) == cell and (result not in _DIGITS or result in "01") else None


def rewrite_cell(text: str, cell: ParsedCell, habits: Habits) -> str | None:
    """Return a text for a cell as its table writes them: of the old text what still holds; None if there is none."""
    for candidate in _rewritings(text.strip(), cell, habits):
        if read_cell(candidate, habits) == cell:
            return candidate
    return None


def _rewritings(text: str, cell: ParsedCell, habits: Habits) -> Iterator[str]:
    """Yield texts that may mean a cell, the one nearest to the old text first."""
    result = _written_result(cell.result, habits)
    match, signed = _GAME.fullmatch(text), _SIGNED.fullmatch(text)
    if match:
        end = match.start(3) if match[3] is not None else len(text)
        yield text[:end] + result
    if signed and cell.result in _SIGNS.values():
        yield next(sign for sign, letter in _SIGNS.items() if letter == cell.result) + text[1:]
    colour = _WRITTEN_COLOURS.get(cell.colour, "")
    if habits.italian_colours:
        colour = {"w": "b", "b": "n"}.get(colour, colour)
    yield f"{cell.opponent}{colour}{result}"


def _written_result(result: str, habits: Habits) -> str:
    if habits.two_points:
        return (
            {Result.WIN: "2", Result.DRAW: "1"}.get(Result(result), result) if result in _LETTERS else result
        )
    return "½" if result == Result.DRAW else result
