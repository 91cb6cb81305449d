"""A spreadsheet as rows of texts, and CSV as such rows: cells between commas, semicolons or tabs, quoted if needed.

Only cells with content are kept, so that a stray cell in the last corner of a worksheet costs nothing. Texts that a
spreadsheet program would take for a formula get an apostrophe when written and lose it when read.
"""

import csv
import io
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple, TypeAlias

from arpad.model.errors import Unreadable
from arpad.model.exact import HalfPoints, decimal_text, points
from arpad.system.spreadsheet_cells import escape, restore

DELIMITERS = ";,\t"
MOST_LINES = 100_000
_QUOTED = re.compile(r'"(?:[^"]|"")*"')
_SAMPLE = 200
"""The header must be within this many lines."""


class SheetRow(NamedTuple):
    """A row: its number, and its cells by column, both counted from one."""

    line: int
    cells: Mapping[int, str]


class Sheet(NamedTuple):
    """A worksheet; a CSV file is one without name."""

    name: str
    rows: tuple[SheetRow, ...]
    day_zero: date = date(1899, 12, 30)
    """Day 0 of days written as numbers."""

    delimiter: str = ""
    """The character between the cells of a CSV file."""

    formulas: frozenset[tuple[int, int]] = frozenset()
    """Line and column of the cells that a workbook computes."""

    def address(self, line: int, column: int) -> str:
        """Return the address of a cell: ``C7``, or ``Games!C7``."""
        prefix = f"{self.name}!" if self.name else ""
        return f"{prefix}{column_letters(column)}{line}"


@dataclass(frozen=True, slots=True)
class Points:
    """Points to be written: the only number in a sheet that may have a decimal."""

    half: HalfPoints


Value: TypeAlias = str | int | date | Points | None
"""Types of values in a cell."""

WrittenSheet: TypeAlias = tuple[str, Sequence[Sequence[Value]]]

_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufffe\uffff]+")


def column_letters(column: int) -> str:
    """Return the letters of a column: 1 is A, 27 is AA."""
    letters = ""
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


def row_of(line: int, texts: Iterable[tuple[int, str]]) -> SheetRow:
    """Return a row of the cells with content, stripped and without escapes."""
    cells = {column: restore(stripped) for column, text in texts if (stripped := text.strip(" \u00a0"))}
    return SheetRow(line, {column: text for column, text in cells.items() if text.strip()})


def plain(text: str) -> str:
    """Return the text without characters that no cell can contain; line breaks become blanks."""
    return _CONTROL.sub(" ", text).strip()


def read_grid(lines: Sequence[str], score: Callable[[Sheet], int]) -> Sheet:
    """Return the rows of the lines, split by the delimiter with the best score."""
    if len(lines) > MOST_LINES:
        raise Unreadable("too-many-lines", limit=MOST_LINES)
    delimiter = max(DELIMITERS, key=lambda candidate: score(_sheet(lines[:_SAMPLE], candidate, whole=False)))
    return _sheet(lines, delimiter, whole=True)


def write_grid(rows: Sequence[Sequence[Value]], *, decimal_comma: bool) -> bytes:
    """Return the rows as CSV in UTF-8 with a byte order mark; semicolons if the language has decimal commas."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=";" if decimal_comma else ",", lineterminator="\r\n")
    for row in rows:
        texts = [_text(value, decimal_comma=decimal_comma) for value in row]
        while texts and not texts[-1]:
            texts.pop()
        writer.writerow(texts)
    return out.getvalue().encode("utf-8-sig")


def _text(value: Value, *, decimal_comma: bool) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return escape(value)
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Points):
        text = decimal_text(points(value.half))
        return text.replace(".", ",") if decimal_comma else text
    return str(value)


def _sheet(lines: Sequence[str], delimiter: str, *, whole: bool) -> Sheet:
    rows: list[SheetRow] = []
    try:
        for line, cells in csv_rows(lines, delimiter):
            row = row_of(line, enumerate(cells, start=1))
            if row.cells:
                rows.append(row)
    except Unreadable:
        if whole:
            raise
    return Sheet("", tuple(rows), delimiter=delimiter)


def csv_rows(lines: Sequence[str], delimiter: str, first: int = 1) -> Iterator[tuple[int, list[str]]]:
    """Yield the cells of each row with its line; ``first`` is the line of the first row."""
    rows = csv.reader(lines, delimiter=delimiter, strict=True)
    line = first
    try:
        for cells in rows:
            yield line, cells
            line = rows.line_num + first
    except csv.Error:
        raise Unreadable("sheet-quotes", line=line, column=1) from None


def cell_spans(line: str, delimiter: str) -> list[tuple[int, int]] | None:
    """Return the beginning and the end of each cell of a line, with its quotation marks; None if one does not close."""
    text = line.rstrip("\r\n")
    spans, start = [], 0
    while True:
        after = start
        if text[start : start + 1] == '"':
            match = _QUOTED.match(text, start)
            if match is None:
                return None
            after = match.end()
        end = text.find(delimiter, after)
        end = len(text) if end < 0 else end
        spans.append((start, end))
        if end == len(text):
            return spans
        start = end + 1
