"""Read FIDE rating lists: text with the columns of its header, and XML in both layouts.

Lists have over a million players, so they are streamed: ``open_list`` yields one row at a time and keeps none.
"""

import gzip
import io
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from itertools import chain
from pathlib import Path
from typing import IO, Any, BinaryIO, NamedTuple, Self, cast
from xml.parsers import expat

from arpad.model.errors import Unreadable
from arpad.reports.formats.lists.fide_rows import READERS, ListRow, readable
from arpad.reports.formats.lists.fide_txt import DAMAGED, CountedLines, read_heading, read_rows
from arpad.reports.formats.lists.layouts import BY_HEADER, Reading

_PIECE = 65_536
_MOST_PENDING = 200
"""Limit of text pieces or fields of one player at a time; real lists have about twenty."""

_LAG = 1024 * 1024
"""Bytes that the parser may buffer without a result."""

_LIST_DEPTH, _PLAYER_DEPTH, _DEEPEST = 1, 2, 8
_ROOT, _PLAYER = "playerslist", "player"


class XmlEntry(NamedTuple):
    """A player's elements and attributes by lower-case name, and the line of the entry."""

    line: int
    fields: Mapping[str, str]


def read_players(stream: BinaryIO) -> Iterator[XmlEntry]:
    """Yield the players of a list, in the order of the file."""
    handler = _Handler()
    fed = 0
    while True:
        piece = stream.read(_PIECE)
        fed += len(piece)
        handler.feed(piece)
        if piece and (fed - handler.parser.CurrentByteIndex > _LAG or handler.pending() > _MOST_PENDING):
            raise handler.refuse("xml-entry-too-long", limit=_LAG)
        yield from handler.ready
        handler.ready.clear()
        if not piece:
            return


class _Handler:
    """SAX handler that collects the fields of a player. It is called sixty times per player, hence so terse."""

    def __init__(self) -> None:
        self.ready: list[XmlEntry] = []
        self.depth = 0
        self.fields: dict[str, str] = {}
        self.text: list[str] = []
        self.line = 1
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.CharacterDataHandler = self.text.append
        self.parser.EntityDeclHandler = self.entity

    def feed(self, piece: bytes) -> None:
        """Parse the next piece of the file; an empty one ends it."""
        try:
            self.parser.Parse(piece, not piece)
        except expat.ExpatError as error:
            raise Unreadable("xml-broken", line=error.lineno, column=error.offset + 1) from error
        except (LookupError, ValueError) as error:
            raise self.refuse("xml-encoding-unknown") from error

    def refuse(self, code: str, **facts: int | str) -> Unreadable:
        """Return an error at the parser's position."""
        line, column = self.parser.CurrentLineNumber, self.parser.CurrentColumnNumber + 1
        return Unreadable(code, line=line, column=column, **facts)

    def pending(self) -> int:
        """Return the amount of unfinished input, to detect an endless entry."""
        return max(len(self.text), len(self.fields))

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """SAX start handler; whitespace between elements is ignored."""
        self.depth = depth = self.depth + 1
        if depth == _PLAYER_DEPTH:
            self.line = self.parser.CurrentLineNumber
            self.fields = {key.lower(): value for key, value in attributes.items()}
        elif (depth == _LIST_DEPTH and name.lower() != _ROOT) or depth > _DEEPEST:
            raise self.refuse("xml-not-a-list")

    def end(self, name: str) -> None:
        """SAX end handler."""
        self.depth = depth = self.depth - 1
        if depth == _PLAYER_DEPTH:
            self.fields[name.lower()] = "".join(self.text)
        elif depth == _LIST_DEPTH and name.lower() == _PLAYER:
            self.ready.append(XmlEntry(self.line, self.fields))
            self.fields = {}
        self.text.clear()

    def entity(self, *_facts: Any) -> None:
        """Refuse an entity: no list needs one, and some are attacks."""
        raise self.refuse("xml-entities")


_HEAD = 512
_ZIP = b"PK\x03\x04"
_SMALL, _MOST_UNPACKED = 64 << 20, 200
"""A list shrinks about tenfold: what becomes 200 times as large is an attack."""

_ELEMENTS: Mapping[str, str] = {
    "fideid": "id", "name": "name", "country": "federation", "sex": "sex", "title": "title",
    "w_title": "women_title", "o_title": "other_titles", "foa_title": "online_title",
    "rating": "rating", "games": "games", "k": "k",
    "rapid_rating": "rapid_rating", "rapid_games": "rapid_games", "rapid_k": "rapid_k",
    "blitz_rating": "blitz_rating", "blitz_games": "blitz_games", "blitz_k": "blitz_k",
    "birthday": "born", "flag": "flag", "register_number": "number",
}  # fmt: skip
ELEMENTS: Mapping[str, str] = {name: element for element, name in _ELEMENTS.items()}
"""The element of each field, in the order of the file."""


@dataclass(slots=True)
class RatingList:
    """An open list: its header and its rows, which can be read once. Use it with ``with``, or read it to its end."""

    format: str
    """``txt`` or ``xml``."""

    rows: Iterator[ListRow]
    stream: io.BufferedReader
    columns: tuple[str, ...] = ()
    """The fields of its header (text) or of its first player (XML)."""

    month: date | None = None
    """The first day of the month in the header, as in ``SEP14``."""

    @property
    def combined(self) -> bool:
        """Return whether the list has standard, rapid and blitz ratings."""
        return "rapid_rating" in self.columns

    def __iter__(self) -> Iterator[ListRow]:
        return self.rows

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.stream.close()


def open_list(path: Path, reading: Reading = BY_HEADER) -> RatingList:
    """Open a list in a file, plain or compressed with gzip or ZIP; the file is closed after the last row."""
    stream = open_file(path)
    try:
        return read_list(stream, reading)
    except Unreadable:
        stream.close()
        raise


def open_file(path: Path) -> BinaryIO:
    """Open a file of any format."""
    try:
        return path.open("rb")
    except OSError as error:
        raise Unreadable("file-not-opened", path=str(path), reason=error.strerror or str(error)) from error


def read_list(stream: BinaryIO, reading: Reading = BY_HEADER) -> RatingList:
    """Open a list in a stream of bytes."""
    buffered, is_xml = unpack(stream)
    if is_xml:
        return _xml_list(buffered)
    lines = CountedLines(buffered)
    layout, month = read_heading(lines, reading.columns)
    names = tuple(column.name for column in layout.columns)
    return RatingList("txt", read_rows(lines, layout, reading), buffered, names, month)


def unpack(stream: BinaryIO) -> tuple[io.BufferedReader, bool]:
    """Return the bytes of a list, decompressed, and whether they are XML."""
    buffered: io.BufferedReader = io.BufferedReader(cast("io.RawIOBase", stream))
    try:
        start = buffered.peek(4)[:4]
        if start[:2] == b"\x1f\x8b":
            buffered = _Unpacked(cast("BinaryIO", gzip.GzipFile(fileobj=buffered)), buffered)
        elif start == _ZIP:
            buffered = _Unpacked(_zip_member(buffered), buffered)
        head = buffered.peek(_HEAD)[:_HEAD]
    except DAMAGED as error:
        raise Unreadable("file-damaged", line=1) from error
    if head.startswith(b"PK"):
        raise Unreadable("file-zip")
    if not head:
        raise Unreadable("file-empty")
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    return buffered, start.startswith(b"<") or head[:2] in {b"\xff\xfe", b"\xfe\xff"}


class _Unpacked(io.BufferedReader):
    """The decompressed bytes of a source, which is closed with them."""

    def __init__(self, unpacked: BinaryIO | IO[bytes], source: io.BufferedReader) -> None:
        super().__init__(cast("io.RawIOBase", unpacked))
        self.source = source

    def close(self) -> None:
        super().close()
        self.source.close()


def _zip_member(source: io.BufferedReader) -> IO[bytes]:
    """Open the only list in a ZIP archive."""
    archive = zipfile.ZipFile(source)
    lists = [info for info in archive.infolist() if info.filename.lower().endswith((".txt", ".xml"))]
    if len(lists) != 1:
        raise Unreadable("zip-lists", count=len(lists))
    (member,) = lists
    if member.flag_bits & 1:
        raise Unreadable("archive-encrypted", path=member.filename)
    if member.file_size > max(_SMALL, _MOST_UNPACKED * member.compress_size):
        raise Unreadable(
            "archive-too-large", path=member.filename, most=_MOST_UNPACKED * member.compress_size >> 20
        )
    try:
        return archive.open(member)
    except (NotImplementedError, RuntimeError) as error:
        raise Unreadable("file-damaged", line=1) from error


def _xml_list(stream: io.BufferedReader) -> RatingList:
    entries = read_players(cast("BinaryIO", stream))
    try:
        first = next(entries, None)
    except DAMAGED as error:
        raise Unreadable("file-damaged", line=1) from error
    columns = tuple(_ELEMENTS[name] for name in first.fields if name in _ELEMENTS) if first else ()
    return RatingList("xml", _xml_rows(stream, chain([first] if first else [], entries)), stream, columns)


def _xml_rows(stream: io.BufferedReader, entries: Iterable[XmlEntry]) -> Iterator[ListRow]:
    try:
        for entry in entries:
            texts = entry.fields
            try:
                yield ListRow(*[read(texts.get(element, "").strip()) for element, read in _TAKERS])
            except ValueError as error:
                wrong = next(
                    element for element, read in _TAKERS if not readable(read, texts.get(element, ""))
                )
                text = texts.get(wrong, "").strip()[:40]
                raise Unreadable("list-entry-unreadable", line=entry.line, field=wrong, text=text) from error
    except DAMAGED as error:
        raise Unreadable("file-damaged", line=1) from error
    finally:
        stream.close()


_TAKERS = [(ELEMENTS[name], read) for name, read in READERS.items() if name in ELEMENTS]
