"""The list as it grows over a history, and where each player's figures stand in columns that are looked up by number.

Numbers that lie close are their own places. Numbers as a federation gives them, close inside blocks that lie far apart,
are looked up in two steps: block, then place. Numbers strewn at random are found by halving.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from datetime import date
from typing import Any, Protocol

import numpy as np

from arpad.lists.engine.columns import NO_TRANCHES, NONE, Column, Roster
from arpad.model.people import Birth

CLOSE = 4
"""Numbers up to so many times the players are their own places."""

PAGE = 12
"""Numbers with all but their last twelve bits alike are on one page."""

SPARSE = 64
"""Pages are used while places are not more than so many times the players."""

HIGHEST_PAGED = 1 << 34


class Places(Protocol):
    """Numbers of players → places; the place of a number that is not there holds nobody."""

    @property
    def size(self) -> int:
        """Places there are."""

    def of(self, numbers: Column) -> Column:
        """The places of some players, fit to index with."""


@dataclass(frozen=True, slots=True)
class DirectIndex:
    """Every number is its own place; nobody is at nought."""

    size: int

    def of(self, numbers: Column) -> Column:
        """The places of some players."""
        found = numbers.astype(np.intp)
        if int(found.max(initial=0)) >= self.size:
            found[found >= self.size] = 0
        return found


@dataclass(frozen=True, slots=True)
class PagedIndex:
    """Pages of numbers that occur; the first page is empty, and all others lead there."""

    page: Column
    size: int

    def of(self, numbers: Column) -> Column:
        """The places of some players."""
        wanted = (numbers >> PAGE).astype(np.intp)
        if int(wanted.max(initial=0)) >= len(self.page):
            wanted[wanted >= len(self.page)] = 0
            first = np.where(numbers >> PAGE < len(self.page), self.page.take(wanted), 0)
        else:
            first = self.page.take(wanted)
        first += numbers & ((1 << PAGE) - 1)
        return np.asarray(first)


@dataclass(frozen=True, slots=True)
class SortedIndex:
    """Numbers in ascending order; nobody is at nought."""

    numbers: Column

    @property
    def size(self) -> int:
        """One more than the players."""
        return len(self.numbers) + 1

    def of(self, numbers: Column) -> Column:
        """The places of some players."""
        place = np.minimum(np.searchsorted(self.numbers, numbers), len(self.numbers) - 1)
        return np.where(self.numbers[place] == numbers, place + 1, 0).astype(np.intp)


def places_of(players: Column) -> Places:
    """Places for some players, in the way that suits their numbers."""
    highest = int(players.max(initial=0))
    if highest < max(1 << PAGE, CLOSE * len(players)):
        return DirectIndex(highest + 1)
    if highest < HIGHEST_PAGED:
        used = np.bincount(players >> PAGE) > 0
        count = int(used.sum())
        if count << PAGE <= SPARSE * len(players) + (1 << 20):
            page = np.where(used, np.cumsum(used) << PAGE, 0).astype(np.intp)
            return PagedIndex(page, (count + 1) << PAGE)
    return SortedIndex(np.sort(players).astype(np.int64))


class PlayerIndex:
    """The list as it grows: players are added as they appear, and keep their rows."""

    def __init__(self, roster: Roster, births: Sequence[Birth] = (), born: Column | None = None) -> None:
        self.roster = roster
        self.births = tuple(births) or (None,)
        self.born = born if born is not None else np.zeros(len(roster), np.int32)
        self._index()

    def _index(self) -> None:
        self.places = places_of(self.roster.player)
        self.place = self.places.of(self.roster.player)
        self._row = np.full(self.places.size, -1, np.int32)
        self._row[self.place] = np.arange(len(self.roster), dtype=np.int32)

    def begins(self, opened: date) -> None:
        """The list at hand is that of the day: who is on it and not inactive has played of late."""
        lately = (self.roster.rating > 0) & ~self.roster.inactive & (self.roster.last_list == 0)
        last_list = np.where(lately, opened.toordinal(), self.roster.last_list).astype(np.int32)
        self.roster = replace(self.roster, last_list=last_list)

    def ratings(self) -> Column:
        """The ratings by place; 0 for nobody and for no rating."""
        found = np.zeros(self.places.size, np.int16)
        found[self.place] = self.roster.rating
        return found

    def rows(self, players: Column) -> Column:
        """The rows of players; -1 for those who are not there yet."""
        return self._row.take(self.places.of(players))

    def with_everybody(self, players: Column, start: int) -> None:
        """Add those who are new, with a starting rating (0: unrated)."""
        new = np.unique(players[self.rows(players) < 0])
        if len(new):
            self.roster = _grown(self.roster, new, start)
            self.born = np.concatenate([self.born, np.zeros(len(new), np.int32)])
            self._index()


def _grown(roster: Roster, new: Column, start: int) -> Roster:
    more = Roster(
        player=new.astype(np.int64),
        rating=np.full(len(new), start, np.int16),
        games=np.zeros(len(new), np.int32),
        peak=np.full(len(new), start, np.int16),
        k=np.full(len(new), NONE, np.int16),
        entered=np.zeros(len(new), np.int32),
        entry=np.zeros(len(new), np.int16),
        last_list=np.zeros(len(new), np.int32),
        delisted=np.zeros(len(new), np.bool_),
        inactive=np.zeros(len(new), np.bool_),
        tranches=NO_TRANCHES,
    )
    columns: dict[str, Any] = {
        item.name: np.concatenate([getattr(roster, item.name), getattr(more, item.name)])
        for item in fields(Roster)
        if item.name != "tranches"
    }
    return replace(roster, **columns)
