"""The names of the whole register, present and former, ready to be compared with those of entrants."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple
from weakref import WeakKeyDictionary

from sqlalchemy import Connection, select

from arpad.reports.name_candidates import NameTable
from arpad.store.bulk import fetch_rows
from arpad.store.schema import player_facts, players


class RegisterNames(NamedTuple):
    """The names as a table to search, and the year of birth of each row, 0 if unknown."""

    table: NameTable
    years: Sequence[int]


_LOADED: WeakKeyDictionary[Connection, RegisterNames] = WeakKeyDictionary()


def register_names(connection: Connection) -> RegisterNames:
    """Return the names of all players; a reading transaction loads them once."""
    names = _LOADED.get(connection)
    if names is None:
        own = select(players.c.id, players.c.name, players.c.born).order_by(players.c.id)
        later = select(player_facts.c.player, player_facts.c.value, players.c.born)
        later = later.join(players, players.c.id == player_facts.c.player).where(
            player_facts.c.field == "name"
        )
        rows = fetch_rows(connection, own)
        rows += set(fetch_rows(connection, later)).difference(rows)
        ids, texts, births = zip(*rows, strict=True) if rows else ((), (), ())
        names = RegisterNames(NameTable(ids, texts), [_year(born) for born in births])
        if connection.get_execution_options().get("arpad_reading"):
            _LOADED[connection] = names
    return names


def _year(born: str) -> int:
    return int(born[:4]) if born[:4].isdecimal() else 0
