"""Columns of texts: change the few texts that need it, write the many as lines."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from io import BytesIO
from typing import IO

import polars as pl

_SLICE = 50_000
"""Rows whose lines are written together, so that the lines of a long table are never all in memory."""


def change_some(texts: pl.Series, concerned: pl.Series, change: Callable[[str], str]) -> pl.Series:
    """Return the texts, those concerned as ``change`` returns them."""
    rows = concerned.arg_true()
    if not len(rows):
        return texts
    changed = {text: change(text) for text in texts.gather(rows).unique()}
    return texts.clone().scatter(rows, [changed[text] for text in texts.gather(rows)])


def write_lines(
    table: pl.DataFrame, fields: Iterable[pl.Expr], stream: IO[bytes], separator: str = "\t", end: str = "\n"
) -> None:
    """Write a line for each row: its fields as they are, with a separator between them."""
    expressions = list(fields)
    for part in table.iter_slices(_SLICE):
        stream.write(joined_lines(part.select(expressions), separator, end))


def joined_lines(fields: pl.DataFrame, separator: str = "\t", end: str = "\n") -> bytes:
    """Return a line for each row, with its end; nothing for null."""
    out = BytesIO()
    fields.write_csv(out, include_header=False, quote_style="never", separator=separator, line_terminator=end)
    return out.getvalue()
