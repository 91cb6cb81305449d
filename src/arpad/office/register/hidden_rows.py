"""The players who asked not to be shown, and a token that changes whenever they do."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple
from weakref import WeakKeyDictionary

from sqlalchemy import Connection, Engine, bindparam, delete, func, insert, select

from arpad.office.register.merge_rows import merge_targets
from arpad.office.register.tables import hidden_players
from arpad.store.act_cache import cached_until_act
from arpad.store.bulk import fetch_rows
from arpad.store.schema import ledger

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
