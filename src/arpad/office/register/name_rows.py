"""The names of the register, present and former, ready to be compared with those of entrants.

The names of players as they were registered are also kept in plain letters, in parts of ``store.columns``: half a
million are loaded in a third of the time. Former and later names are few, and read from their table.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import WeakKeyDictionary

from sqlalchemy import Connection, Engine, Select, bindparam, delete, exists, or_, select

from arpad.model import names
from arpad.model.names import DIVIDER, plain_column, transliterated
from arpad.office.register.tables import identifier_changes, identifiers, name_keys, player_facts, players
from arpad.reports.name_candidates import NameTable
from arpad.store.bulk import fetch_rows, in_values, rows_with
from arpad.store.ledger import next_seq
from arpad.store.schema import ledger

if TYPE_CHECKING:
    import polars as pl

MOST_CANDIDATES = 20_000
"""Rows of the index that one search reads at most."""


def add_words(connection: Connection, named: Iterable[tuple[int, str]]) -> None:
    """Add the words of the names of players to the index."""
    rows = [(word, player) for player, name in named for word in search_words(name)]
    if rows:
        mark = "?" if connection.dialect.name == "sqlite" else "%s"
        statement = f"INSERT INTO name_keys (word, player) VALUES ({mark}, {mark}) ON CONFLICT DO NOTHING"  # noqa: S608  our own table
        connection.exec_driver_sql(statement, rows)


def renew_words(connection: Connection, numbers: Collection[int]) -> None:
    """Index some players again, from the names that they have and had."""
    connection.execute(delete(name_keys).where(in_values(connection, name_keys.c.player, numbers)))
    add_words(connection, names_of(connection, numbers))


def names_of(connection: Connection, numbers: Collection[int]) -> list[tuple[int, str]]:
    """Return the names that some players have and had, the present one of a player last."""
    first = rows_with(connection, _FIRST_NAMES, players.c.id, numbers)
    return [*first, *rows_with(connection, _LATER_NAMES, player_facts.c.player, numbers)]


_FIRST_NAMES = select(players.c.id, players.c.name)
_LATER_NAMES = (
    select(player_facts.c.player, player_facts.c.value)
    .where(player_facts.c.field == "name")
    .order_by(player_facts.c.since, player_facts.c.id)
)


def searched_words(text: str) -> list[str]:
    """Return the words of a searched text as they are written in the index."""
    return [written(word) for word in names.fold(transliterated(text))]


def search_words(name: str) -> set[str]:
    """Return the words of a name as they are searched: without the e of umlauts, and by sound with a leading ``~``."""
    return {form for word in names.fold(transliterated(name)) for form in word_forms(word)}


@lru_cache(maxsize=65_536)
def word_forms(word: str) -> tuple[str, str]:
    """Return a word as it is searched: as it is written, and by its sound."""
    plain = written(word)
    return plain, "~" + sound(plain)


def written(word: str) -> str:
    """Return a word without the e that is written for an umlaut."""
    return re.sub(r"(?<=[aou])e", "", word)


_SOUNDS = (
    ("tsch", "k"), ("tch", "k"), ("sch", "s"), ("sh", "s"), ("zh", "s"), ("ch", "k"), ("kh", "h"), ("ck", "k"),
    ("ph", "f"), ("th", "t"), ("tz", "s"), ("ts", "s"), ("cz", "s"), ("z", "s"), ("c", "k"), ("q", "k"),
    ("x", "ks"), ("w", "f"), ("v", "f"), ("y", "i"), ("j", "i"),
)  # fmt: skip


def sound(word: str) -> str:
    """Return a word by its sound, alike for all transcriptions: Kortschnoi, Korchnoi, Korčnoj."""
    for written, heard in _SOUNDS:
        word = word.replace(written, heard)
    return re.sub(r"(.)\1+", r"\1", word)


ERASED = "erase"
"""The verb of the act that replaces names: what was loaded before it is forgotten."""

NAMES = "names"
"""The name of the parts with the names of players as they were registered."""


class NameRows(NamedTuple):
    """The names of some players as columns of bytes: numbers of 64 bits, years of 16 bits, and lines."""

    players: bytes = b""
    years: bytes = b""
    """Years of birth, 0 if unknown."""

    lines: bytes = b""
    """The names in plain letters, each with a line feed."""

    def packed(self) -> bytes:
        """Return the rows as the data of a part, which begin with the size of the players."""
        return b"".join((len(self.players).to_bytes(8, "little"), *self))

    @classmethod
    def unpacked(cls, data: bytes) -> NameRows:
        """Return the rows of a part."""
        size = int.from_bytes(data[:8], "little")
        ends = 8 + size, 8 + size + size // 4
        return cls(data[8 : ends[0]], data[ends[0] : ends[1]], data[ends[1] :])


@dataclass(slots=True)
class RegisterNames:
    """The names as a table to search, the year of birth of each row (0 if unknown), and the last act in them."""

    table: NameTable = field(default_factory=NameTable)
    years: array[int] = field(default_factory=lambda: array("h"))
    last_act: int = 0

    def copy(self) -> RegisterNames:
        """Return names to which others can be added without adding them here."""
        return RegisterNames(self.table.copy(), self.years[:], self.last_act)

    def add(self, *some: NameRows) -> None:
        """Add names."""
        numbers, years, lines = map(b"".join, zip(*some, strict=True))
        self.table.add_column(array("q", numbers), lines)
        self.years.frombytes(years)


_WRITING: WeakKeyDictionary[Connection, dict[str, RegisterNames]] = WeakKeyDictionary()
_LOADED: WeakKeyDictionary[Engine, dict[str, RegisterNames]] = WeakKeyDictionary()
_LOCK = Lock()


def register_names(connection: Connection, without_scheme: str = "") -> RegisterNames:
    """Return the names of all players, or of those without a number of a scheme.

    What a process has loaded it keeps, and adds the names of later acts; so the register may also have names of players
    who are newer than this transaction. A writing transaction adds its names to a copy that ends with it.
    """
    last = next_seq(connection) - 1
    reading = connection.get_execution_options().get("arpad_reading")
    with _LOCK:
        kept = _LOADED.setdefault(connection.engine, {})
        loaded = kept if reading else _WRITING.setdefault(connection, {})
        names = loaded.get(without_scheme) or kept.get(without_scheme, RegisterNames()).copy()
        if connection.execute(_ERASURE, {"after": names.last_act}).first() is not None:
            names = RegisterNames()
        loaded[without_scheme] = names
        if last > names.last_act or not names.last_act:
            after, copied = names.last_act, tuple[NameRows, ...]()
            if not after and not without_scheme:
                after, copied = _copied(connection)
            own = _fetch(connection, _registered(without_scheme, later=bool(after)), {"after": after})
            names.add(*copied, own)
            names.add(_fetch(connection, _renamed(without_scheme), {"after": names.last_act}))
            names.last_act = last
        return names


def load_names(connection: Connection) -> RegisterNames:
    """Return the names of all players, ready to be searched, for processes that are copied from this one."""
    names = register_names(connection)
    names.table.note_rows()
    return names


def adopt_names(engine: Engine, names: RegisterNames) -> None:
    """Keep names that the process from which this one was copied has loaded from the same database."""
    _LOADED.setdefault(engine, {})[""] = names


def all_names(connection: Connection) -> list[tuple[int, str]]:
    """Return the names of all players, present and former, as they are written."""
    queries = (query.with_only_columns(*query.selected_columns[:2]) for query in (_registered(), _renamed()))
    return [
        (player, name) for query in queries for player, name in fetch_rows(connection, query, {"after": 0})
    ]


_ERASURE = select(ledger.c.seq).where(ledger.c.seq > bindparam("after"), ledger.c.verb == ERASED).limit(1)


@lru_cache(maxsize=32)
def _registered(without_scheme: str = "", *, later: bool = False) -> Select[Any]:
    """Return the query for players, with name and birth: all, or those whom the acts ``after`` one registered."""
    query = select(players.c.id, players.c.name, players.c.born)
    if later:
        query = query.where(players.c.act > bindparam("after")).order_by(players.c.act, players.c.id)
    else:
        query = query.order_by(players.c.id)
    return _lacking(query, without_scheme)


@lru_cache(maxsize=16)
def _renamed(without_scheme: str = "") -> Select[Any]:
    """Return the query for the names that players got later, by the acts ``after`` one."""
    query = select(player_facts.c.player, player_facts.c.value, players.c.born)
    query = query.join(players, players.c.id == player_facts.c.player)
    query = query.where(player_facts.c.field == "name", player_facts.c.act > bindparam("after"))
    return _lacking(query.order_by(player_facts.c.id), without_scheme)


def _fetch(connection: Connection, query: Select[Any], values: Mapping[str, Any] | None = None) -> NameRows:
    """Return the names of a query for players, names and births."""
    from arpad.store.columns import fetch_joined

    count, (numbers, names, births) = fetch_joined(connection, query, values)
    if not count:
        return NameRows()
    return NameRows(
        array("q", map(int, numbers.split(DIVIDER))).tobytes(),
        _years(births.split(DIVIDER)),
        plain_column(names),
    )


def _years(births: Sequence[str]) -> bytes:
    """Return the years of births, which are texts."""
    years = {born: int(born[:4]) if born[:4].isdecimal() else 0 for born in {*births}}
    return array("h", map(years.__getitem__, births)).tobytes()


def _lacking(query: Select[Any], scheme: str) -> Select[Any]:
    """Narrow a query to players without a number of a scheme, and those whose number changed hands."""
    if not scheme:
        return query
    has = exists().where(identifiers.c.player == players.c.id, identifiers.c.scheme == scheme)
    changed = exists().where(
        identifiers.c.player == players.c.id, identifiers.c.scheme == scheme,
        identifier_changes.c.scheme == scheme, identifier_changes.c.value == identifiers.c.value,
    )  # fmt: skip
    return query.where(or_(~has, changed))


def name_rows(people: pl.DataFrame) -> NameRows:
    """Return the names of players of the register, which have ``player``, ``name`` and ``born``."""
    if people.is_empty():
        return NameRows()
    names = people["name"].str.replace_all(DIVIDER, " ", literal=True)
    return NameRows(
        people["player"].to_numpy().tobytes(),
        _years(people["born"].to_list()),
        plain_column(DIVIDER.join(names.to_list())),
    )


def _copied(connection: Connection) -> tuple[int, tuple[NameRows, ...]]:
    """Return the last act whose players the parts have, and their names; 0 and none if the parts are not whole."""
    from arpad.store.columns import parts_of

    parts = parts_of(connection, NAMES)
    if not parts or not all(part.is_intact() for part in parts):
        return 0, ()
    return parts[-1].act, tuple(NameRows.unpacked(part.data) for part in parts)
