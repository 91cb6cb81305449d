"""Read rating lists in XML into tables: the elements of a block of players are cut and read at once.

A file is plain if its players have the elements of the first one, in the same order, with nothing but text in them. A
player with more than that, such as ``&amp;`` in a name, is parsed as XML.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence

import polars as pl

from arpad.model.errors import Unreadable
from arpad.model.rules import ListName
from arpad.reports.formats.lists.fide_list import ELEMENTS, entry_row
from arpad.reports.formats.lists.fide_txt import DAMAGED
from arpad.reports.formats.lists.fide_xml import read_players
from arpad.reports.formats.lists.row_table import NotPlain, read_columns, replace_rows, table_of

_BLOCK = 8 * 1024 * 1024
_END = b"</player>"
_HEAD = re.compile(
    rb"(?:\xef\xbb\xbf)?(?:<\?xml version=[\"']1\.0[\"'](?: encoding=[\"'][Uu][Tt][Ff]-8[\"'])? ?\?>)?"
    rb"[ \t\r\n]*<playerslist>[ \t\r\n]*"
)
_TAIL = re.compile(rb"[ \t\r\n]*</playerslist>[ \t\r\n]*")
_FIRST_TAGS = re.compile(r"<([a-z_]+) ?/?>")
_GAP = "[ \t\r\n]*"
_NOT_XML = (b"\xef\xbf\xbe", b"\xef\xbf\xbf")
"""Two characters that XML does not allow."""


def read_xml_tables(stream: io.BufferedReader, on_list: ListName | None) -> Iterator[pl.DataFrame]:
    """Yield the rows of a list, a block at a time."""
    elements: tuple[str, ...] = ()
    for players in _players(stream):
        elements = elements or _elements(players[0])
        yield _table(players, elements, on_list)


def _players(stream: io.BufferedReader) -> Iterator[pl.Series]:
    """Yield the texts of players without their end tag."""
    waiting = b""
    begun = False
    try:
        while block := stream.read(_BLOCK):
            waiting += block
            if not begun:
                head = _HEAD.match(waiting)
                if head is None:
                    raise NotPlain
                waiting, begun = waiting[head.end() :], True
            whole, end, rest = waiting.rpartition(_END)
            if end:
                yield _texts(whole)
                waiting = rest
            elif len(waiting) > _BLOCK:
                raise NotPlain
    except DAMAGED as error:
        raise NotPlain from error
    if not _TAIL.fullmatch(waiting):
        raise NotPlain


def _texts(players: bytes) -> pl.Series:
    if any(letter in players for letter in _NOT_XML):
        raise NotPlain
    try:
        text = players.decode()
    except UnicodeDecodeError as error:
        raise NotPlain from error
    return pl.Series("player", [text]).str.split(_END.decode()).explode()


def _elements(first: str) -> tuple[str, ...]:
    """Return the elements of a player, in order."""
    names = _FIRST_TAGS.findall(first)[1:]
    if "fideid" not in names or len(set(names)) != len(names):
        raise NotPlain
    return tuple(names)


def _table(players: pl.Series, elements: Sequence[str], on_list: ListName | None) -> pl.DataFrame:
    """Return the rows of some players."""
    groups = (
        players.to_frame().select(pl.col("player").str.extract_groups(_pattern(elements))).unnest("player")
    )
    fields = {element: name for name, element in ELEMENTS.items() if element in elements}
    texts = groups.select(
        pl.col(element).fill_null("").str.strip_chars().alias(name) for element, name in fields.items()
    )
    combined = "rapid_rating" in elements
    table, unreadable = read_columns(texts, on_list, combined=combined)
    odd = unreadable | groups["entry"].is_null()
    return replace_rows(table, odd, lambda: _parsed(players.filter(odd), on_list, combined=combined))


def _pattern(elements: Sequence[str]) -> str:
    """Return a pattern of a plain player, with a group for each element."""
    parts = [
        rf"(?:<{name}>(?P<{name}>[^<>&\x00-\x1f]*)</{name}>{_GAP}|<{name} ?/>{_GAP})?" for name in elements
    ]
    return f"^{_GAP}<player>(?P<entry>){_GAP}{''.join(parts)}$"


def _parsed(players: pl.Series, on_list: ListName | None, *, combined: bool) -> pl.DataFrame:
    """Return the rows of players who are parsed as XML; what is not one player each is left to the reader of rows."""
    document = "".join([f"{text}{_END.decode()}" for text in players])
    try:
        entries = list(read_players(io.BytesIO(f"<playerslist>{document}</playerslist>".encode())))
        rows = [(entry_row(entry.fields), combined) for entry in entries]
    except (Unreadable, ValueError) as error:
        raise NotPlain from error
    if len(rows) != len(players):
        raise NotPlain
    return table_of(rows, on_list)
