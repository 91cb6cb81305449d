"""Players who asked not to be shown."""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import Connection

from arpad.office.office import Office, record_act
from arpad.office.parts import end_follows_of_players
from arpad.office.proof.erasure_rows import personal_values
from arpad.office.register.acts import known_player
from arpad.office.register.hidden_rows import all_numbers, set_hidden


def hide_player(office: Office, player: int, reason: str, *, hidden: bool = True) -> None:
    """Remove a player from pages, files and later lists at their request, or show them again.

    Published lists stay as they are; their files are made without the player from now on.
    """
    with record_act(office, "hide-player" if hidden else "show-player", reason, reason_needed=True) as act:
        known_player(act.connection, player)
        numbers = {player} if hidden else all_numbers(act.connection, {player})
        set_hidden(act.connection, numbers, hidden=hidden)
        if hidden:
            end_follows(act.connection, all_numbers(act.connection, numbers))
        act.record(player=player)


def end_follows(connection: Connection, players: Collection[int]) -> None:
    """End the follows of players who are not shown any more, without a mail, and remove them from waiting mails."""
    names = personal_values(connection, players).names
    end_follows_of_players(connection, players, sorted(names))
