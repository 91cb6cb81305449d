"""A reference list: what another body, such as FIDE, says about its players in a month.

It is kept beside the register, in narrow columns; ``reference_file`` reads it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import polars as pl

from arpad.model.json_values import to_birth
from arpad.model.rules import ListName
from arpad.reports.formats.lists.fide_rows import ListRow
from arpad.reports.formats.lists.list_columns import ALL_LISTS

SOURCE = "fide"
LISTS = (ListName.STANDARD, ListName.RAPID, ListName.BLITZ)
PREFIX = {ListName.STANDARD: "", ListName.RAPID: "rapid_", ListName.BLITZ: "blitz_"}
NARROW = {"rating": pl.Int16, "games": pl.Int16, "k": pl.Int16}
FEW_TEXTS = ("federation", "sex", "title", "women_title", "other_titles", "born")
"""Columns with few distinct texts."""

SCHEMA: dict[str, Any] = {
    name: NARROW.get(name.rpartition("_")[2], kind) if name.endswith(tuple(NARROW)) else kind
    for name, kind in ALL_LISTS.items()
}
"""The columns of a reference list; a birth is a text as in the register."""


def players_of(table: pl.DataFrame) -> Iterator[ListRow]:
    """Yield the players of a table."""
    for row in table.select(*SCHEMA).iter_rows(named=True):
        flag = "i" if row.pop("inactive") else ""
        yield ListRow(**{**row, "born": to_birth(row["born"]), "flag": flag})


def rating_column(on_list: ListName) -> str:
    """Return the column with the ratings of a list."""
    return f"{PREFIX[on_list]}rating"


def sorted_blocks(table: pl.DataFrame, size: int) -> Iterator[pl.DataFrame]:
    """Yield the rows of a table by number, ``size`` at a time, with texts as texts; no second copy of it is made."""
    order = table["id"].arg_sort()
    for start in range(0, table.height, size):
        yield table[order.slice(start, size)].cast(pl.Schema(SCHEMA))


def list_texts(lists: Sequence[ListName]) -> str:
    """Return lists as one text."""
    return " ".join(map(str, lists))
