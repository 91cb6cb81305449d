"""How many active players of a list have which rating: for its picture, and for the rank of a player.

The counts of the lists asked for last are kept in memory: a list never changes, and a page that names one rank must not
read a list of a million players.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import polars as pl
from sqlalchemy import Connection

from arpad.lists.cuts import ACTIVE
from arpad.store.list_blocks import read_table
from arpad.store.lists import Publication
from arpad.system.lru import Lru


@dataclass(frozen=True, slots=True)
class RatingCounts:
    """The active players of a list by rating."""

    counts: Mapping[int, int]
    """Rating → players, the highest first."""

    players: int

    def rank(self, rating: int) -> int:
        """Return the rank of a rating; equal ratings share one."""
        return 1 + sum(count for other, count in self.counts.items() if other > rating)

    def below(self, rating: int) -> int:
        """Return how many players have a lower rating."""
        return sum(count for other, count in self.counts.items() if other < rating)


_LAST: Lru[RatingCounts] = Lru(16)


def rating_counts(connection: Connection, publication: Publication) -> RatingCounts:
    """Return the active players of a list by rating."""
    key = (publication.id, publication.standings_digest)
    return _LAST.get(key, lambda: _counted(connection, publication))


def _counted(connection: Connection, publication: Publication) -> RatingCounts:
    table = read_table(connection, publication.id, ("rating", "inactive", "listed"))
    rows = table.filter(pl.col("listed") & ACTIVE)["rating"].value_counts().sort("rating", descending=True)
    by_rating = dict(rows.iter_rows())
    return RatingCounts(by_rating, sum(by_rating.values()))
