"""Columns of texts: change the few texts that need it, write the many as lines."""

from collections.abc import Callable, Iterable
from io import BytesIO
from typing import IO, NamedTuple

import polars as pl

TOGETHER = 40_000
"""Rows whose lines are written together: the memory of some lines is used for the next ones, which halves the time."""


class Combinations(NamedTuple):
    """The rows of a table: each combination of values once, and which of them each row has."""

    values: pl.DataFrame
    numbers: pl.Series


def combinations(table: pl.DataFrame) -> Combinations:
    """Return each combination of values in a table once; if they are numbers, perhaps some that no row has."""
    few = _few_numbers(table)
    if few is not None:
        return Combinations(few[0], table.select(few[1].cast(pl.UInt32)).to_series())
    rows = table.with_row_index(_ROW)
    first = rows.select(pl.col(_ROW).first().over(table.columns)).to_series()
    is_first = first == rows[_ROW]
    return Combinations(table.filter(is_first), (is_first.cum_sum() - 1).gather(first))


_ROW = "row of the table"


def looked_up(table: pl.DataFrame, name: str, text: pl.Expr) -> pl.Expr:
    """Return the text of a column of numbers or days, null for null.

    If a table has more rows than numbers between the lowest and the highest, the text of each number is written once
    and looked up, which takes a fifth of the time.
    """
    few = _few_numbers(table.select(name))
    return text if few is None else pl.lit(few[0].select(text).to_series()).gather(few[1]).alias(name)


def _few_numbers(table: pl.DataFrame) -> tuple[pl.DataFrame, pl.Expr] | None:
    """Return all combinations of numbers or days from the lowest to the highest of each column, or of none.

    Also the number of the combination of each row. None if they are more than the rows, or if there are other values.
    """
    values, number = pl.DataFrame(), pl.lit(0)
    for column in table.iter_columns():
        low, high = column.to_physical().min(), column.to_physical().max()
        if column.dtype == pl.Boolean or not isinstance(low, int) or not isinstance(high, int):
            return None
        none = high - low + 1
        if (none + 1) * max(len(values), 1) > len(table):
            return None
        numbers = pl.int_range(low, high + 1, eager=True).append(pl.Series([None], dtype=pl.Int64))
        more = numbers.cast(column.dtype).alias(column.name).to_frame()
        values = values.join(more, how="cross", maintain_order="left_right") if values.width else more
        position = (pl.col(column.name).to_physical().cast(pl.Int64) - low).fill_null(none)
        number = number * (none + 1) + position
    return values, number


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
    for part in table.iter_slices(TOGETHER):
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
) -> bytes:
    """Return a line for each row, or for some, with its end; nothing for null."""
    out = BytesIO()
    write_lines(table, fields, out, separator, end, where)
    return out.getvalue()


def one_text(first: bytes, others: Iterable[bytes]) -> bytes:
    """Return pieces of a text as one; the memory of a piece is used for the next one."""
    out = BytesIO()
    out.write(first)
    out.writelines(others)
    return out.getvalue()
