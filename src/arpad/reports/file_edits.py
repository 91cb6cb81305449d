"""Change the file of a report exactly where a value is."""

from collections import defaultdict
from collections.abc import Iterable

from arpad.model.errors import BadInput
from arpad.reports.formats.encoding import read_text, write_text
from arpad.reports.report import TextEdit


def edited_file(data: bytes, edits: Iterable[TextEdit]) -> bytes:
    """Return the bytes of a text or a workbook with edits applied; refuse edits that are not for this file."""
    if data.startswith(b"PK\x03\x04"):
        from arpad.reports.formats.sheet_xlsx import apply_cell_edits

        return apply_cell_edits(data, list(edits))
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
