"""The lines of a live list, put together again from those that are stored."""

from collections.abc import Iterable

import polars as pl

from arpad.lists.live_table import COLUMNS, carried_forward
from arpad.lists.table import SCHEMA

TYPES = {name: SCHEMA[name] for name in COLUMNS}


def lines_of_texts(texts: Iterable[str]) -> pl.DataFrame:
    """Return the lines of JSON texts."""
    column = pl.Series("line", list(texts), pl.String)
    if column.is_empty():
        return pl.DataFrame(schema=TYPES)
    return column.str.json_decode(pl.Struct(TYPES)).struct.unnest().select(COLUMNS)


def overlaid(official: pl.DataFrame, lines: pl.DataFrame, gone: Iterable[int]) -> pl.DataFrame:
    """Return the lines of the computed list again: those of the official list, and those that differ."""
    replaced = [*lines["player"].to_list(), *gone]
    kept = carried_forward(official).filter(~pl.col("player").is_in(replaced))
    return pl.concat([kept, lines.select(COLUMNS)]).sort("player")
