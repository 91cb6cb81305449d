"""The published lists, and the one in force on a day (reading 3)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date

from sqlalchemy import Connection

from arpad.model.draughts import DraughtsState
from arpad.model.errors import BadInput
from arpad.model.json_values import to_capital
from arpad.model.rules import ListName
from arpad.office.lists import history_rows as list_rows
from arpad.office.lists import rows as lists
from arpad.office.lists.rows import Publication
from arpad.office.lists.tables import BASE
from arpad.office.office import Office


def publications(office: Office, on_list: ListName | None = None) -> tuple[Publication, ...]:
    """Return every published list, by day and revision."""
    with office.store.reading() as connection:
        return lists.all_publications(connection, on_list)


def publication_in_force(
    publications: Sequence[Publication], day: date, *, newest_revision: bool = False
) -> Publication | None:
    """Return the list of the latest day up to this one, in the revision published by then.

    If none was published by then, the first revision counts; a recomputation takes the newest.
    """
    shown = [p for p in publications if p.kind != BASE and p.day <= day]
    if not shown:
        return None
    latest = max(p.day for p in shown)
    revisions = sorted((p for p in shown if p.day == latest), key=lambda p: p.revision)
    if newest_revision:
        return revisions[-1]
    return next((p for p in reversed(revisions) if p.published <= day), revisions[0])


def list_on_day(connection: Connection, on_list: ListName, day: date) -> Publication:
    """Return the list in force on a day; refuse a day before the first list."""
    publication = publication_in_force(lists.all_publications(connection, on_list), day)
    if publication is None:
        raise BadInput("no-list-on-day", list=str(on_list), day=day)
    return publication


def newest(publications: Sequence[Publication], before: date | None = None) -> Publication | None:
    """Return the last list, in its newest revision or with its corrected base: the next period starts from it."""
    earlier = [p for p in publications if before is None or p.day < before]
    return max(earlier, key=lambda p: (p.day, p.revision), default=None)


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
