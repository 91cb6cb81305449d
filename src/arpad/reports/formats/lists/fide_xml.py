"""Read rating lists in XML, one player at a time; entities are refused."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO, NamedTuple
from xml.parsers import expat

from arpad.model.errors import Unreadable

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
