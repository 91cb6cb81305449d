"""The rows that an import added to the register, by its act: to show them, and to remove them if it is taken back."""

from collections.abc import Set as AbstractSet
from dataclasses import dataclass

import polars as pl
from sqlalchemy import Connection, Select, delete, select

from arpad.office.register.name_rows import renew_words
from arpad.office.register.tables import identifier_changes, identifiers, name_keys, player_facts, players
from arpad.store.bulk import fetch_rows, in_values
from arpad.store.columns import fetch_columns
from arpad.store.declared_tables import whole_schema
from arpad.store.triggers import allow_changes

_REGISTER = ("players", "player_facts", "identifiers", "identifier_changes")


@dataclass(frozen=True, slots=True)
class RemovedRows:
    """How much of the register a taken-back import leaves as it was before."""

    players: int
    facts: int
    identifiers: int
    kept: int
    """Newcomers who stay, since something refers to them by now."""


def newcomers_of(connection: Connection, act: int) -> pl.DataFrame:
    """Return the players whom an act added: ``player``, ``name``."""
    query = select(players.c.id, players.c.name).where(players.c.act == act).order_by(players.c.id)
    return fetch_columns(connection, query, {"player": pl.Int64, "name": pl.String})


def facts_added(connection: Connection, act: int) -> pl.DataFrame:
    """Return the facts about known players that an act added: ``player``, ``field``, ``after``."""
    query = select(player_facts.c.player, player_facts.c.field, player_facts.c.value)
    query = query.where(player_facts.c.act == act).order_by(player_facts.c.player, player_facts.c.id)
    schema = {"player": pl.Int64, "field": pl.String, "after": pl.String}
    return pl.DataFrame(fetch_rows(connection, query), schema=schema, orient="row")


def remove_import(connection: Connection, act: int, listed: AbstractSet[int] = frozenset()) -> RemovedRows:
    """Remove what an import added to the register: facts, numbers and newcomers, except those who are used since.

    ``listed`` are players who are on other lists: the blocks of a list refer to players without a key.
    """
    newcomers_listed = listed & set(newcomers_of(connection, act)["player"]) if listed else set()
    kept = sorted(_used_newcomers(connection, act) | newcomers_listed)
    with allow_changes(connection, _REGISTER):
        newcomers = select(players.c.id).where(players.c.act == act)
        if kept:
            newcomers = newcomers.where(~in_values(connection, players.c.id, kept))
        renamed = [player for player, field, _ in facts_added(connection, act).iter_rows() if field == "name"]
        counts = []
        for table in (player_facts, identifiers, identifier_changes):
            rows = table.c.act == act
            if kept:
                rows &= table.c.player.is_(None) | ~in_values(connection, table.c.player, kept)
            counts.append(connection.execute(delete(table).where(rows)).rowcount)
        renew_words(connection, renamed)
        connection.execute(delete(name_keys).where(name_keys.c.player.in_(newcomers)))
        removed = connection.execute(delete(players).where(players.c.id.in_(newcomers))).rowcount
    return RemovedRows(removed, counts[0], counts[1] + counts[2], len(kept))


def _used_newcomers(connection: Connection, act: int) -> set[int]:
    """Return the players of an act to whom rows of other acts refer."""
    used: set[int] = set()
    for table in whole_schema().sorted_tables:
        for column in table.columns:
            if any(key.column is players.c.id for key in column.foreign_keys):
                query: Select[tuple[int]] = select(column).join(players, players.c.id == column)
                query = query.where(players.c.act == act)
                if "act" in table.c:
                    query = query.where(table.c.act != act)
                used |= {player for (player,) in fetch_rows(connection, query.distinct())}
    return used
