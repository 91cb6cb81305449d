"""Exact changes to a file: everything outside them stays the same, in a text to the byte."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from arpad.model.errors import BadInput
from arpad.model.values import dataclass
from arpad.reports.formats.encoding import read_text, write_text


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
