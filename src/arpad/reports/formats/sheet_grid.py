"""A spreadsheet as rows of texts, whatever file it stands in.

Only cells that hold something are kept, so that one stray cell in the last corner of a worksheet costs nothing.
Texts that a spreadsheet program would take for a formula get an apostrophe when written and lose it when read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple, TypeAlias

from arpad.model.exact import HalfPoints
from arpad.system.spreadsheet_cells import restore


class SheetRow(NamedTuple):
    """One row: its number, and its cells by column, both counted from one."""

    line: int
    cells: Mapping[int, str]


class Sheet(NamedTuple):
    """One worksheet; a CSV file is one without name."""

    name: str
    rows: tuple[SheetRow, ...]
    day_zero: date = date(1899, 12, 30)
    """What a day written as a number is counted from."""

    def address(self, line: int, column: int) -> str:
        """A cell as spreadsheet programs name it: ``C7``, or ``Games!C7``."""
        prefix = f"{self.name}!" if self.name else ""
        return f"{prefix}{column_letters(column)}{line}"


@dataclass(frozen=True, slots=True)
class Points:
    """A number of points to be written: the only number in a sheet that may have a decimal."""

    half: HalfPoints


Value: TypeAlias = str | int | date | Points | None
"""What may be written into a cell."""

WrittenSheet: TypeAlias = tuple[str, Sequence[Sequence[Value]]]

_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufffe\uffff]+")


def column_letters(column: int) -> str:
    """1 is A, 27 is AA."""
    letters = ""
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


def row_of(line: int, texts: Iterable[tuple[int, str]]) -> SheetRow:
    """A row of the cells that hold something, blanks around them and escapes taken off."""
    cells = {column: restore(stripped) for column, text in texts if (stripped := text.strip(" \u00a0"))}
    return SheetRow(line, {column: text for column, text in cells.items() if text.strip()})


def plain(text: str) -> str:
    """The text without characters that no cell can hold; line breaks become blanks."""
    return _CONTROL.sub(" ", text).strip()
