"""``arpad office draughts``: the tables of the records, with categories and kinds of entries in words."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

from arpad.cli.common import console, table
from arpad.cli.declared import command_of
from arpad.explain.words import Words
from arpad.model.exact import decimal_text
from arpad.office.draughts import acts

_NUMBERS = ("player", "year", "points", "total", "capital", "left", "threshold", "rating", "factor")
_IN_WORDS = {"held": "category", "reached": "category", "kind": "record-kind"}


def _print(columns: Sequence[str], rows: Iterable[Sequence[Any]], words: Words) -> None:
    cells = [[_cell(name, value, words) for name, value in zip(columns, row, strict=True)] for row in rows]
    if not cells:
        console().print(words.text("rubele.none"))
        return
    headings = [
        (words.text(f"record-column.{name}"), "right" if name in _NUMBERS else "left") for name in columns
    ]
    console().print(table(headings, cells))


def _cell(column: str, value: Any, words: Words) -> str:
    if value is None:
        return "–"
    if column in _IN_WORDS:
        return words.text(f"{_IN_WORDS[column]}.{value}")
    return decimal_text(value) if isinstance(value, Fraction) else str(value)


def _show_points(register: acts.Points, words: Words) -> None:
    _print(acts.POINTS, register.rows(), words)


def _show_promotions(found: acts.Promotions, words: Words) -> None:
    rows = [[getattr(it, name) for name in acts.PROMOTIONS] for it in found.promotions]
    _print(acts.PROMOTIONS, rows, words)


def _show_fmjd(found: acts.FmjdRatings, words: Words) -> None:
    rows = [[getattr(it, name) for name in acts.RATINGS] for it in found.players]
    _print(acts.RATINGS, rows, words)


COMMANDS = {
    "draughts points": command_of(acts.points, _show_points),
    "draughts promotions": command_of(acts.promotions, _show_promotions),
    "draughts fmjd": command_of(acts.fmjd, _show_fmjd),
}
