"""Map each value of a report to its place in the file, and change the file exactly there.

Every format has such a map: the findings of the checks take their place from it, and the proposed corrections their
edits. A format that keeps nothing returns no place and no edit.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from arpad.model.errors import BadInput
from arpad.reports.formats.encoding import read_text, write_text
from arpad.reports.formats.trf_columns import DAYS, DEPUTY, HEADER_LINES
from arpad.reports.report import Entrant

Cell = tuple[int, str, str]
"""Opponent, colour and result."""

TAG_FIELDS: Mapping[str, str] = {
    **{line.tag: line.field for line in HEADER_LINES}, DEPUTY: "deputies", DAYS: "round_day",
}  # fmt: skip
"""The field of the header for each tag of a TRF, by which the checks name it."""


class Spot(NamedTuple):
    """A place in a file, counted from one; of a workbook also its cell, ``Games!C7``."""

    line: int
    column: int | None = None
    cell: str = ""


class FileMap:
    """The map of a format of which nothing is known."""

    delimiter = ""
    """The character that ends a value besides a blank: the delimiter of cells, the quotation mark of tags."""

    def player(self, entrant: Entrant, field: str) -> Spot | None:  # noqa: ARG002  nothing is known
        """Return the place of a field of an entrant."""
        return Spot(entrant.line) if entrant.line else None

    def game(self, entrant: Entrant, round_number: int, field: str) -> Spot | None:  # noqa: ARG002  nothing is known
        """Return the place of the ``opponent``, ``colour`` or ``result`` of an entrant in a round."""
        return Spot(entrant.line) if entrant.line else None

    def header(self, *tags: str) -> Spot | None:  # noqa: ARG002  nothing is known
        """Return the place of the first fact about the event that one of the tags of a TRF names."""
        return None

    def round_day(self, round_number: int) -> Spot | None:  # noqa: ARG002  nothing is known
        """Return the place of the day of a round."""
        return None

    def write_player(self, entrant: Entrant, field: str) -> list[TextEdit]:  # noqa: ARG002  nothing is known
        """Return the edits that write a field of an entrant as it is given."""
        return []

    def write_game(self, entrant: Entrant, round_number: int, old: Cell, new: Cell) -> list[TextEdit]:  # noqa: ARG002  nothing is known
        """Return the edits that write the cell of an entrant in a round."""
        return []

    def write_header(self, tag: str, value: int | str | date) -> list[TextEdit]:  # noqa: ARG002  nothing is known
        """Return the edits that write a fact about the event."""
        return []

    def write_result(self, line: int) -> list[TextEdit]:  # noqa: ARG002  nothing is known
        """Return the edits that write the result of the game on a line as the file itself shows it elsewhere."""
        return []


@dataclass(frozen=True, slots=True)
class TextEdit:
    """A piece of one line replaced by another; line and column are counted from one, in characters.

    In a workbook the piece is a cell: ``cell`` names it with its sheet, line and column are those of the grid.
    """

    line: int
    column: int
    old: str
    new: str
    cell: str = ""

    @property
    def end(self) -> int:
        """The column after the last one replaced; one more for an insertion, so that two of them overlap."""
        return self.column + max(len(self.old), 1)

    def overlaps(self, other: TextEdit) -> bool:
        """Return whether two edits change the same characters."""
        if self.cell or other.cell:
            return self.cell == other.cell
        return self.line == other.line and self.column < other.end and other.column < self.end


def apply_edits(data: bytes, edits: Iterable[TextEdit]) -> bytes:
    """Return the bytes of a text file with edits applied; refuse edits that are not for this text."""
    text = read_text(data)
    lines = list(text.lines)
    by_line: defaultdict[int, list[TextEdit]] = defaultdict(list)
    for edit in edits:
        by_line[edit.line].append(edit)
    for number, of_line in by_line.items():
        if not 1 <= number <= len(lines):
            raise BadInput("edit-not-here", line=number)
        for edit in sorted(of_line, key=lambda item: item.column, reverse=True):
            lines[number - 1] = _replaced(lines[number - 1], edit)
    return write_text(tuple(lines), text.encoding)[0]


def _replaced(line: str, edit: TextEdit) -> str:
    start = edit.column - 1
    end = start + len(edit.old)
    if line[start:end] != edit.old or start > len(line.rstrip("\r\n")):
        raise BadInput("edit-not-here", line=edit.line)
    return line[:start] + edit.new + line[end:]


def line_difference(number: int, old: str, new: str, first: int = 0, last: int = 0) -> TextEdit | None:
    """Return the edit between two lines, None if they are equal; it covers ``first`` to ``last`` if given."""
    if old == new:
        return None
    shorter = min(len(old), len(new))
    start = next((i for i in range(shorter) if old[i] != new[i]), shorter)
    tail = 0
    if len(old) == len(new):
        while old[-1 - tail] == new[-1 - tail] and len(old) - tail > start:
            tail += 1
    end_old, end_new = len(old) - tail, len(new) - tail
    if first and start >= first - 1 and end_new <= last:
        start = min(first - 1, len(old))
        end_old, end_new = min(last, len(old)), last
    return TextEdit(number, start + 1, old[start:end_old], new[start:end_new])
