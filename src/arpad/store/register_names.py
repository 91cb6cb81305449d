"""The names of the register, present and former, ready to be compared with those of entrants."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from threading import Lock
from typing import Any
from weakref import WeakKeyDictionary

from sqlalchemy import Connection, Engine, Select, and_, bindparam, exists, func, or_, select

from arpad.reports.name_candidates import NameTable
from arpad.store.columns import fetch_texts
from arpad.store.schema import identifier_changes, identifiers, ledger, player_facts, players

ERASED = "erase"
"""The verb of the act that replaces names: what was loaded before it is forgotten."""


@dataclass(slots=True)
class RegisterNames:
    """The names as a table to search, the year of birth of each row (0 if unknown), and the last act in them."""

    table: NameTable = field(default_factory=NameTable)
    years: list[int] = field(default_factory=list)
    last_act: int = 0

    def copy(self) -> RegisterNames:
        """Return names to which others can be added without adding them here."""
        return RegisterNames(self.table.copy(), self.years.copy(), self.last_act)


_WRITING: WeakKeyDictionary[Connection, dict[str, RegisterNames]] = WeakKeyDictionary()
_LOADED: WeakKeyDictionary[Engine, dict[str, RegisterNames]] = WeakKeyDictionary()
_LOCK = Lock()


def register_names(connection: Connection, without_scheme: str = "") -> RegisterNames:
    """Return the names of all players, or of those without a number of a scheme.

    What a process has loaded it keeps, and adds the names of later acts; so the register may also have names of players
    who are newer than this transaction. A writing transaction adds its names to a copy that ends with it.
    """
    last_act = connection.execute(_LAST_ACT).scalar() or 0
    reading = connection.get_execution_options().get("arpad_reading")
    with _LOCK:
        kept = _LOADED.setdefault(connection.engine, {})
        loaded = kept if reading else _WRITING.setdefault(connection, {})
        names = loaded.get(without_scheme) or kept.get(without_scheme, RegisterNames()).copy()
        if _erased_since(connection, names.last_act):
            names = RegisterNames()
        loaded[without_scheme] = names
        return _extended(connection, names, without_scheme, last_act)


def load_names(connection: Connection) -> RegisterNames:
    """Return the names of all players, ready to be searched, for processes that are copied from this one."""
    names = register_names(connection)
    names.table.note_rows()
    return names


def adopt_names(engine: Engine, names: RegisterNames) -> None:
    """Keep names that the process from which this one was copied has loaded from the same database."""
    _LOADED.setdefault(engine, {})[""] = names


def _erased_since(connection: Connection, act: int) -> bool:
    return connection.execute(_ERASURE, {"after": act}).first() is not None


_LAST_ACT = select(func.max(ledger.c.seq))
_ERASURE = select(ledger.c.seq).where(ledger.c.seq > bindparam("after"), ledger.c.verb == ERASED).limit(1)


def _extended(
    connection: Connection, names: RegisterNames, without_scheme: str, last_act: int
) -> RegisterNames:
    """Add the names that the acts since the last one brought."""
    if last_act <= names.last_act and names.last_act:
        return names
    for query in _later_names(without_scheme):
        numbers, spelled, births = fetch_texts(connection, query, {"after": names.last_act})
        names.table.add(list(map(int, numbers)), spelled)
        years = {born: int(born[:4]) if born[:4].isdecimal() else 0 for born in set(births)}
        names.years += map(years.__getitem__, births)
    names.last_act = last_act
    return names


@lru_cache(maxsize=16)
def _later_names(without_scheme: str) -> tuple[Select[Any], Select[Any]]:
    """Return the queries for the names that acts after one brought: of new players, and new names of others."""
    own = select(players.c.id, players.c.name, players.c.born).where(players.c.act > bindparam("after"))
    later = select(player_facts.c.player, player_facts.c.value, players.c.born)
    later = later.join(players, players.c.id == player_facts.c.player)
    later = later.where(player_facts.c.field == "name", player_facts.c.act > bindparam("after"))
    queries = own.order_by(players.c.id), later.order_by(player_facts.c.id)
    return _lacking(queries[0], without_scheme), _lacking(queries[1], without_scheme)


def _lacking(query: Select[tuple[int, str, str]], scheme: str) -> Select[tuple[int, str, str]]:
    """Narrow a query to players without a number of a scheme, and those whose number changed hands."""
    if not scheme:
        return query
    has = exists().where(identifiers.c.player == players.c.id, identifiers.c.scheme == scheme)
    changed = exists().where(
        and_(
            identifiers.c.player == players.c.id,
            identifiers.c.scheme == scheme,
            identifier_changes.c.scheme == scheme,
            identifier_changes.c.value == identifiers.c.value,
        )
    )
    return query.where(or_(~has, changed))
