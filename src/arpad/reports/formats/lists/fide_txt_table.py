"""Read rating lists as text into tables: the columns of a block of lines are cut and read at once.

The values are read by the readers of ``fide_rows``, each distinct text once. A row that these do not accept, or whose
titles run into the next column, is read by ``fide_txt``.
"""

from __future__ import annotations

import io
from collections.abc import Iterator

import polars as pl

from arpad.model.rules import ListName
from arpad.reports.formats.fixed_width import Column, Layout
from arpad.reports.formats.lists.fide_rows import READERS
from arpad.reports.formats.lists.fide_txt import (
    DAMAGED,
    LONGEST_LINE,
    CountedLines,
    Cut,
    cut_row,
    is_cut,
    read_heading,
    read_single,
)
from arpad.reports.formats.lists.layouts import BY_HEADER, Reading
from arpad.reports.formats.lists.row_table import NotPlain, read_columns, replace_rows, table_of

_BLOCK = 8 * 1024 * 1024
"""Bytes that are read at once: some 50,000 rows."""

_CONTROLS = bytes(set(range(32)) - {0x0A, 0x0D}) + b"\x7f"


def read_txt_tables(
    stream: io.BufferedReader, on_list: ListName | None, reading: Reading = BY_HEADER
) -> Iterator[pl.DataFrame]:
    """Yield the rows of a list, a block at a time."""
    lines = CountedLines(stream)
    layout, _ = read_heading(lines, reading.columns)
    reader = _Reader(layout, on_list, lines.number, reading)
    try:
        waiting = lines.waiting
        while block := waiting + stream.read(_BLOCK):
            waiting = b""
            yield reader.read(block + stream.readline(LONGEST_LINE))
    except DAMAGED as error:
        raise NotPlain from error


class _Reader:
    """Reads blocks of lines; keeps the number of the last line and the length of the last usual one."""

    def __init__(self, layout: Layout, on_list: ListName | None, line: int, reading: Reading) -> None:
        self.layout = layout
        self.reading = reading
        self.on_list = on_list
        self.line = line
        self.usual = 0
        self.combined = "rapid_rating" in layout.by_name

    def read(self, block: bytes) -> pl.DataFrame:
        """Return the rows of some lines."""
        lines = self._rows(_lines_of(block))
        if not block.endswith(b"\n") and not lines.is_empty():
            line, usual = lines.select("line", "usual").row(-1)
            if is_cut(line, self.layout, usual):
                raise NotPlain
        texts = _texts(lines, self.layout)
        table, unreadable = read_columns(
            texts, self.on_list, combined=self.combined, latest=self.reading.latest
        )
        odd = lines["tangled"] | unreadable
        return replace_rows(table, odd, lambda: self._single(lines.filter(odd)))

    def _rows(self, lines: pl.DataFrame) -> pl.DataFrame:
        """Return the lines that are not blank, with what ``cut_row`` needs to know of each."""
        first, self.line = self.line + 1, self.line + lines.height
        length = pl.col("line").str.len_chars()
        titles = self.layout.by_name.get("other_titles")
        tangled: pl.Expr = pl.lit(value=False)
        if titles:
            end = pl.col("line").str.slice(titles.last - 1, 2)
            tangled = (length > titles.last) & ~end.str.contains(" ", literal=True)
        rows = (
            lines.with_row_index("number", first)
            .with_columns(tangled.alias("tangled"))
            .filter(pl.col("tangled") | (pl.col("line").str.strip_chars(" ") != ""))
            .with_columns(pl.when(~pl.col("tangled")).then(length).alias("length"))
            .with_columns(pl.col("length").forward_fill().fill_null(self.usual))
        )
        before = self.usual
        if not rows.is_empty():
            self.usual = rows["length"][-1]
        return rows.with_columns(pl.col("length").shift(1, fill_value=before).alias("usual"))

    def _single(self, lines: pl.DataFrame) -> pl.DataFrame:
        """Return rows read one by one; an unreadable one raises with its line."""
        rows = []
        for number, line, usual in lines.select("number", "line", "usual").iter_rows():
            cut = Cut(number, line, cut_row(line, self.layout, usual))
            rows.append((read_single(cut, self.layout, self.reading), self.combined))
        return table_of(rows, self.on_list)


def _lines_of(block: bytes) -> pl.DataFrame:
    """Return the lines of a block of plain text."""
    if len(block.translate(None, _CONTROLS)) != len(block):
        raise NotPlain
    if b"\r" in block:
        plain = block.replace(b"\r\n", b"\n")
        if b"\r" in plain:
            raise NotPlain
        block = plain
    try:
        text = pl.Series("line", [block.removesuffix(b"\n")]).cast(pl.String)
    except pl.exceptions.ComputeError as error:  # not UTF-8
        raise NotPlain from error
    lines = text.str.split("\n").explode()
    if (lines.str.len_bytes().max() or 0) > LONGEST_LINE - 2:  # type: ignore[operator]
        raise NotPlain
    return lines.to_frame()


def _texts(lines: pl.DataFrame, layout: Layout) -> pl.DataFrame:
    """Return the fields of each line as texts."""
    return lines.select(_field(column) for column in layout.by_name.values() if column.name in READERS)


def _field(column: Column) -> pl.Expr:
    return pl.col("line").str.slice(column.first - 1, column.width).str.strip_chars().alias(column.name)
