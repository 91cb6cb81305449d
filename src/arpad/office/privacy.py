"""Players who asked not to be shown."""

from __future__ import annotations

from arpad.office.office import Office, record_act
from arpad.office.register import known_player
from arpad.store.hidden_players import all_numbers, set_hidden


def hide_player(office: Office, player: int, reason: str, *, hidden: bool = True) -> None:
    """Remove a player from pages, files and later lists at their request, or show them again.

    Published lists stay as they are; their files are made without the player from now on.
    """
    with record_act(office, "hide-player" if hidden else "show-player", reason, reason_needed=True) as act:
        known_player(act.connection, player)
        numbers = {player} if hidden else all_numbers(act.connection, {player})
        set_hidden(act.connection, numbers, hidden=hidden)
        act.record(player=player)
