"""FIDE rating lists: text in columns, with whatever columns the header names, and XML in both its layouts.

Lists hold over a million players, so they are streamed: ``open_list`` gives one row at a time and keeps none.
"""

from __future__ import annotations

import gzip
import io
import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache
from itertools import chain, islice, repeat
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, Self, cast

from arpad.errors import Unreadable
from arpad.formats.columns import Column, Layout
from arpad.formats.dates import MONTHS, read_birth
from arpad.formats.fide_xml import Entry, read_players
from arpad.formats.trf_players import OLD_TITLES, digits
from arpad.model import Birth, ListName

LONGEST_LINE = 4096
_BATCH = 500
_REMEMBERED = 16_384
"""How many different texts a reader remembers: ratings, years and counts come back all the time."""


class ListRow(NamedTuple):
    """One player of a list.

    In a list of one kind (standard, rapid or blitz), ``rating``, ``games`` and ``k`` are of that kind; in a combined
    one they are the standard ones.
    """

    id: int
    name: str = ""
    federation: str = ""
    sex: str = ""
    """``M`` or ``F``."""

    title: str = ""
    women_title: str = ""
    other_titles: str = ""
    """Arbiters', organisers' and trainers' titles, with commas between them."""

    online_title: str = ""
    rating: int | None = None
    games: int | None = None
    k: int | None = None
    rapid_rating: int | None = None
    rapid_games: int | None = None
    rapid_k: int | None = None
    blitz_rating: int | None = None
    blitz_games: int | None = None
    blitz_k: int | None = None
    born: Birth = None
    flag: str = ""
    """``i`` inactive, ``w`` woman, ``wi`` both."""

    def figures(self, name: ListName) -> tuple[int | None, int | None, int | None]:
        """Rating, games and K on one list, where the file is a combined one."""
        if name is ListName.RAPID:
            return self.rapid_rating, self.rapid_games, self.rapid_k
        if name is ListName.BLITZ:
            return self.blitz_rating, self.blitz_games, self.blitz_k
        return self.rating, self.games, self.k

    @property
    def inactive(self) -> bool:
        """Whether the list flags him as inactive."""
        return "i" in self.flag


@dataclass(slots=True)
class RatingList:
    """A list being read: what its header says, and its rows, once. Use it with ``with``, or read it to its end."""

    format: str
    """``txt`` or ``xml``."""

    rows: Iterator[ListRow]
    stream: io.BufferedReader
    columns: tuple[str, ...] = ()
    """The fields its header (text) or its first player (XML) names."""

    month: date | None = None
    """The first day of the month the header names, as in ``SEP14``."""

    other_encoding: list[int] = field(default_factory=list)
    """The first line that was not UTF-8 and was read as Western text, once it was met."""

    @property
    def combined(self) -> bool:
        """Whether standard, rapid and blitz stand side by side."""
        return "rapid_rating" in self.columns

    def __iter__(self) -> Iterator[ListRow]:
        return self.rows

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.stream.close()


def open_list(path: Path) -> RatingList:
    """A list in a file, plain or compressed with gzip; the file is closed after the last row."""
    try:
        stream = path.open("rb")
    except OSError as error:
        raise Unreadable("file-not-opened", path=str(path), reason=error.strerror or str(error)) from error
    try:
        return read_list(stream)
    except Unreadable:
        stream.close()
        raise


def read_list(stream: BinaryIO) -> RatingList:
    """A list in a stream of bytes."""
    buffered = _buffered(stream)
    try:
        if buffered.peek(2)[:2] == b"\x1f\x8b":
            buffered = _buffered(cast("BinaryIO", _Unzipped(fileobj=buffered)))
        head = buffered.peek(_HEAD)[:_HEAD]
    except _DAMAGED as error:
        raise Unreadable("file-damaged", line=1) from error
    if head.startswith(b"PK"):
        raise Unreadable("file-zip")
    if not head:
        raise Unreadable("file-empty")
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if start.startswith(b"<") or head[:2] in {b"\xff\xfe", b"\xfe\xff"}:
        return _xml_list(buffered)
    return _text_list(_Lines(buffered))


class _Unzipped(gzip.GzipFile):
    """A compressed stream that closes what it reads from, too."""

    def close(self) -> None:
        inner = cast("BinaryIO | None", self.fileobj)
        super().close()
        if inner is not None:
            inner.close()


_HEAD = 512
_DAMAGED = (OSError, EOFError, zlib.error)


def _buffered(stream: BinaryIO) -> io.BufferedReader:
    return io.BufferedReader(cast("io.RawIOBase", stream))


class _Lines:
    """Lines out of a stream, counted, with no more than one of them in memory."""

    def __init__(self, stream: io.BufferedReader) -> None:
        self.stream = stream
        self.number = 0
        self.not_utf8: list[int] = []

    def next(self) -> str | None:
        """The next line without its end; nothing after the last one."""
        try:
            data = self.stream.readline(LONGEST_LINE + 1)
        except _DAMAGED as error:
            raise Unreadable("file-damaged", line=self.number + 1) from error
        if not data:
            return None
        self.number += 1
        if b"\0" in data:
            raise Unreadable("file-binary", line=self.number, column=data.index(0) + 1)
        if len(data) > LONGEST_LINE:
            raise Unreadable("line-too-long", line=self.number, column=LONGEST_LINE, limit=LONGEST_LINE)
        try:
            text = data.decode()
        except UnicodeDecodeError:
            text = data.decode("cp1252", "replace")
            self.not_utf8[:] = self.not_utf8 or [self.number]
        return text.rstrip("\r\n")


# ------------------------------------------------------------------------------------------------ fields


def _id(text: str) -> int:
    number = digits(text)
    if not number:
        raise ValueError(text)
    return number


@lru_cache(maxsize=_REMEMBERED)
def _count(text: str) -> int | None:
    number = digits(text) if text else None
    if text and number is None:
        raise ValueError(text)
    return number


@lru_cache(maxsize=_REMEMBERED)
def _rating(text: str) -> int | None:
    return _count(text) or None


@lru_cache(maxsize=_REMEMBERED)
def _title(text: str) -> str:
    return OLD_TITLES.get(text.lower(), text)


@lru_cache(maxsize=_REMEMBERED)
def _born(text: str) -> Birth:
    born, readable = read_birth(text)
    if not readable:
        raise ValueError(text)
    return born


_READERS: Mapping[str, Callable[[str], Any]] = {
    **dict.fromkeys(ListRow._fields, str),
    **{name: _count for name in ListRow._fields if name.endswith(("games", "k"))},
    **{name: _rating for name in ListRow._fields if name.endswith("rating")},
    "id": _id,
    "title": _title,
    "women_title": _title,
    "born": _born,
}
"""How each field of a row is read; a ``ValueError`` where it cannot be."""

_ONLINE_TITLES = frozenset({"ACM", "AFM", "AIM", "AGM"})


# -------------------------------------------------------------------------------------------------- text

_NAMES: Mapping[str, str] = {
    "ID NUMBER": "id", "ID_NUMBER": "id", "ID": "id", "FIDE ID": "id", "CODE": "id",
    "NAME": "name", "FED": "federation", "COUNTRY": "federation", "SEX": "sex", "GENDER": "sex",
    "TIT": "title", "TITLE": "title", "WTIT": "women_title", "OTIT": "other_titles", "FOA": "online_title",
    "SRTNG": "rating", "SGM": "games", "SK": "k", "RTNG": "rating", "RATING": "rating",
    "GMS": "games", "GAMES": "games", "GM": "games", "K": "k",
    "RRTNG": "rapid_rating", "RGM": "rapid_games", "RK": "rapid_k",
    "BRTNG": "blitz_rating", "BGM": "blitz_games", "BK": "blitz_k",
    "B-DAY": "born", "BIRTHDAY": "born", "BIRTH": "born", "BORN": "born", "FLAG": "flag",
    "TTL": "title", "RTG": "rating", "FIDE_ID": "id",
}  # fmt: skip
"""What the words of a header mean; the month over the ratings (``SEP14``) is told by its form."""

_HEADING = re.compile(r"ID Number|FIDE ID|\S+", re.IGNORECASE)
_MONTH = re.compile(r"([A-Za-z]{3})(\d{2})", re.ASCII)


def _text_list(lines: _Lines) -> RatingList:
    header = lines.next()
    while header is not None and not header.strip("\ufeff \t"):
        header = lines.next()
    if header is None:
        raise Unreadable("file-empty")
    layout, month = _layout(header.removeprefix("\ufeff"), lines.number)
    names = tuple(column.name for column in layout.columns)
    return RatingList("txt", _text_rows(lines, layout), lines.stream, names, month, lines.not_utf8)


def _layout(header: str, line: int) -> tuple[Layout, date | None]:
    """The columns a header names: each goes to where the next begins."""
    words = list(_HEADING.finditer(header))
    names = [_NAMES.get(word[0].upper(), word[0]) for word in words]
    if "id" not in names or "name" not in names:
        raise Unreadable("list-without-header", line=line, column=1)
    month = None
    for place, word in enumerate(words):
        found = _MONTH.fullmatch(word[0])
        if found and found[1].lower() in MONTHS and "rating" not in names:
            names[place] = "rating"
            month = date(_year(int(found[2])), MONTHS[found[1].lower()], 1)
    columns = []
    for place, word in enumerate(words):
        first = 1 if place == 0 else word.start() + 1
        last = words[place + 1].start() if place + 1 < len(words) else LONGEST_LINE
        columns.append(Column(names[place], first, last))
    return Layout(tuple(columns)), month


def _year(two_digits: int) -> int:
    return two_digits + (1900 if two_digits >= 70 else 2000)  # noqa: PLR2004 (no list is older than 1970)


class _Cut(NamedTuple):
    """A row of a text list, cut into its fields."""

    number: int
    line: str
    texts: Sequence[str]


def _text_rows(lines: _Lines, layout: Layout) -> Iterator[ListRow]:
    """The rows, read by columns a few hundred at a time: half the time of reading each by itself."""
    cuts = _cut_rows(lines, layout)
    try:
        while batch := list(islice(cuts, _BATCH)):
            try:
                rows = _read_batch(batch, layout)
            except ValueError:
                # One of them is unreadable: give those before it, then say where it stands.
                rows = (_read_single(cut, layout) for cut in batch)
            yield from rows
    finally:
        lines.stream.close()


def _read_batch(batch: Sequence[_Cut], layout: Layout) -> Iterable[ListRow]:
    raw = dict(
        zip(
            (column.name for column in layout.columns),
            zip(*(cut.texts for cut in batch), strict=True),
            strict=True,
        )
    )
    columns: list[Iterable[Any]] = []
    for (name, read), nothing in zip(_READERS.items(), ListRow(0), strict=True):
        texts = map(str.strip, raw[name]) if name in raw else None
        columns.append(repeat(nothing) if texts is None else texts if read is str else list(map(read, texts)))
    return map(ListRow, *columns)


def _read_single(cut: _Cut, layout: Layout) -> ListRow:
    try:
        return next(iter(_read_batch([cut], layout)))
    except ValueError as error:
        raise _bad_row(layout, cut) from error


def _cut_rows(lines: _Lines, layout: Layout) -> Iterator[_Cut]:
    """Each row with its fields, blank ones left out."""
    titles = layout.by_name.get("other_titles")
    usual = 0
    while (line := lines.next()) is not None:
        if titles and len(line) > titles.last and " " not in line[titles.last - 1 : titles.last + 1]:
            yield _Cut(lines.number, line, _untangled(line, layout, titles, usual))
        elif line.strip(" \t\x1a"):
            usual = len(line)
            yield _Cut(lines.number, line, layout.cut(line))


def _untangled(line: str, layout: Layout, titles: Column, usual: int) -> Sequence[str]:
    """The fields of a row in which the list of titles ran over into the next column."""
    end = line.find(" ", titles.last)
    over = line[titles.last : end if end >= 0 else len(line)]
    if over in _ONLINE_TITLES:
        return layout.cut(line)
    # Either all that follows moved to the right, and the row is longer, or only blanks were covered.
    moved = len(line) == usual + len(over)
    rest = line[titles.last + len(over) :].rjust(0 if moved else len(line) - titles.last)
    texts = list(layout.cut(line[: titles.last] + rest))
    texts[layout.columns.index(titles)] += over
    return texts


def _bad_row(layout: Layout, cut: _Cut) -> Unreadable:
    """Which field of a row could not be read."""
    for column, text in zip(layout.columns, cut.texts, strict=True):
        if not _readable(_READERS.get(column.name, str), text):
            shown = text.strip()[:40]
            return Unreadable("list-row-unreadable", line=cut.number, column=column.first, text=shown)
    return Unreadable("list-row-unreadable", line=cut.number, column=1, text=cut.line[:40])


# --------------------------------------------------------------------------------------------------- XML

_ELEMENTS: Mapping[str, str] = {
    "fideid": "id", "name": "name", "country": "federation", "sex": "sex", "title": "title",
    "w_title": "women_title", "o_title": "other_titles", "foa_title": "online_title",
    "rating": "rating", "games": "games", "k": "k",
    "rapid_rating": "rapid_rating", "rapid_games": "rapid_games", "rapid_k": "rapid_k",
    "blitz_rating": "blitz_rating", "blitz_games": "blitz_games", "blitz_k": "blitz_k",
    "birthday": "born", "flag": "flag",
}  # fmt: skip
ELEMENTS: Mapping[str, str] = {name: element for element, name in _ELEMENTS.items()}
"""The element of each field, in the order of the file."""


def _xml_list(stream: io.BufferedReader) -> RatingList:
    entries = read_players(cast("BinaryIO", stream))
    try:
        first = next(entries, None)
    except _DAMAGED as error:
        raise Unreadable("file-damaged", line=1) from error
    columns = tuple(_ELEMENTS[name] for name in first.fields if name in _ELEMENTS) if first else ()
    return RatingList("xml", _xml_rows(stream, chain([first] if first else [], entries)), stream, columns)


def _xml_rows(stream: io.BufferedReader, entries: Iterable[Entry]) -> Iterator[ListRow]:
    takers = [(ELEMENTS[name], read) for name, read in _READERS.items()]
    try:
        for entry in entries:
            given = entry.fields
            try:
                yield ListRow(*[read(given.get(element, "").strip()) for element, read in takers])
            except ValueError as error:
                wrong = next(
                    element for element, read in takers if not _readable(read, given.get(element, ""))
                )
                text = given.get(wrong, "").strip()[:40]
                raise Unreadable("list-entry-unreadable", line=entry.line, field=wrong, text=text) from error
    except _DAMAGED as error:
        raise Unreadable("file-damaged", line=1) from error
    finally:
        stream.close()


def _readable(read: Callable[[str], Any], text: str) -> bool:
    try:
        read(text.strip())
    except ValueError:
        return False
    return True
