"""Rating lists in XML, one player at a time: nothing is kept, and entities are refused."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO, NamedTuple
from xml.parsers import expat

from arpad.errors import Unreadable

_PIECE = 65_536
_LONGEST = 10_000
"""Letters that one player's entry may hold; real ones have some six hundred."""

_LAG = 1024 * 1024
"""Bytes that the parser may hold back before anything comes of them."""

_DEEPEST = 8
_ROOT, _PLAYER = "playerslist", "player"


class Entry(NamedTuple):
    """A player's elements and attributes by their names in small letters, and where his entry begins."""

    line: int
    fields: Mapping[str, str]


def read_players(stream: BinaryIO) -> Iterator[Entry]:
    """The players of a list, in the order of the file."""
    handler = _Handler()
    fed = 0
    while True:
        piece = stream.read(_PIECE)
        fed += len(piece)
        handler.feed(piece)
        if fed - handler.parser.CurrentByteIndex > _LAG and piece:
            raise handler.refuse("xml-entry-too-long", limit=_LAG)
        yield from handler.ready
        handler.ready.clear()
        if not piece:
            return


class _Handler:
    """Gathers the fields of the player that is being read."""

    def __init__(self) -> None:
        self.ready: list[Entry] = []
        self.path: list[str] = []
        self.fields: dict[str, str] = {}
        self.text: list[str] = []
        self.length = 0
        self.line = 1
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.CharacterDataHandler = self.letters
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

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """An element begins."""
        name = name.lower()
        if (not self.path and name != _ROOT) or len(self.path) >= _DEEPEST:
            raise self.refuse("xml-not-a-list")
        self.path.append(name)
        self.text.clear()
        if name == _PLAYER:
            self.line, self.length = self.parser.CurrentLineNumber, 0
            self.fields = {key.lower(): value for key, value in attributes.items()}

    def letters(self, text: str) -> None:
        """Text inside an element."""
        self.length += len(text)
        if self.length > _LONGEST and _PLAYER in self.path:
            raise self.refuse("xml-entry-too-long", limit=_LONGEST)
        if len(self.path) > 2:  # noqa: PLR2004 (list, player, field)
            self.text.append(text)

    def end(self, _name: str) -> None:
        """An element ends."""
        name = self.path.pop()
        if name == _PLAYER:
            self.ready.append(Entry(self.line, self.fields))
        elif self.path and self.path[-1] == _PLAYER:
            self.fields[name] = "".join(self.text)
        self.text.clear()

    def entity(self, *_facts: Any) -> None:
        """An entity is declared: no list needs one, and some are traps."""
        raise self.refuse("xml-entities")
