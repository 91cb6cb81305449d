"""The ratings and capitals on the list in force on a day (reading 3)."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from sqlalchemy import Connection

from arpad.model.draughts import DraughtsState
from arpad.model.json_values import to_capital
from arpad.model.rules import ListName
from arpad.office.lists import line_rows as list_rows
from arpad.office.lists import rows as lists
from arpad.office.lists.in_force import publication_in_force
from arpad.office.office import Office


def ratings_in_force(office: Office, on_list: ListName, day: date) -> dict[int, int]:
    """Return the rating of every player on the list in force on a day."""
    with office.store.reading() as connection:
        publication = publication_in_force(lists.all_publications(connection, on_list), day)
        return list_rows.ratings(connection, publication.id) if publication else {}


def ratings_on(
    connection: Connection, on_list: ListName, day: date, players: Iterable[int]
) -> dict[int, int]:
    """Return the ratings of some players on the list in force on a day."""
    publication = publication_in_force(lists.all_publications(connection, on_list), day)
    return list_rows.ratings(connection, publication.id, players) if publication else {}


def capitals_in_force(
    connection: Connection, on_list: ListName, day: date
) -> tuple[DraughtsState, ...] | None:
    """Return all standings of the draughts list in force on a day; None if none is published."""
    publication = publication_in_force(lists.all_publications(connection, on_list), day)
    if publication is None:
        return None
    return tuple(to_capital(state) for state in list_rows.states(connection, publication.id).values())
