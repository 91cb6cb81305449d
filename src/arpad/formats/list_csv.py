"""A rating list as a plain CSV file: one row a player, the columns named by its header."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from arpad.cells import restore
from arpad.errors import Unreadable
from arpad.formats.encoding import read_text
from arpad.formats.fide_rows import READERS, ListRow

COLUMNS = {
    "id": "id", "fide_id": "id", "fideid": "id", "fide": "id", "id_number": "id",
    "name": "name", "nome": "name",
    "federation": "federation", "fed": "federation", "federazione": "federation",
    "rating": "rating", "elo": "rating", "games": "games", "partite": "games", "k": "k",
    "rapid": "rapid_rating", "rapid_k": "rapid_k", "blitz": "blitz_rating", "blitz_k": "blitz_k",
    "born": "born", "birth": "born", "nato": "born",
}  # fmt: skip
"""Heading → field of ``ListRow``."""


def is_csv_list(head: bytes) -> bool:
    """Whether a file begins with a header that names an id and a rating, separated."""
    return {"id", "rating"} <= _fields(head)


def names_quick_lists(head: bytes) -> bool:
    """Whether the header names rapid or blitz ratings beside the standard ones."""
    return bool({"rapid_rating", "blitz_rating"} & _fields(head))


def _fields(head: bytes) -> set[str]:
    line = head.removeprefix(b"\xef\xbb\xbf").split(b"\n", 1)[0].decode("latin-1").strip()
    return {COLUMNS[heading] for heading in headings(line) if heading in COLUMNS}


def read_csv_list(path: Path) -> Iterator[ListRow]:
    """The rows of a CSV list; what cannot be read is refused with its place."""
    lines = read_text(path.read_bytes()).lines
    fields = [COLUMNS.get(heading, "") for heading in headings(lines[0])]
    rows = csv.reader(lines[1:], delimiter=separator(lines[0]), strict=True)
    line = 2
    try:
        for cells in rows:
            given = dict(zip(fields, enumerate(cells, start=1), strict=False))
            if given.get("id", (0, ""))[1].strip():
                yield ListRow(**{name: _read(name, cell, line) for name, cell in given.items() if name})
            line = rows.line_num + 2
    except csv.Error:
        raise Unreadable("sheet-quotes", line=line, column=1) from None


def _read(name: str, cell: tuple[int, str], line: int) -> Any:
    """One cell, as the same field of any other list is read."""
    column, text = cell[0], restore(cell[1].strip())
    try:
        return READERS[name](text)
    except ValueError:
        raise Unreadable("list-row-unreadable", line=line, column=column, text=text[:40]) from None


def separator(line: str) -> str:
    """What stands between the cells of a header."""
    return max(",;\t", key=line.count)


def headings(line: str) -> list[str]:
    """The columns that a header names."""
    return [cell.strip().strip('"').lower().replace(" ", "_") for cell in line.split(separator(line))]
