"""Merges of two numbers of one player: which number stands for which."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from sqlalchemy import Connection, exists, select

from arpad.store.bulk import read_once
from arpad.store.schema import (
    merges,
    unmerges,
)

_ALL_MERGES = (
    select(merges.c.kept, merges.c.dropped, merges.c.act, unmerges.c.act.label("undone"))
    .join_from(merges, unmerges, unmerges.c.merge == merges.c.id, isouter=True)
    .order_by(merges.c.id)
)


def merge_targets(connection: Connection, as_of_act: int | None = None) -> dict[int, int]:
    """Dropped player → the one kept, through all merges that stand."""
    direct: dict[int, int] = {}
    for row in read_once(connection, _ALL_MERGES):
        late = as_of_act is not None and row.act > as_of_act
        undone = row.undone is not None and (as_of_act is None or row.undone <= as_of_act)
        if not late and not undone:
            direct[row.dropped] = row.kept
    return {dropped: _end(dropped, direct) for dropped in direct}


def merge_targets_of(connection: Connection, ids: Iterable[int]) -> dict[int, int]:
    """Of some players those who are merged into another, each with the one kept in the end."""
    direct: dict[int, int] = {}
    some = asked = set(ids)
    while asked:
        query = select(merges.c.dropped, merges.c.kept).where(merges.c.dropped.in_(asked))
        query = query.where(~exists().where(unmerges.c.merge == merges.c.id)).order_by(merges.c.id)
        found = {dropped: kept for dropped, kept in connection.execute(query) if dropped not in direct}
        direct |= found
        asked = set(found.values())
    return {player: _end(player, direct) for player in direct if player in some}


def _end(player: int, direct: Mapping[int, int]) -> int:
    """Return the player kept in the end; a circle, which only a damaged table has, ends where it began."""
    seen: set[int] = set()
    while player in direct and player not in seen:
        seen.add(player)
        player = direct[player]
    return player
