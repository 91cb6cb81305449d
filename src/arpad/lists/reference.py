"""A reference list: what another body, such as FIDE, says about its players in a month.

It is read in chunks and kept beside the register, in narrow columns, since FIDE's list has 1.7 million rows.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import repeat
from pathlib import Path
from typing import Any

import polars as pl

from arpad.lists.list_file import ALL_LISTS, read_list_tables
from arpad.model.errors import BadInput, Unreadable
from arpad.model.json_values import to_birth
from arpad.model.names import stored_column
from arpad.model.rules import ListName
from arpad.reports.formats.lists.fide_rows import ListRow
from arpad.reports.formats.lists.layouts import Columns, Reading

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


_AS_ROW = ListRow._fields[: ListRow._fields.index("born")]


def players_of(table: pl.DataFrame) -> Iterator[ListRow]:
    """Yield the players of a table."""
    texts = (table[name].to_list() if name in SCHEMA else repeat("") for name in _AS_ROW)
    for *values, born, inactive in zip(
        *texts, table["born"].to_list(), table["inactive"].to_list(), strict=False
    ):
        row = (*values, to_birth(born), "i" if inactive else "")
        yield ListRow(*row)


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


# ------------------------------------------------------------------------------------------------------- its file

_MOST_GAMES = 2**15 - 1


@dataclass(frozen=True, slots=True)
class ReferenceFile:
    """The rows of a reference list as they were read, in the order of the file."""

    table: pl.DataFrame
    """The columns of ``SCHEMA``, with categories instead of the texts that repeat."""

    lists: tuple[ListName, ...]
    """The lists whose ratings the file has."""


def read_reference(
    path: Path,
    day: date,
    *,
    on_list: ListName | None = None,
    columns: Columns | None = None,
    each: Callable[[pl.DataFrame], None] = lambda _: None,
) -> ReferenceFile:
    """Read a reference list of a day; refuse a number twice, and a birth after that day, with their places.

    ``on_list`` says whose ratings they are, if the file has only those of one list. ``each`` is called with each chunk.
    """
    chunks: list[pl.DataFrame] = []
    rows, births = 0, set[str]()
    for read in read_list_tables(path, None, Reading(columns, day.year)):
        table = read.with_columns(stored_column(read["name"]))
        each(table)
        _refuse_births(table, day, rows, births)
        chunks.append(_narrow(table))
        rows += table.height
    if not rows:
        raise Unreadable("list-empty")
    whole = pl.concat(chunks)
    _refuse_twice(whole)
    quick = [name for name in LISTS[1:] if whole[rating_column(name)].null_count() < whole.height]
    if on_list in (None, ListName.STANDARD) or quick:
        return ReferenceFile(whole, (ListName.STANDARD, *quick) if on_list is None else LISTS[:1])
    return ReferenceFile(_as_list(whole, on_list), (on_list,))


def _narrow(table: pl.DataFrame) -> pl.DataFrame:
    games = [name for name in SCHEMA if name.endswith("games")]
    return table.with_columns(
        *(pl.col(name).clip(upper_bound=_MOST_GAMES) for name in games),
    ).select(
        pl.col(name).cast(pl.Categorical if name in FEW_TEXTS else kind).alias(name)
        for name, kind in SCHEMA.items()
    )


def _as_list(table: pl.DataFrame, on_list: ListName | None) -> pl.DataFrame:
    """Return a table whose only figures are of a rapid or blitz list."""
    prefix = PREFIX[on_list or ListName.STANDARD]
    return table.with_columns(
        *(pl.col(name).alias(prefix + name) for name in NARROW),
    ).with_columns(pl.lit(None, kind).alias(name) for name, kind in NARROW.items())


def _refuse_births(table: pl.DataFrame, day: date, before: int, seen: set[str]) -> None:
    """Refuse a player who was born after the list; ``seen`` are the births of the chunks before."""
    later = [born for born in table["born"].unique() if born not in seen and born > str(day)]
    seen.update(table["born"].unique())
    if later:
        at = table["born"].is_in(later).arg_max() or 0
        row = table.row(at, named=True)
        raise BadInput(
            "reference-birth", row=before + at + 1, number=row["id"], name=row["name"], born=row["born"]
        )


def _refuse_twice(table: pl.DataFrame) -> None:
    """Refuse a list in which a number occurs twice."""
    twice = table["id"].is_duplicated()
    if twice.any():
        rows = table.with_row_index("row", 1).filter(twice)
        later = rows.filter(~pl.col("id").is_first_distinct()).row(0, named=True)
        first = rows.filter(pl.col("id") == later["id"]).row(0, named=True)
        raise BadInput(
            "reference-twice",
            number=later["id"], first=first["row"], second=later["row"], name=first["name"], other=later["name"],
        )  # fmt: skip
