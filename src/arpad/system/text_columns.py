"""Columns of texts: change the few texts that need it, write the many as lines."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from io import BytesIO
from typing import IO

import polars as pl

_SLICE = 20_000
"""Rows whose lines are written together: the memory of some lines is used for the next ones, which halves the time."""


def looked_up(table: pl.DataFrame, name: str, text: pl.Expr) -> pl.Expr:
    """Return the text of a column of numbers or days, null for null.

    If a table has more rows than numbers between the lowest and the highest, the text of each number is written once
    and looked up, which takes a fifth of the time.
    """
    column = table[name]
    low, high = column.to_physical().min(), column.to_physical().max()
    if not isinstance(low, int) or not isinstance(high, int) or high - low >= len(column):
        return text
    numbers = pl.Series(name, range(low, high + 1), pl.Int32).cast(column.dtype)
    texts = numbers.to_frame().select(text).to_series()
    return pl.lit(texts).gather(pl.col(name).to_physical() - low).alias(name)


def change_texts(table: pl.DataFrame, concerned: pl.Expr, change: Callable[[str], str]) -> pl.DataFrame:
    """Return the table with the texts concerned as ``change`` returns them; the expression tells them by column."""
    masks = table.select(concerned)
    changed = [change_some(table[mask.name], mask, change) for mask in masks if mask.any()]
    return table.with_columns(changed) if changed else table


def change_some(texts: pl.Series, concerned: pl.Series, change: Callable[[str], str]) -> pl.Series:
    """Return the texts, those concerned as ``change`` returns them."""
    if not concerned.any():
        return texts
    rows = concerned.arg_true()
    some = texts.gather(rows).to_list()
    changed = {text: change(text) for text in set(some)}
    return texts.clone().scatter(rows, [changed[text] for text in some])


def write_lines(
    table: pl.DataFrame,
    fields: Iterable[pl.Expr | str],
    stream: IO[bytes],
    separator: str = "\t",
    end: str = "\n",
    where: pl.Expr | None = None,
) -> None:
    """Write a line for each row, or for some: its fields as they are, nothing for null, separated."""
    expressions = list(fields)
    stream.flush()  # Polars writes to the file itself
    for part in table.iter_slices(_SLICE):
        rows = part if where is None else part.filter(where)
        rows.select(expressions).write_csv(
            stream, include_header=False, quote_style="never", separator=separator, line_terminator=end
        )


def joined_lines(
    table: pl.DataFrame,
    fields: Iterable[pl.Expr | str] = (pl.all(),),
    separator: str = "\t",
    end: str = "\n",
    where: pl.Expr | None = None,
    before: bytes = b"",
) -> bytes:
    """Return a line for each row, or for some, with its end; nothing for null. The text begins with ``before``."""
    out = BytesIO()
    out.write(before)
    write_lines(table, fields, out, separator, end, where)
    return out.getvalue()
