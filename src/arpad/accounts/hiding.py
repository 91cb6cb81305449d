"""Players who asked not to be shown."""

from __future__ import annotations

from sqlalchemy import Connection, delete, insert, select

from arpad.accounts.tables import hidden_players
from arpad.office.desk import Office, acting
from arpad.store import register


def hide_player(office: Office, player: int, reason: str, *, hidden: bool = True) -> None:
    """Take a player off the public pages at his request, or bring him back; the lists stay as published."""
    with acting(office, "hide-player" if hidden else "show-player", reason, reason_needed=True) as act:
        answered = {player} if hidden else _numbers(act.connection, {player})
        act.connection.execute(delete(hidden_players).where(hidden_players.c.player.in_(answered)))
        if hidden:
            act.connection.execute(insert(hidden_players), {"player": player})
        act.record(player=player)


def hidden(connection: Connection) -> frozenset[int]:
    """Everybody who asked not to be shown, under every number that is his."""
    asked = set(connection.execute(select(hidden_players.c.player)).scalars())
    return frozenset(_numbers(connection, asked) if asked else ())


def _numbers(connection: Connection, players: set[int]) -> set[int]:
    """All numbers of some players: those of whom they were merged with are theirs."""
    kept = register.merged(connection)
    ends = {kept.get(player, player) for player in players}
    return ends | {dropped for dropped, end in kept.items() if end in ends}
