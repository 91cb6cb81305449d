"""The players who asked not to be shown, and a token that changes whenever they do."""

from __future__ import annotations

from sqlalchemy import Column, Connection, Integer, MetaData, Table, func, select

from arpad.store.merges import merge_targets
from arpad.store.schema import ledger

hidden_players = Table(
    "hidden_players", MetaData(), Column("player", Integer, primary_key=True, autoincrement=False)
)
_VERBS = ("hide-player", "show-player", "erase", "merge", "unmerge")


def hidden(connection: Connection) -> frozenset[int]:
    """Return everybody who asked not to be shown, under every number of theirs."""
    asked = set(connection.execute(select(hidden_players.c.player)).scalars())
    return frozenset(all_numbers(connection, asked) if asked else ())


def all_numbers(connection: Connection, players: set[int]) -> set[int]:
    """Return all numbers of some players: those of merged players are theirs too."""
    kept = merge_targets(connection)
    ends = {kept.get(player, player) for player in players}
    return ends | {dropped for dropped, end in kept.items() if end in ends}


def hidden_version(connection: Connection) -> str:
    """Return a text that tells one set of hidden players from another and says nothing of who they are."""
    query = select(func.count(), func.max(ledger.c.seq)).where(ledger.c.verb.in_(_VERBS))
    count, last = connection.execute(query).one()
    return f"{count}-{last or 0}"
