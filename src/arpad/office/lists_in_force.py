"""The list in force on a day, and the ratings on it (reading 3)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date

from sqlalchemy import Connection

from arpad.model.rules import ListName
from arpad.office.office import Office
from arpad.store import lists
from arpad.store.lists import BASE, Publication


def list_in_force(
    found: Sequence[Publication], day: date, *, newest_revision: bool = False
) -> Publication | None:
    """The list of the latest day up to this one, in the revision published by then.

    Where none was out yet the first revision stands; a recomputation takes the newest.
    """
    shown = [p for p in found if p.kind != BASE and p.day <= day]
    if not shown:
        return None
    latest = max(p.day for p in shown)
    revisions = sorted((p for p in shown if p.day == latest), key=lambda p: p.revision)
    if newest_revision:
        return revisions[-1]
    return next((p for p in reversed(revisions) if p.published <= day), revisions[0])


def newest(found: Sequence[Publication], before: date | None = None) -> Publication | None:
    """What the next period starts from: the last list, in its newest revision or with its corrected base."""
    earlier = [p for p in found if before is None or p.day < before]
    return max(earlier, key=lambda p: (p.day, p.revision), default=None)


def ratings_in_force(office: Office, on_list: ListName, day: date) -> dict[int, int]:
    """Return the rating of every player on the list in force on a day."""
    with office.store.reading() as connection:
        publication = list_in_force(lists.all_publications(connection, on_list), day)
        return lists.ratings(connection, publication.id) if publication else {}


def ratings_on(
    connection: Connection, on_list: ListName, day: date, players: Iterable[int]
) -> dict[int, int]:
    """Return the ratings of some players on the list in force on a day."""
    publication = list_in_force(lists.all_publications(connection, on_list), day)
    return lists.ratings(connection, publication.id, players) if publication else {}
