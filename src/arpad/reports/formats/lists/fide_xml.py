"""Rating lists in XML, one player at a time: nothing is kept, and entities are refused."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO, NamedTuple
from xml.parsers import expat

from arpad.model.errors import Unreadable

_PIECE = 65_536
_MOST_PENDING = 200
"""Bits of text, or fields of one player, that may be open between two pieces; real lists have some twenty."""

_LAG = 1024 * 1024
"""Bytes that the parser may hold back before anything comes of them."""

_LIST_DEPTH, _PLAYER_DEPTH, _DEEPEST = 1, 2, 8
_ROOT, _PLAYER = "playerslist", "player"


class XmlEntry(NamedTuple):
    """A player's elements and attributes by their names in small letters, and where his entry begins."""

    line: int
    fields: Mapping[str, str]


def read_players(stream: BinaryIO) -> Iterator[XmlEntry]:
    """The players of a list, in the order of the file."""
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
    """Gathers the fields of the player that is being read. It is called sixty times a player, hence so terse."""

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
        """The next piece of the file; an empty one ends it."""
        try:
            self.parser.Parse(piece, not piece)
        except expat.ExpatError as error:
            raise Unreadable("xml-broken", line=error.lineno, column=error.offset + 1) from error
        except (LookupError, ValueError) as error:
            raise self.refuse("xml-encoding-unknown") from error

    def refuse(self, code: str, **facts: int | str) -> Unreadable:
        """An error at the place where the parser stands."""
        line, column = self.parser.CurrentLineNumber, self.parser.CurrentColumnNumber + 1
        return Unreadable(code, line=line, column=column, **facts)

    def pending(self) -> int:
        """How much is open, so that an entry without end is seen."""
        return max(len(self.text), len(self.fields))

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """An element begins; the blanks before it come off with those around its text."""
        self.depth = depth = self.depth + 1
        if depth == _PLAYER_DEPTH:
            self.line = self.parser.CurrentLineNumber
            self.fields = {key.lower(): value for key, value in attributes.items()}
        elif (depth == _LIST_DEPTH and name.lower() != _ROOT) or depth > _DEEPEST:
            raise self.refuse("xml-not-a-list")

    def end(self, name: str) -> None:
        """An element ends."""
        self.depth = depth = self.depth - 1
        if depth == _PLAYER_DEPTH:
            self.fields[name.lower()] = "".join(self.text)
        elif depth == _LIST_DEPTH and name.lower() == _PLAYER:
            self.ready.append(XmlEntry(self.line, self.fields))
            self.fields = {}
        self.text.clear()

    def entity(self, *_facts: Any) -> None:
        """An entity is declared: no list needs one, and some are traps."""
        raise self.refuse("xml-entities")
