"""Escape texts for spreadsheet cells, so that none is taken for a formula, and restore them when reading."""

import csv
import io
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

FORMULA = r"^'*[=+\-@\t\r]"
"""The beginning of a text that is escaped."""

_FORMULA = re.compile(FORMULA)
_ESCAPED = re.compile(r"'+[=+\-@\t\r]")


def escape(text: str) -> str:
    """Return a text that no spreadsheet program takes for a formula, if needed with an apostrophe before it."""
    return "'" + text if _FORMULA.match(text) else text


def restore(text: str) -> str:
    """Return the text before it was escaped."""
    return text[1:] if _ESCAPED.match(text) else text


def csv_text(heading: Iterable[str], rows: Iterable[Iterable[Any]]) -> str:
    """Return rows as CSV; a text that a spreadsheet would take for a formula gets an apostrophe before it."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    if names := list(heading):
        writer.writerow(names)
    for row in rows:
        writer.writerow([escape(cell) if isinstance(cell, str) else cell for cell in row])
    return out.getvalue()


def rows_csv(rows: Sequence[Mapping[str, Any]], columns: Iterable[str] = ()) -> str:
    """Return rows as CSV, without the columns that have records; ``columns`` are the heading of no rows."""
    if not rows:
        return csv_text(columns, ())
    names = [name for name in rows[0] if not any(_is_record(row[name]) for row in rows)]
    return csv_text(names, [[_cell(row[name]) for name in names] for row in rows])


def _is_record(value: Any) -> bool:
    return isinstance(value, dict) or (isinstance(value, list) and any(isinstance(it, dict) for it in value))


def _cell(value: Any) -> Any:
    """Return a value as a cell: texts of a list with blanks between them, booleans as JSON writes them."""
    if isinstance(value, list):
        return " ".join(map(str, value))
    return json.dumps(value) if isinstance(value, bool) else value
