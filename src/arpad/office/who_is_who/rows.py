"""Pairs of players who are two people, as officers decided."""

from typing import NamedTuple

from sqlalchemy import Connection, select

from arpad.office.who_is_who.tables import distinct_players, distinct_revocations
from arpad.store.bulk import cached_until_act, revoked
from arpad.store.schema import ledger


class DistinctPair(NamedTuple):
    """Two players who are two people, with who decided it and when."""

    id: int
    player: int
    other: int
    author: str
    at: str


@cached_until_act
def distinct_pairs(connection: Connection) -> list[DistinctPair]:
    """Return the decisions in force."""
    ended = revoked(connection, distinct_revocations)
    columns = (distinct_players.c.id, distinct_players.c.player, distinct_players.c.other)
    query = select(*columns, ledger.c.author, ledger.c.at)
    query = query.join_from(distinct_players, ledger, ledger.c.seq == distinct_players.c.act)
    rows = connection.execute(query.order_by(distinct_players.c.id))
    return [DistinctPair(*row) for row in rows if row.id not in ended]
