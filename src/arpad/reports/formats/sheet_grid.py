"""A spreadsheet as rows of texts, from CSV or XLSX.

Only cells with content are kept, so that a stray cell in the last corner of a worksheet costs nothing. Texts that a
spreadsheet program would take for a formula get an apostrophe when written and lose it when read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import NamedTuple, TypeAlias

from arpad.model.exact import HalfPoints
from arpad.model.values import dataclass
from arpad.system.spreadsheet_cells import restore


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
