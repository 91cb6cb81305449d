"""The players who asked not to be shown, and a token that changes whenever they do."""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import Connection, delete, func, insert, select

from arpad.store.between_acts import kept
from arpad.store.merges import merge_targets
from arpad.store.schema import hidden_players, ledger

_VERBS = ("hide-player", "show-player", "erase", "merge", "unmerge")


def hidden(connection: Connection) -> frozenset[int]:
    """Return all numbers of all players who asked not to be shown."""
    return kept(connection, "hidden players", lambda: _hidden(connection))


def _hidden(connection: Connection) -> frozenset[int]:
    on_request = set(connection.execute(_HIDDEN).scalars())
    return frozenset(all_numbers(connection, on_request) if on_request else ())


_HIDDEN = select(hidden_players.c.player)


def set_hidden(connection: Connection, players: Collection[int], *, hidden: bool) -> None:
    """Hide players, or show them again."""
    connection.execute(delete(hidden_players).where(hidden_players.c.player.in_(players)))
    if hidden:
        connection.execute(insert(hidden_players), [{"player": player} for player in sorted(players)])


def all_numbers(connection: Connection, players: set[int]) -> set[int]:
    """Return all numbers of some players, also those that were merged into theirs."""
    targets = merge_targets(connection)
    present = {targets.get(player, player) for player in players}
    return present | {dropped for dropped, target in targets.items() if target in present}


def hidden_version(connection: Connection) -> str:
    """Return a text that differs between sets of hidden players and does not reveal who they are."""
    count, last = connection.execute(_HIDING).one()
    return f"{count}-{last or 0}"


_HIDING = select(func.count(), func.max(ledger.c.seq)).where(ledger.c.verb.in_(_VERBS))
