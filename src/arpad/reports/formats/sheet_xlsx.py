"""XLSX: worksheets read straight from their XML, written with XlsxWriter, and changed cell by cell.

The reader is our own because fast libraries expand a worksheet to a full rectangle: a file of five kilobytes with one
cell in the last corner then needs half a terabyte and kills the process. Here only existing cells are kept, and the
size of the unpacked parts is limited, as declared and as read.

The XML of a worksheet is cut at the cells that change instead of being written anew, because spreadsheet programs
refuse a part whose namespaces a library has renamed.
"""

from __future__ import annotations

import io
import posixpath
import re
import struct
import zipfile
import zlib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date, datetime
from typing import TYPE_CHECKING, Any
from xml.etree.ElementTree import Element, ParseError
from xml.parsers import expat
from xml.sax.saxutils import escape as escape_xml

from arpad.model.errors import BadInput, Unreadable
from arpad.reports.formats.sheet_grid import (
    Points,
    Sheet,
    SheetRow,
    Value,
    WrittenSheet,
    column_letters,
    plain,
    row_of,
)
from arpad.reports.report import TextEdit
from arpad.system.spreadsheet_cells import escape

if TYPE_CHECKING:
    from xlsxwriter.worksheet import Worksheet

LIMIT = 24 * 1024 * 1024
"""Limit of the unpacked parts in bytes; a thousand players need 1 MiB."""

MOST_PARTS = 2000
MOST_CELLS = 400_000
LAST_ROW, LAST_COLUMN = 1_048_576, 16_384

_DAY_ZERO = {False: date(1899, 12, 30), True: date(1904, 1, 1)}
_WORKBOOK = "xl/workbook.xml"
_ADDRESS = re.compile(r"([A-Z]{1,3})([0-9]{1,7})")
_CODED = re.compile(r"_x([0-9A-Fa-f]{4})_")
_BROKEN = (
    zipfile.BadZipFile, zlib.error, struct.error, EOFError, KeyError, NotImplementedError, OSError, ParseError,
    RuntimeError, ValueError, LookupError,
)  # fmt: skip
"""Exceptions of the standard library for damaged archives and XML."""


_NUMBER = re.compile(r"[0-9]{1,15}(?:\.[0-9]{1,9})?")
_UTF8 = re.compile(rb"(?:\xef\xbb\xbf)?<")


def read_workbook(data: bytes) -> tuple[Sheet, ...]:
    """Return the visible worksheets in their order."""
    with open_workbook(data) as package:
        return package.sheets()


@contextmanager
def open_workbook(data: bytes) -> Iterator[Package]:
    """Open the parts of a workbook; raise ``Unreadable`` if it is damaged or too large."""
    if len(data) > LIMIT or data.count(b"PK\x01\x02") > MOST_PARTS:
        raise Unreadable("sheet-too-large", limit=LIMIT // (1024 * 1024))
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            yield Package(archive)
    except Unreadable:
        raise
    except _BROKEN as error:
        raise Unreadable("sheet-xlsx-broken", reason=type(error).__name__) from None


class Package:
    """The parts of one file, unpacked under one common limit."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        if _WORKBOOK not in archive.namelist():
            raise Unreadable("sheet-zip")
        self.archive = archive
        self.left = LIMIT
        self.cells = 0
        declared = sum(
            part.file_size for part in archive.infolist() if part.filename.endswith((".xml", ".rels"))
        )
        if declared > LIMIT:
            raise Unreadable("sheet-too-large", limit=LIMIT // (1024 * 1024))

    def sheets(self) -> tuple[Sheet, ...]:
        """Yield every visible worksheet."""
        strings = list(self._strings())
        settings = list(self._elements(_WORKBOOK, "workbookPr"))
        old_mac = any(element.get("date1904", "0") in ("1", "true") for element in settings)
        return tuple(self._sheet(name, target, strings, _DAY_ZERO[old_mac]) for name, target in self.parts())

    def parts(self) -> list[tuple[str, str]]:
        """Return the name of each visible worksheet and its part of the archive."""
        targets = dict(self._targets())
        named = [
            (element.get("name", ""), targets.get(_attribute(element, "id"), ""))
            for element in self._elements(_WORKBOOK, "sheet")
            if element.get("state", "visible") == "visible"
        ]
        present = set(self.archive.namelist())
        return [(name, part) for name, part in named if part in present and "/worksheets/" in part]

    def _sheet(self, name: str, target: str, strings: Sequence[str], day_zero: date) -> Sheet:
        self.formulas: set[tuple[int, int]] = set()
        rows = tuple(self._rows(target, strings))
        return Sheet(name, rows, day_zero, formulas=frozenset(self.formulas))

    def _elements(self, name: str, tag: str) -> Iterator[Element]:
        """Yield the elements of one name in one part, and clear each after use."""
        from defusedxml.common import DefusedXmlException
        from defusedxml.ElementTree import iterparse

        with self.archive.open(name) as part:
            xml = part.read(self.left + 1)  # whatever the archive declares
        self.left -= len(xml)
        if self.left < 0:
            raise Unreadable("sheet-too-large", limit=LIMIT // (1024 * 1024))
        try:
            for _, element in iterparse(io.BytesIO(xml), events=("end",), forbid_dtd=True):
                if _tag(element) == tag:
                    yield element
                if _tag(element) in ("row", "si"):
                    element.clear()
        except DefusedXmlException:
            raise Unreadable("sheet-xlsx-broken", reason="DTD") from None

    def _targets(self) -> Iterator[tuple[str, str]]:
        """Return the part of each relation of the workbook."""
        rels = "xl/_rels/workbook.xml.rels"
        if rels in self.archive.namelist():
            for element in self._elements(rels, "Relationship"):
                target = element.get("Target", "")
                yield element.get("Id", ""), posixpath.normpath(posixpath.join("/xl", target)).lstrip("/")

    def _strings(self) -> Iterator[str]:
        if "xl/sharedStrings.xml" in self.archive.namelist():
            for element in self._elements("xl/sharedStrings.xml", "si"):
                yield _rich_text(element)

    def _rows(self, target: str, strings: Sequence[str]) -> Iterator[SheetRow]:
        line = 0
        for element in self._elements(target, "row"):
            line = _within(int(element.get("r", line + 1)), LAST_ROW)
            row = row_of(line, self._cells(element, line, strings))
            if row.cells:
                yield row

    def _cells(self, row: Element, line: int, strings: Sequence[str]) -> Iterator[tuple[int, str]]:
        column = 0
        for cell in row:
            if _tag(cell) != "c":
                continue
            column = column_of(cell.get("r", ""), column)
            self.cells += 1
            if any(_tag(child) == "f" for child in cell):
                self.formulas.add((line, column))
            if self.cells > MOST_CELLS:
                raise Unreadable("sheet-too-many-cells", limit=MOST_CELLS)
            yield column, _cell_text(cell, strings)


def _tag(element: Element) -> str:
    return element.tag.rpartition("}")[2]


def _attribute(element: Element, name: str) -> str:
    """Return an attribute by its name without namespace."""
    return next((value for key, value in element.items() if key.rpartition("}")[2] == name), "")


def _rich_text(element: Element) -> str:
    """Return the text of a string without characters that no cell may contain, since codes can produce any."""
    return plain(_CODED.sub(lambda match: chr(int(match[1], 16)), _runs(element)))


def _runs(element: Element) -> str:
    """Return the joined runs of a string, without phonetic readings."""
    pieces = []
    for child in element:
        if _tag(child) == "t":
            pieces.append(child.text or "")
        elif _tag(child) == "r":
            pieces.append(_runs(child))
    return "".join(pieces)


def _cell_text(cell: Element, strings: Sequence[str]) -> str:
    kind = cell.get("t", "n")
    for child in cell:
        if kind == "inlineStr" and _tag(child) == "is":
            return _rich_text(child)
        if _tag(child) == "v":
            text = child.text or ""
            if kind == "s":
                return strings[int(text)]
            return _number_text(text) if kind == "n" else text
    return ""


def _number_text(text: str) -> str:
    """Return a whole number without decimals: programs also write ``12.0`` and ``1.2E1``."""
    try:
        number = float(text)
    except ValueError:
        return text
    return str(int(number)) if number.is_integer() and abs(number) < 10**15 else text


def column_of(address: str, before: int) -> int:
    """Return the column of an address; the next one if the cell has none."""
    match = _ADDRESS.fullmatch(address)
    if match is None:
        return _within(before + 1, LAST_COLUMN)
    column = 0
    for letter in match[1]:
        column = column * 26 + ord(letter) - ord("A") + 1
    return _within(column, LAST_COLUMN)


def _within(number: int, last: int) -> int:
    if not 1 <= number <= last:
        raise ValueError(number)
    return number


# --------------------------------------------------------------------------------------------- writing

_CREATED = datetime(2000, 1, 1)  # noqa: DTZ001  the library wants it naive; fixed, so that equal reports give equal bytes


def write_workbook(sheets: Sequence[WrittenSheet], widths: Sequence[Sequence[int]]) -> bytes:
    """Return the worksheets as XLSX; equal sheets give equal bytes."""
    import xlsxwriter

    out = io.BytesIO()
    options = {
        "in_memory": True,
        "strings_to_formulas": False,
        "strings_to_numbers": False,
        "strings_to_urls": False,
    }
    workbook = xlsxwriter.Workbook(out, options)
    workbook.set_properties({"created": _CREATED})
    for (name, rows), wide in zip(sheets, widths, strict=True):
        worksheet = workbook.add_worksheet(name)
        for line, row in enumerate(rows):
            for column, value in enumerate(row):
                _put(worksheet, line, column, value)
        for column, width in enumerate(wide):
            worksheet.set_column(column, column, width)
        worksheet.ignore_errors({"number_stored_as_text": "A1:XFD1048576"})
    workbook.close()
    return out.getvalue()


def _put(worksheet: Worksheet, line: int, column: int, value: Value) -> None:
    if isinstance(value, str):
        if value:
            worksheet.write_string(line, column, escape(value))
    elif isinstance(value, date):
        worksheet.write_string(line, column, value.isoformat())
    elif isinstance(value, Points):
        worksheet.write_number(line, column, value.half / 2)  # a half is exact in binary
    elif value is not None:
        worksheet.write_number(line, column, value)


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
            sheet = _Worksheet(package.archive.read(parts[name]))
            changed[parts[name]] = sheet.with_cells(cells)
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w") as copy:
            for info in package.archive.infolist():
                copy.writestr(info, changed.get(info.filename) or package.archive.read(info))
    return out.getvalue()


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

    def with_cells(self, cells: Mapping[tuple[int, int], str]) -> bytes:
        """Return the worksheet with cells replaced, by line and column; missing ones are put into their row."""
        pieces = [(*self.span(*place), self.written(*place, text)) for place, text in cells.items()]
        xml = self.xml
        for start, end, new in sorted(pieces, reverse=True):
            xml = xml[:start] + new + xml[end:]
        return xml

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
        style = f' s="{escape_xml(attributes["s"])}"' if "s" in attributes else ""
        start = f'<{tag} r="{column_letters(column)}{line}"{style}'
        if was_number and _NUMBER.fullmatch(text):
            written = f"{start}><{prefix}v>{text}</{prefix}v></{tag}>"
        else:
            inline = f"<{prefix}is><{prefix}t>{escape_xml(text)}</{prefix}t></{prefix}is>"
            written = f'{start} t="inlineStr">{inline}</{tag}>'
        return written.encode("ascii", "xmlcharrefreplace")

    def _cell_tag(self, line: int) -> str:
        """Return the name of a cell with the prefix of its row."""
        _, name = self.row_ends.get(line, (0, "row"))
        return name.removesuffix("row") + "c"
