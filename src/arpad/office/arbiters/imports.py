"""Read the arbiters of a CSV file, with their licences."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping

from arpad.model.arbiters import Licence
from arpad.model.errors import BadInput, Unreadable
from arpad.model.typed_values import parse_day
from arpad.office.arbiters.known import check_licence, checked_facts
from arpad.office.arbiters.tables import FIELDS
from arpad.reports.formats.encoding import read_text
from arpad.reports.formats.lists.list_csv import headings, separator
from arpad.system.spreadsheet_cells import restore

COLUMNS = ("name", "fide", "federation", "title", "licence_from", "licence_until")
"""The columns of a CSV file; only the name is needed."""


def read_rows(data: bytes) -> Iterator[tuple[int, dict[str, str], Licence | None]]:
    """Yield each row with its line; refuse a file without names, and a row that cannot be read."""
    lines = read_text(data).lines
    columns = headings(lines[0])
    if unknown := [name for name in columns if name not in COLUMNS]:
        accepted = ", ".join(COLUMNS)
        raise Unreadable("arbiter-column", line=1, column_name=unknown[0], accepted=accepted)
    if "name" not in columns:
        raise Unreadable("list-column", line=1, column_name="name", accepted=", ".join(COLUMNS))
    rows = csv.reader(lines[1:], delimiter=separator(lines[0]), strict=True)
    line = 2
    try:
        for cells in rows:
            texts = dict.fromkeys(COLUMNS, "") | dict(zip(columns, map(restore, cells), strict=False))
            if any(text.strip() for text in texts.values()):
                yield line, *_row(texts, line)
            line = rows.line_num + 2
    except csv.Error:
        raise Unreadable("sheet-quotes", line=line, column=1) from None


def _row(texts: Mapping[str, str], line: int) -> tuple[dict[str, str], Licence | None]:
    try:
        return checked_facts({name: texts[name] for name in FIELDS}), _licence(texts)
    except BadInput as error:
        error.facts.setdefault("line", line)
        raise


def _licence(texts: Mapping[str, str]) -> Licence | None:
    """Return the licence of a row; a last day without a first day is refused."""
    first, last = texts["licence_from"].strip(), texts["licence_until"].strip()
    if not first and not last:
        return None
    if not first:
        raise BadInput("value-missing", option="licence_from")
    licence = Licence(parse_day(first, "licence_from"), parse_day(last, "licence_until") if last else None)
    check_licence(licence)
    return licence
