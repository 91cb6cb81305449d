"""Players who asked not to be shown."""

from __future__ import annotations

from sqlalchemy import Connection, delete, insert, select

from arpad.accounts.tables import hidden_players
from arpad.office.desk import Office, acting


def hide_player(office: Office, player: int, reason: str, *, hidden: bool = True) -> None:
    """Take a player off the public pages at his request, or bring him back; the lists stay as published."""
    with acting(office, "hide-player" if hidden else "show-player", reason, reason_needed=True) as act:
        act.connection.execute(delete(hidden_players).where(hidden_players.c.player == player))
        if hidden:
            act.connection.execute(insert(hidden_players), {"player": player})
        act.record(player=player)


def hidden(connection: Connection) -> frozenset[int]:
    """Everybody who asked not to be shown."""
    return frozenset(row[0] for row in connection.execute(select(hidden_players.c.player)))
