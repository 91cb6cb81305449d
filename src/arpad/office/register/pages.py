"""Players whom pages may show."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import Connection

from arpad.model.people import Person
from arpad.office.register import hidden_rows as hidden_players
from arpad.office.register import rows as register
from arpad.office.register.scheme_rows import hidden_schemes, shown_person
from arpad.reports.number_schemes import ON_PLAYER
from arpad.web.refusals import Refused

if TYPE_CHECKING:
    pass


def public_player(connection: Connection, number: int) -> Person:
    """Return a player who may be shown; refuse the request if the player is unknown or hidden."""
    player = register.load_people(connection, [number]).get(number)
    if player is None or number in hidden_players.hidden(connection):
        raise Refused(404, "no-player")
    return shown_person(player, hidden_schemes(connection, ON_PLAYER))
