"""A list file of any format as tables of its rows."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import polars as pl

from arpad.lists.rating_lookup import read_list_rows
from arpad.model.rules import ListName
from arpad.reports.formats.lists.layouts import BY_HEADER, Reading
from arpad.reports.formats.lists.row_table import table_of
from arpad.system.batches import gc_paused

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
