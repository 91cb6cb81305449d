"""A rating list as a plain CSV file: one row a player, the columns named by its header."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

from arpad.errors import Unreadable
from arpad.formats.encoding import read_text
from arpad.formats.fide_list import ListRow

COLUMNS = {
    "id": "id", "fide_id": "id", "fideid": "id", "fide": "id", "id_number": "id",
    "name": "name", "nome": "name",
    "federation": "federation", "fed": "federation", "federazione": "federation",
    "rating": "rating", "elo": "rating", "games": "games", "partite": "games", "k": "k",
    "rapid": "rapid_rating", "rapid_k": "rapid_k", "blitz": "blitz_rating", "blitz_k": "blitz_k",
    "born": "born", "birth": "born", "nato": "born",
}  # fmt: skip
"""Heading → field of ``ListRow``."""

NUMBERS = frozenset(
    {"id", "rating", "games", "k", "rapid_rating", "rapid_k", "blitz_rating", "blitz_k", "born"}
)


def is_csv_list(head: bytes) -> bool:
    """Whether a file begins with a header that names an id and a rating, separated."""
    return {"id", "rating"} <= _fields(head)


def names_quick_lists(head: bytes) -> bool:
    """Whether the header names rapid or blitz ratings beside the standard ones."""
    return bool({"rapid_rating", "blitz_rating"} & _fields(head))


def _fields(head: bytes) -> set[str]:
    line = head.removeprefix(b"\xef\xbb\xbf").split(b"\n", 1)[0].decode("latin-1").strip()
    return {COLUMNS[heading] for heading in _headings(line) if heading in COLUMNS}


def read_csv_list(path: Path) -> Iterator[ListRow]:
    """The rows of a CSV list; an unreadable number is refused with its place."""
    lines = read_text(path.read_bytes()).lines
    headings = _headings(lines[0].removeprefix("\ufeff"))
    fields = [COLUMNS.get(heading, "") for heading in headings]
    for number, cells in enumerate(csv.reader(lines[1:], delimiter=_separator(lines[0])), start=2):
        values: dict[str, int | str | None] = {}
        for column, (field, cell) in enumerate(zip(fields, cells, strict=False), start=1):
            if not field:
                continue
            values[field] = cell.strip()
            if field in NUMBERS:
                plain = cell.strip()[:4] if field == "born" else cell.strip()
                if plain and not plain.isdecimal():
                    raise Unreadable("list-csv-number", line=number, column=column, field=field, value=cell)
                values[field] = int(plain) if plain else None
        if values.get("id"):
            yield ListRow(**values)  # type: ignore[arg-type]  # the names come from COLUMNS


def _separator(line: str) -> str:
    return max(",;\t", key=line.count)


def _headings(line: str) -> list[str]:
    return [cell.strip().strip('"').lower().replace(" ", "_") for cell in line.split(_separator(line))]
