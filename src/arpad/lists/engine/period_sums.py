"""One part of a replayed period, summed up wherever a worker is: rated players against each other, by place.

A game between two rated players needs nothing but their ratings. All others are handed back as they are: those of
players who are not rated or not known yet, and wide gaps where an edition helps once in a tournament.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import pairwise

import numpy as np

from arpad.lists.engine.columns import Column
from arpad.lists.engine.game_history import GameSlice, Piece
from arpad.lists.engine.player_index import Places
from arpad.lists.engine.sums import BLOCK, add_games, correction_of
from arpad.model.rules import Edition, ListName
from arpad.regulations.chess.change import one_gap_per_event
from arpad.regulations.chess.rules import ChessRules
from arpad.regulations.editions import EditionByDay


@dataclass(frozen=True, slots=True)
class SumContext:
    """What the games of a period are summed up against."""

    places: Places
    rating: Column
    """By place; 0: no rating."""

    on_list: ListName
    editions: EditionByDay


@dataclass(frozen=True, slots=True)
class PartialSum:
    """What some games of a period come to."""

    sums: dict[str, Column] = field(default_factory=dict)
    """Packed sums by place, for each edition."""

    loose: list[GameSlice] = field(default_factory=list)
    """Games that need more than two ratings."""

    def add(self, piece: Piece, known: SumContext) -> None:
        """Some more games."""
        for games, edition in by_edition(piece.games(), known.editions):
            rules = edition.on(known.on_list)
            if edition.id not in self.sums:
                self.sums[edition.id] = np.zeros(known.places.size, np.int64)
            for at in range(0, len(games), BLOCK):
                block = games.part(at, at + BLOCK)
                loose = _add_block(self.sums[edition.id], block, known, rules)
                if len(loose):
                    self.loose.append(block.some(loose))

    def join(self, other: PartialSum) -> None:
        """The games of another part too."""
        for edition, packed in other.sums.items():
            self.sums[edition] = self.sums[edition] + packed if edition in self.sums else packed
        self.loose.extend(other.loose)


def sum_part(known: SumContext, pieces: Sequence[Piece]) -> PartialSum:
    """Some pieces of a period, for a worker."""
    part = PartialSum()
    for piece in pieces:
        part.add(piece, known)
    return part


def _add_block(packed: Column, games: GameSlice, known: SumContext, rules: ChessRules) -> Column:
    """Add up the games of rated players; the numbers of the other games."""
    first, second = known.places.of(games.white), known.places.of(games.black)
    rating, opposing = known.rating.take(first), known.rating.take(second)
    apart = np.minimum(rating, opposing) == 0
    by_event = rules.cap_scope.value is one_gap_per_event
    if by_event:
        apart |= np.abs(rating - opposing) > rules.cap.value
    loose = np.flatnonzero(apart)
    if len(loose):
        # to the place of nobody, which nobody reads: cheaper than to leave them out
        first[loose] = second[loose] = 0
        opposing[loose] = rating[loose]
    side, gap = add_games(packed, first, second, games.score, rating, opposing, rules)
    if len(side) and rules.cap_exempt_from is not None and not by_event:
        np.add.at(packed, side, correction_of(side, gap, known.rating.take(side), rules))
    return loose


def by_edition(games: GameSlice, editions: EditionByDay) -> Iterator[tuple[GameSlice, Edition[ChessRules]]]:
    """The games of a period, cut where a new edition begins."""
    if not len(games):
        return
    under, last = editions(date.fromordinal(games.first)), editions(date.fromordinal(games.last))
    if under.id == last.id:
        yield games, under
        return
    begun = 0
    for day, start, end in _days(games.day):
        now = editions(date.fromordinal(day))
        if now.id != under.id:
            yield games.part(begun, start), under
            begun, under = start, now
        if end == len(games):
            yield games.part(begun, end), under


def _days(day: Column) -> Iterable[tuple[int, int, int]]:
    """Each day with its first game and the first after it."""
    first = [0, *(np.flatnonzero(np.diff(day)) + 1).tolist(), len(day)]
    return [(int(day[start]), start, end) for start, end in pairwise(first) if start < end]
