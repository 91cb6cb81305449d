"""The names of the whole register, present and former, ready to be compared with those of entrants."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple
from weakref import WeakKeyDictionary

import polars as pl
from sqlalchemy import Connection, select

from arpad.reports.name_candidates import NameTable
from arpad.store.bulk import fetch_columns
from arpad.store.schema import player_facts, players


class RegisterNames(NamedTuple):
    """The names as a table to search, and the year of birth of each row, 0 if unknown."""

    table: NameTable
    years: Sequence[int]


_LOADED: WeakKeyDictionary[Connection, RegisterNames] = WeakKeyDictionary()
_SCHEMA = {"player": pl.Int64, "name": pl.String, "born": pl.String}


def register_names(connection: Connection) -> RegisterNames:
    """Return the names of all players; a reading transaction loads them once."""
    names = _LOADED.get(connection)
    if names is None:
        own = select(players.c.id, players.c.name, players.c.born)
        later = select(player_facts.c.player, player_facts.c.value, players.c.born)
        later = later.join(players, players.c.id == player_facts.c.player).where(
            player_facts.c.field == "name"
        )
        frame = pl.concat([fetch_columns(connection, query, _SCHEMA) for query in (own, later)])
        frame = frame.unique(["player", "name"]).sort("player", "name")
        years = frame["born"].str.slice(0, 4).cast(pl.Int32, strict=False).fill_null(0)
        names = RegisterNames(NameTable(frame["player"].to_list(), frame["name"].to_list()), years.to_list())
        if connection.get_execution_options().get("arpad_reading"):
            _LOADED[connection] = names
    return names
