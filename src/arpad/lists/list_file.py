"""A list file of any format as tables of its rows.

FIDE's files are read by columns. What the readers of columns do not accept as plain, and the other formats, are read
row by row by ``lists.rating_lookup``: the same values, and the same refusals, line by line.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import polars as pl

from arpad.lists.canonical import is_canonical
from arpad.lists.rating_lookup import HEAD, read_list_rows
from arpad.model.rules import ListName
from arpad.reports.formats.lists.fide_list import open_file, unpack
from arpad.reports.formats.lists.fide_txt_table import read_txt_tables
from arpad.reports.formats.lists.fide_xml_table import read_xml_tables
from arpad.reports.formats.lists.layouts import BY_HEADER, Reading
from arpad.reports.formats.lists.list_csv import is_csv_list
from arpad.reports.formats.lists.row_table import NotPlain, table_of
from arpad.system.batches import batches

_ROWS = 20_000
"""Rows of a table that is read row by row."""


def read_list_tables(
    path: Path, on_list: ListName | None, reading: Reading = BY_HEADER
) -> Iterator[pl.DataFrame]:
    """Yield the rows of a list file in order, some thousands at a time.

    The tables have the figures of one list (``list_columns.SCHEMA``), or without ``on_list`` of all (``ALL_LISTS``).
    """
    done = 0
    try:
        for table in _plain_tables(path, on_list, reading):
            done += table.height
            yield table
    except NotPlain:
        for batch in batches(islice(read_list_rows(path, reading), done, None), _ROWS):
            yield table_of(batch, on_list)


def _plain_tables(path: Path, on_list: ListName | None, reading: Reading) -> Iterator[pl.DataFrame]:
    """Yield the rows of a list as far as they are plain."""
    with open_file(path) as stream:
        head = stream.read(HEAD)
        if is_canonical(head) or is_csv_list(head) or (reading.columns and reading.columns.cells):
            raise NotPlain
        stream.seek(0)
        unpacked, is_xml = unpack(stream)
        if is_xml:
            yield from read_xml_tables(unpacked, on_list)
        else:
            yield from read_txt_tables(unpacked, on_list, reading)
