"""Replace single cells of a workbook; every other part and byte of it stays.

The XML of a worksheet is cut at the cells that change instead of being written anew, because spreadsheet programs
refuse a part whose namespaces a library has renamed.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any
from xml.parsers import expat
from xml.sax.saxutils import escape

from arpad.model.errors import BadInput, Unreadable
from arpad.reports.formats.sheet_grid import column_letters
from arpad.reports.formats.sheet_xlsx import column_of, open_workbook
from arpad.reports.text_edits import TextEdit

_NUMBER = re.compile(r"[0-9]{1,15}(?:\.[0-9]{1,9})?")
_UTF8 = re.compile(rb"(?:\xef\xbb\xbf)?<")


def apply_cell_edits(data: bytes, edits: Sequence[TextEdit]) -> bytes:
    """Return a workbook with cells replaced; refuse cells that it does not have."""
    by_sheet: defaultdict[str, dict[tuple[int, int], str]] = defaultdict(dict)
    for edit in edits:
        by_sheet[edit.cell.rpartition("!")[0]][edit.line, edit.column] = edit.new
    with open_workbook(data) as package:
        parts = dict(package.parts())
        changed = {}
        for name, cells in by_sheet.items():
            if name not in parts:
                raise BadInput("edit-not-here", line=min(line for line, _ in cells))
            changed[parts[name]] = replace_cells(package.archive.read(parts[name]), cells)
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w") as copy:
            for info in package.archive.infolist():
                copy.writestr(info, changed.get(info.filename) or package.archive.read(info))
    return out.getvalue()


def replace_cells(xml: bytes, cells: Mapping[tuple[int, int], str]) -> bytes:
    """Return a worksheet with cells replaced, by line and column; missing ones are put into their row."""
    sheet = _Worksheet(xml)
    pieces = [
        (*sheet.span(line, column), sheet.written(line, column, text))
        for (line, column), text in cells.items()
    ]
    for start, end, new in sorted(pieces, reverse=True):
        xml = xml[:start] + new + xml[end:]
    return xml


class _Worksheet:
    """The rows and cells of a worksheet, by the bytes at which they begin and end."""

    def __init__(self, xml: bytes) -> None:
        if not _UTF8.match(xml):
            raise Unreadable("sheet-xlsx-broken", reason="encoding")
        self.xml = xml
        self.cells: dict[tuple[int, int], tuple[int, int, str, dict[str, str]]] = {}
        self.row_ends: dict[int, tuple[int, str]] = {}
        self.line = self.column = 0
        self.begun: list[tuple[int, str, dict[str, str]]] = []
        parser = expat.ParserCreate()
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.StartDoctypeDeclHandler = self._refuse
        self.parser = parser
        parser.Parse(xml, True)  # noqa: FBT003  the library takes it by position

    def _refuse(self, *_: Any) -> None:
        raise Unreadable("sheet-xlsx-broken", reason="DTD")

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        local = name.rpartition(":")[2]
        if local == "row":
            self.line, self.column = int(attributes.get("r", self.line + 1)), 0
        if local == "c":
            self.column = column_of(attributes.get("r", ""), self.column)
            self.begun.append((self.parser.CurrentByteIndex, name, attributes))

    def _end(self, name: str) -> None:
        local = name.rpartition(":")[2]
        at = self.parser.CurrentByteIndex
        if local == "row":
            self.row_ends[self.line] = (at, name)
        if local == "c":
            start, tag, attributes = self.begun.pop()
            opened = self.xml.index(b">", start) + 1
            end = opened if self.xml[opened - 2 : opened] == b"/>" else self.xml.index(b">", at) + 1
            self.cells[self.line, self.column] = start, end, tag, attributes

    def span(self, line: int, column: int) -> tuple[int, int]:
        """Return where a cell begins and ends; for a missing one, the point before the next cell of its row."""
        if (line, column) in self.cells:
            return self.cells[line, column][:2]
        later = [place for place in self.cells if place[0] == line and place[1] > column]
        if later:
            start = self.cells[min(later)][0]
            return start, start
        end, _ = self.row_ends.get(line, (-1, ""))
        if end < 0 or self.xml[end : end + 2] != b"</":
            raise BadInput("edit-not-here", line=line)
        return end, end

    def written(self, line: int, column: int, text: str) -> bytes:
        """Return the XML of a cell: a number if it was one, else a text, with the style of the cell before."""
        _, _, tag, attributes = self.cells.get((line, column), (0, 0, self._cell_tag(line), {}))
        prefix = tag.removesuffix("c")
        was_number = bool(attributes) and attributes.get("t", "n") == "n"
        style = f' s="{escape(attributes["s"])}"' if "s" in attributes else ""
        start = f'<{tag} r="{column_letters(column)}{line}"{style}'
        if was_number and _NUMBER.fullmatch(text):
            written = f"{start}><{prefix}v>{text}</{prefix}v></{tag}>"
        else:
            inline = f"<{prefix}is><{prefix}t>{escape(text)}</{prefix}t></{prefix}is>"
            written = f'{start} t="inlineStr">{inline}</{tag}>'
        return written.encode("ascii", "xmlcharrefreplace")

    def _cell_tag(self, line: int) -> str:
        """Return the name of a cell with the prefix of its row."""
        _, name = self.row_ends.get(line, (0, "row"))
        return name.removesuffix("row") + "c"
