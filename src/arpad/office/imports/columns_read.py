"""The columns of a list as they were read: what they hold, how often they are empty, and what looks odd.

So somebody who takes a list over sees that a column was read as another one, before anything is stored.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

import polars as pl

from arpad.model.federations import known_federation
from arpad.reports.formats.trf_players import TITLES

SHOWN = ("id", "number", "name", "federation", "sex", "title", "women_title", "rating", "games", "k", "born")
"""The columns that a preview shows, in the order of a list."""

EXAMPLES = 3
LOWEST, HIGHEST = 400, 2900
"""Hardly anybody has a rating outside."""

YOUNGEST, OLDEST = 4, 105


@dataclass(frozen=True, slots=True)
class ColumnRead:
    """A column of a list: how many of its cells are filled, empty and odd, with its first values."""

    column: str
    filled: int
    empty: int
    odd: int
    examples: tuple[str, ...]
    odd_examples: tuple[str, ...]


def columns_read(rows: pl.DataFrame, day: date, home: str) -> tuple[ColumnRead, ...]:
    """Return the columns of a list that have a value anywhere; the name and the rating in any case."""
    found = (_column(name, rows[name], day, home) for name in SHOWN)
    return tuple(it for it in found if it.filled or it.column in {"name", "rating"})


def _column(name: str, cells: pl.Series, day: date, home: str) -> ColumnRead:
    texts = cells.cast(pl.String)
    filled = texts.filter((texts != "").fill_null(value=False))
    odd = filled.filter(~_is_usual(name, filled, day, home))
    return ColumnRead(
        name, filled.len(), cells.len() - filled.len(), odd.len(), tuple(filled.head(EXAMPLES)),
        tuple(odd.unique(maintain_order=True).head(EXAMPLES)),
    )  # fmt: skip


def _is_usual(name: str, texts: pl.Series, day: date, home: str) -> pl.Series:
    """Return of each value of a column whether it is what the column usually has."""
    match name:
        case "name":
            return texts.str.contains(r"^\D*\p{L}\D*\p{L}\D*$")
        case "federation":
            return texts.is_in([code for code in texts.unique() if known_federation(code, home)])
        case "sex":
            return texts.str.to_lowercase().is_in(["m", "f", "w"])
        case "title" | "women_title":
            return texts.str.to_uppercase().is_in(sorted(TITLES))
        case "rating":
            return texts.cast(pl.Int32).is_between(LOWEST, HIGHEST)
        case "born":
            year = texts.str.extract(r"(\d{4})").cast(pl.Int32)
            return year.is_between(day.year - OLDEST, day.year - YOUNGEST).fill_null(value=False)
    return pl.Series(values=[True]).new_from_index(0, texts.len())
