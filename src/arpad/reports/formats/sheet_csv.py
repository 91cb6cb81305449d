"""CSV: cells between commas, semicolons or tabs, quoted if they contain one."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Sequence
from datetime import date

from arpad.model.errors import Unreadable
from arpad.model.exact import decimal_text, points
from arpad.reports.formats.sheet_grid import Points, Sheet, SheetRow, Value, row_of
from arpad.system.spreadsheet_cells import escape

DELIMITERS = ";,\t"
MOST_LINES = 100_000
_QUOTED = re.compile(r'"(?:[^"]|"")*"')
_SAMPLE = 200
"""The header must be within this many lines."""


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
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    line = 1
    try:
        for cells in reader:
            row = row_of(line, enumerate(cells, start=1))
            if row.cells:
                rows.append(row)
            line = reader.line_num + 1
    except csv.Error:
        if whole:
            raise Unreadable("sheet-quotes", line=line, column=1) from None
    return Sheet("", tuple(rows), delimiter=delimiter)


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
