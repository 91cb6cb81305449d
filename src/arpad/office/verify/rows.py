"""The rows from which erasures took something, to verify what they left."""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import polars as pl
from sqlalchemy import Connection, func, select

from arpad.office.register.tables import identifiers, player_facts, players
from arpad.store.bulk import fetch_rows
from arpad.store.declared_tables import ERASE, META, counted_tables, lasting_values
from arpad.store.proved_rows import Records, key_of, migrations_of
from arpad.store.written_rows import GONE, count_digest, proved_columns, row_digests, rows_by_key


@dataclass(frozen=True, slots=True)
class ErasedRow:
    """A row whose digest an erasure took out of the record of the act that added it."""

    table: str
    line: str
    act: int
    """The act that added it."""

    digest: bytes
    """Of the values that last."""

    erased_by: tuple[int, ...]
    """The acts of erasure that changed it; none if it was deleted."""

    def lasts(self, values: Mapping[str, Any], data: str | None = None) -> bool:
        """Return whether what must last of a row is as it was; ``data`` is what lasts of its bytes, if given."""
        lasting = lasting_values(self.table, list(values.values()), data, tuple(values))
        return row_digests([lasting])[0] == self.digest

    def was_change_of(self, players: Collection[int | None]) -> bool:
        """Return whether a deleted row was a change of a number of one of some players."""
        if self.table != "identifier_changes":
            return False
        (number,) = key_of(self.line, self.table) or [0]
        return any(row_digests([(number, player, self.act)])[0] == self.digest for player in players)


def erased_rows(records: Records) -> Iterator[ErasedRow]:
    """Yield the rows whose digests are gone from the records of the acts that added them."""
    lasting = records.lasting.filter(~pl.col("table").is_in(list(counted_tables())))
    missing = lasting.join(records.rows, on=["act", "line"], how="anti", maintain_order="left")
    gone = records.rows.filter(pl.col("digest") == pl.lit(GONE, pl.Binary)).select("line", gone="act")
    missing = missing.join(gone, on="line", how="left", maintain_order="left")
    missing = missing.filter(pl.col("gone").is_null() | (pl.col("gone") < pl.col("act")))
    changed: dict[str, list[int]] = {}
    for line, act in records.rows.filter(pl.col("verb") == ERASE).select("line", "act").iter_rows():
        changed.setdefault(line, []).append(act)
    for table, line, act, digest in missing.select("table", "line", "act", "digest").unique().iter_rows():
        yield ErasedRow(table, line, act, digest, tuple(changed.get(line, ())))


def row_of(connection: Connection, row: ErasedRow) -> dict[str, Any] | None:
    """Return a row as it is now, with the columns that it had when it was added; None if it is gone."""
    rows = rows_by_key(connection, row.table, [tuple(key_of(row.line, row.table) or ())])
    if not rows:
        return None
    names = proved_columns(row.table)
    written = migrations_of(connection).as_written(row.table, names, rows[0], row.act)
    return dict(zip(names, rows[0], strict=True)) if written is None else written


def counted_rows(
    connection: Connection, records: Records, erased: Collection[int]
) -> Iterator[tuple[str, int, int]]:
    """Yield table, player and act where a player who is not erased has not the rows that the act added."""
    gone = records.rows.filter(pl.col("digest") == pl.lit(GONE, pl.Binary))["table"].unique().to_list()
    for table in sorted(counted_tables()):
        stored = META.tables[table]
        query = select(stored.c.act, stored.c.player, func.count()).group_by(stored.c.act, stored.c.player)
        now = {(act, player): rows for act, player, rows in fetch_rows(connection, query)}
        lasting = records.lasting.filter(pl.col("table") == table)
        for act, line, digest in lasting.select("act", "line", "digest").iter_rows():
            (player,) = key_of(line, table) or [0]
            rows = now.get((act, player), 0)
            taken_back = rows == 0 and table in gone
            if player not in erased and not taken_back and count_digest(rows) != digest:
                yield table, player, act


def unerased_players(
    connection: Connection, numbers: Collection[int], act: int, name_of: Callable[[int], str]
) -> list[int]:
    """Return which of some players the register still names, or gives a number, by rows from before an act."""
    own = list(numbers)
    names = dict(fetch_rows(connection, select(players.c.id, players.c.name).where(players.c.id.in_(own))))
    facts = select(player_facts.c.player, player_facts.c.value)
    facts = facts.where(
        player_facts.c.player.in_(own), player_facts.c.field == "name", player_facts.c.act < act
    )
    held = select(identifiers.c.player).where(identifiers.c.player.in_(own), identifiers.c.act < act)
    named = {player for player, name in fetch_rows(connection, facts) if name != name_of(player)}
    numbered = {player for (player,) in fetch_rows(connection, held)}
    return sorted(n for n in own if names.get(n) != name_of(n) or n in named or n in numbered)
