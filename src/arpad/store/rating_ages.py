"""The ratings of the active players of a list by their age, for its picture.

What was made of the lists asked for last is kept in memory, as in ``rating_counts``.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from itertools import pairwise

import polars as pl
from sqlalchemy import Connection

from arpad.lists.cuts import ACTIVE
from arpad.store.list_blocks import read_table
from arpad.store.lists import Publication
from arpad.system.lru import Lru

_FIRST_YEARS = (0, 10, 15, 20, 30, 40, 50, 60, 70, 80, 150)
"""The first age of each group; the last number ends the last group."""


@dataclass(frozen=True, slots=True)
class AgeSpread:
    """The ratings of the players of some ages."""

    first: int
    last: int | None
    """None for everybody from ``first`` on."""

    players: int
    lowest: int
    quarter: int
    median: int
    three_quarters: int
    highest: int


_LAST: Lru[tuple[AgeSpread, ...]] = Lru(16)


def rating_ages(
    connection: Connection, publication: Publication, hidden: Collection[int]
) -> tuple[AgeSpread, ...]:
    """Return the ratings by age of the active players of a list, without hidden ones and without unknown ages."""
    key = (publication.id, publication.standings_digest, frozenset(hidden))
    return _LAST.get(key, lambda: _spreads(connection, publication, hidden))


def _spreads(
    connection: Connection, publication: Publication, hidden: Collection[int]
) -> tuple[AgeSpread, ...]:
    table = read_table(connection, publication.id, ("player", "rating", "inactive", "listed", "born"))
    known = pl.col("listed") & ACTIVE & pl.col("born").is_not_null()
    shown = table.filter(known & ~pl.col("player").is_in(sorted(hidden)))
    ages = shown.select("rating", age=publication.day.year - pl.col("born"))
    groups = ((first, after, _ratings(ages, first, after)) for first, after in pairwise(_FIRST_YEARS))
    return tuple(_spread(first, after, ratings) for first, after, ratings in groups if ratings)


def _ratings(ages: pl.DataFrame, first: int, after: int) -> list[int]:
    """Return the ratings of the players of some ages, the lowest first."""
    return ages.filter((pl.col("age") >= first) & (pl.col("age") < after))["rating"].sort().to_list()


def _spread(first: int, after: int, ratings: list[int]) -> AgeSpread:
    last = None if after == _FIRST_YEARS[-1] else after - 1
    quartiles = (ratings[(len(ratings) - 1) * part // 4] for part in range(5))
    return AgeSpread(first, last, len(ratings), *quartiles)
