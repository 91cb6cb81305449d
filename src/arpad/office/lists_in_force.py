"""Which list is in force on a day, and what it says (reading 3)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date

from sqlalchemy import Connection, select

from arpad.model.chess import Standing
from arpad.model.json_values import to_standing
from arpad.model.rules import ListName
from arpad.office.office import Office
from arpad.store import lists
from arpad.store.lists import BASE, Publication
from arpad.store.schema import standings
from arpad.system.batches import batches


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
    connection: Connection, on_list: ListName, day: date, players: Iterable[int | None]
) -> dict[int, int]:
    """The ratings of some players on the list in force on a day."""
    states = standings_on(connection, on_list, day, players)
    return {player: standing.rating for player, standing in states.items() if standing.rating is not None}


def standings_on(
    connection: Connection, on_list: ListName, day: date, players: Iterable[int | None]
) -> dict[int, Standing]:
    """Where some players stand on the list in force on a day."""
    publication = list_in_force(lists.all_publications(connection, on_list), day)
    if publication is None:
        return {}
    found: dict[int, Standing] = {}
    for batch in batches({player for player in players if player is not None}):
        query = select(standings.c.player, standings.c.state)
        query = query.where(standings.c.publication == publication.id, standings.c.player.in_(batch))
        found |= {player: to_standing(player, state) for player, state in connection.execute(query)}
    return found
