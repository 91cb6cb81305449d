"""A list file of any format as tables of its rows."""

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import polars as pl

from arpad.lists.rating_lookup import read_list_rows
from arpad.model.json_values import from_birth
from arpad.model.rules import ListName
from arpad.reports.formats.lists.fide_rows import ListRow
from arpad.reports.formats.lists.layouts import BY_HEADER, Reading
from arpad.system.batches import gc_paused

SCHEMA: dict[str, Any] = {
    "id": pl.Int64,
    "name": pl.String,
    "federation": pl.String,
    "sex": pl.String,
    "title": pl.String,
    "women_title": pl.String,
    "other_titles": pl.String,
    "rating": pl.Int32,
    "games": pl.Int64,
    "k": pl.Int32,
    "born": pl.String,
    "inactive": pl.Boolean,
    "number": pl.Int64,
    "identifiers": pl.List(pl.Struct({"scheme": pl.String, "value": pl.String})),
    "delisted": pl.Boolean,
}
"""``identifiers`` is null if the file does not have the numbers of other bodies, as in ``ListRow``."""

FIGURES = ("rating", "games", "k")
"""The columns of a player's playing strength."""

ALL_LISTS: dict[str, Any] = {
    **{
        name: kind
        for name, kind in SCHEMA.items()
        if name not in {*FIGURES, "number", "identifiers", "delisted"}
    },
    **{prefix + name: SCHEMA[name] for prefix in ("", "rapid_", "blitz_") for name in FIGURES},
}
"""The columns of a reference list: rating, games and K of the standard, the rapid and the blitz list."""


_ROWS = 20_000
"""Rows of a table."""


def read_list_tables(
    path: Path, on_list: ListName | None, reading: Reading = BY_HEADER
) -> Iterator[pl.DataFrame]:
    """Yield the rows of a list file in order, some thousands at a time.

    The tables have the figures of one list (``list_columns.SCHEMA``), or without ``on_list`` of all (``ALL_LISTS``).
    """
    rows = read_list_rows(path, reading)
    while True:
        with gc_paused():
            table = table_of(islice(rows, _ROWS), on_list)
        if table.is_empty():
            return
        yield table


def table_of(rows: Iterable[tuple[ListRow, bool]], on_list: ListName | None) -> pl.DataFrame:
    """Return rows as a table; each comes with whether it has standard, rapid and blitz ratings.

    The table has the figures of one list, or without ``on_list`` those of all (``ALL_LISTS``).
    """
    if on_list is None:
        return _all_lists(row for row, _ in rows)
    values = [
        (
            row.id, row.name.strip(), row.federation, row.known_sex, row.title, row.women_title, row.other_titles,
            *(row.figures(on_list) if combined else (row.rating, row.games, row.k)),
            from_birth(row.born), row.inactive, row.number, _pairs(row.identifiers), row.delisted,
        )
        for row, combined in rows
    ]  # fmt: skip
    return pl.DataFrame(values, schema=SCHEMA, orient="row")


def _all_lists(rows: Iterable[ListRow]) -> pl.DataFrame:
    """Return rows as a table with the figures of all lists."""
    values = [
        (
            row.id, row.name.strip(), row.federation, row.known_sex, row.title, row.women_title, row.other_titles,
            from_birth(row.born), row.inactive, row.rating, row.games, row.k,
            row.rapid_rating, row.rapid_games, row.rapid_k, row.blitz_rating, row.blitz_games, row.blitz_k,
        )
        for row in rows
    ]  # fmt: skip
    return pl.DataFrame(values, schema=ALL_LISTS, orient="row")


def _pairs(identifiers: Iterable[tuple[str, str]] | None) -> list[dict[str, str]] | None:
    if identifiers is None:
        return None
    return [{"scheme": scheme, "value": value} for scheme, value in identifiers]
