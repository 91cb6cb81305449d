"""Indexes that find the figures of a player by id.

An index gives each id a slot in columns that are as long as the index; slot 0 has no player. There are three, each for
another kind of ids, since the lookup decides the speed of a replay (4 million games, 500,000 players, processor time):

- ids close together (1 to N) are their own slots: 0.33 s, and 0.39 s with pages (18 % more);
- ids in blocks far apart, as a federation gives them, are found through pages: 0.52 s, and 2.78 s by binary search;
- scattered ids are found by binary search.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from arpad.lists.engine.columns import Column

DENSE = 4
"""Ids up to this many times the players are their own slots."""

PAGE_BITS = 12
"""Page size: 4,096 consecutive ids."""

SPARSE = 64
"""Pages are used while there are at most this many slots for each player."""

HIGHEST_PAGED = 1 << 34


class IdIndex(Protocol):
    """Player ids → slots; an id that is not in the index has slot 0."""

    @property
    def size(self) -> int:
        """How many slots there are."""

    def lookup(self, ids: Column) -> Column:
        """Return the slots of some players, fit to index with."""


@dataclass(frozen=True, slots=True)
class DirectIndex:
    """Every id is its own slot."""

    size: int

    def lookup(self, ids: Column) -> Column:
        """Return the slots of some players."""
        slots = ids.astype(np.intp)
        if int(slots.max(initial=0)) >= self.size:
            slots[slots >= self.size] = 0
        return slots


@dataclass(frozen=True, slots=True)
class PagedIndex:
    """One page for each block of ids that occurs; all other ids lead to the first page, which is empty."""

    page: Column
    size: int

    def lookup(self, ids: Column) -> Column:
        """Return the slots of some players."""
        block = (ids >> PAGE_BITS).astype(np.intp)
        if int(block.max(initial=0)) >= len(self.page):
            block[block >= len(self.page)] = 0
            first = np.where(ids >> PAGE_BITS < len(self.page), self.page.take(block), 0)
        else:
            first = self.page.take(block)
        first += ids & ((1 << PAGE_BITS) - 1)
        return np.asarray(first)


@dataclass(frozen=True, slots=True)
class SortedIndex:
    """Ids in ascending order."""

    ids: Column

    @property
    def size(self) -> int:
        """One more than the players."""
        return len(self.ids) + 1

    def lookup(self, ids: Column) -> Column:
        """Return the slots of some players."""
        nearest = np.minimum(np.searchsorted(self.ids, ids), len(self.ids) - 1)
        return np.where(self.ids[nearest] == ids, nearest + 1, 0).astype(np.intp)


def choose_index(ids: Column) -> IdIndex:
    """Return the fastest index for the ids of some players."""
    highest = int(ids.max(initial=0))
    if int(ids.min(initial=0)) < 0:  # newcomers of reports that are not accepted yet
        return SortedIndex(np.sort(ids).astype(np.int64))
    if highest < max(1 << PAGE_BITS, DENSE * len(ids)):
        return DirectIndex(highest + 1)
    if highest < HIGHEST_PAGED:
        used = np.bincount(ids >> PAGE_BITS) > 0
        count = int(used.sum())
        if count << PAGE_BITS <= SPARSE * len(ids) + (1 << 20):
            page = np.where(used, np.cumsum(used) << PAGE_BITS, 0).astype(np.intp)
            return PagedIndex(page, (count + 1) << PAGE_BITS)
    return SortedIndex(np.sort(ids).astype(np.int64))


class RowIndex:
    """The row of each player of a column, by id."""

    def __init__(self, ids: Column) -> None:
        self._build(ids)

    def _build(self, ids: Column) -> None:
        self.index = choose_index(ids)
        self.slot = self.index.lookup(ids)
        self._row = np.full(self.index.size, -1, np.int32)
        self._row[self.slot] = np.arange(len(ids), dtype=np.int32)

    def rows(self, ids: Column) -> Column:
        """Return the rows of some players, -1 for those who are not in the column."""
        return self._row.take(self.index.lookup(ids))
