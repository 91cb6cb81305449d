"""Merges of two numbers of one player, and the players who asked not to be shown under any of their numbers."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple
from weakref import WeakKeyDictionary

from sqlalchemy import Connection, Engine, bindparam, delete, exists, func, insert, select

from arpad.office.register.tables import hidden_players, merges, unmerges
from arpad.store.act_cache import cached_until_act
from arpad.store.bulk import add_numbered, fetch_rows, last_act, read_once, rows_with
from arpad.store.schema import ledger

_ALL_MERGES = (
    select(merges.c.kept, merges.c.dropped, merges.c.act, unmerges.c.act.label("undone"))
    .join_from(merges, unmerges, unmerges.c.merge == merges.c.id, isouter=True)
    .order_by(merges.c.id)
)
_ACTIVE = ~exists().where(unmerges.c.merge == merges.c.id)
ACTIVE_MERGES = select(merges.c.dropped, merges.c.kept).where(_ACTIVE).order_by(merges.c.id)


def add_merge(connection: Connection, target: int, dropped: int, act: int) -> int:
    """Add a merge; return its number."""
    return add_numbered(connection, merges, {"kept": target, "dropped": dropped, "act": act})


def add_unmerge(connection: Connection, merge: int, act: int) -> None:
    """Undo a merge."""
    connection.execute(insert(unmerges), {"merge": merge, "act": act})


def active_merge(connection: Connection, number: int) -> tuple[int, int] | None:
    """Return the kept and the dropped number of a merge that was not undone."""
    query = select(merges.c.kept, merges.c.dropped).where(merges.c.id == number, _ACTIVE)
    row = connection.execute(query).first()
    return (row.kept, row.dropped) if row else None


def merges_into(connection: Connection, target: int) -> dict[int, int]:
    """Return the active merges into a player: number of the merge → dropped number."""
    query = select(merges.c.id, merges.c.dropped).where(merges.c.kept == target, _ACTIVE)
    return {row.id: row.dropped for row in connection.execute(query.order_by(merges.c.id))}


def last_merge_act(connection: Connection) -> int:
    """Return the act of the last merge or unmerge, or 0."""
    return last_act(connection, merges, unmerges)


def merge_targets(connection: Connection, as_of_act: int | None = None) -> dict[int, int]:
    """Return all merged numbers, each with the number used instead, now or at an act."""
    direct: dict[int, int] = {}
    for row in read_once(connection, _ALL_MERGES):
        later = as_of_act is not None and row.act > as_of_act
        undone = row.undone is not None and (as_of_act is None or row.undone <= as_of_act)
        if not later and not undone:
            direct[row.dropped] = row.kept
    return {dropped: merge_target(dropped, direct) for dropped in direct}


def merge_targets_of(connection: Connection, players: Iterable[int]) -> dict[int, int]:
    """Return those of some numbers that are merged, each with the number used instead."""
    direct: dict[int, int] = {}
    requested = numbers = set(players)
    while numbers:
        rows = rows_with(connection, ACTIVE_MERGES, merges.c.dropped, numbers)
        step = {dropped: target for dropped, target in rows if dropped not in direct}
        direct |= step
        numbers = set(step.values())
    return {player: merge_target(player, direct) for player in direct if player in requested}


def merge_target(player: int, direct: Mapping[int, int]) -> int:
    """Follow the merges of a player to the end; a circle (only in a damaged table) ends at its first player."""
    passed: set[int] = set()
    while player in direct and player not in passed:
        passed.add(player)
        player = direct[player]
    return player


def merged_in_a_circle(connection: Connection) -> list[int]:
    """Return the players who are merged into each other, or into themselves."""
    direct = dict(fetch_rows(connection, ACTIVE_MERGES))
    return [player for player in direct if merge_target(player, direct) == player]


_VERBS = ("hide-player", "show-player", "erase", "merge", "unmerge")


@cached_until_act
def hidden(connection: Connection) -> frozenset[int]:
    """Return all numbers of all players who asked not to be shown."""
    on_request = set(connection.execute(select(hidden_players.c.player)).scalars())
    return frozenset(all_numbers(connection, on_request) if on_request else ())


def set_hidden(connection: Connection, players: Collection[int], *, hidden: bool) -> None:
    """Hide players, or show them again."""
    connection.execute(delete(hidden_players).where(hidden_players.c.player.in_(players)))
    if hidden:
        connection.execute(insert(hidden_players), [{"player": player} for player in sorted(players)])


def all_numbers(connection: Connection, players: set[int]) -> set[int]:
    """Return all numbers of some players, also those that were merged into theirs."""
    targets = merge_targets(connection)
    present = {targets.get(player, player) for player in players}
    return present | {dropped for dropped, target in targets.items() if target in present}


def hidden_version(connection: Connection) -> str:
    """Return a text that differs between sets of hidden players and does not reveal who they are."""
    known = _counted.get(connection.engine)
    if known is None or connection.execute(_SEAL, {"seq": known.seq}).scalar() != known.seal:
        known = _CountedActs(0, "", 0, 0)
    for seq, seal, counted, last in fetch_rows(connection, _LATER_ACTS, {"seq": known.seq}):
        known = _CountedActs(seq, seal, known.counted + counted, last or known.last)
    _counted[connection.engine] = known
    return f"{known.counted}-{known.last}"


class _CountedActs(NamedTuple):
    """The acts up to one of them that may change who is hidden."""

    seq: int
    seal: str
    counted: int
    last: int


_counted: WeakKeyDictionary[Engine, _CountedActs] = WeakKeyDictionary()
"""The acts that the last transaction of each office counted: the next one reads only later ones."""

_SEAL = select(ledger.c.digest).where(ledger.c.seq == bindparam("seq"))
_LATER = (
    select(
        func.max(ledger.c.seq).label("seq"),
        func.count().filter(ledger.c.verb.in_(_VERBS)).label("counted"),
        func.max(ledger.c.seq).filter(ledger.c.verb.in_(_VERBS)).label("last"),
    )
    .where(ledger.c.seq > bindparam("seq"))
    .subquery()
)
_LATER_ACTS = select(_LATER.c.seq, ledger.c.digest, _LATER.c.counted, _LATER.c.last).join(
    ledger, ledger.c.seq == _LATER.c.seq
)
