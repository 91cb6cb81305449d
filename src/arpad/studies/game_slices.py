"""Games of a history as columns, in the order of their days."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

import numpy as np

from arpad.lists.engine.columns import Column
from arpad.model.errors import BadInput
from arpad.model.rules import Edition
from arpad.regulations.editions import EditionByDay
from arpad.regulations.fide.rules import ChessRules


@dataclass(frozen=True, slots=True)
class GameSlice:
    """Some games of a history, in the order of their days."""

    day: Column
    """As ordinals."""

    white: Column
    black: Column
    score: Column
    """White's half-points."""

    event: Column | None = None
    """A number for each tournament."""

    def __len__(self) -> int:
        return len(self.day)

    @property
    def first(self) -> int:
        """The day of the first game."""
        return int(self.day[0])

    @property
    def last(self) -> int:
        """The day of the last game."""
        return int(self.day[-1])

    def part(self, start: int, end: int) -> GameSlice:
        """Return the games from ``start`` to ``end``, without the last."""
        return self.select(slice(start, end))

    def select(self, which: Column | slice) -> GameSlice:
        """Return the games at these indices, or where a mask is true."""
        event = None if self.event is None else self.event[which]
        return GameSlice(self.day[which], self.white[which], self.black[which], self.score[which], event)

    def events(self) -> Column:
        """Return the number of each game's tournament; 0 if the history does not name them."""
        return np.zeros(len(self), np.int64) if self.event is None else self.event

    def cut(self, day: int) -> tuple[GameSlice, GameSlice]:
        """Return the games before a day, and the others."""
        index = int(np.searchsorted(self.day, day))
        return self.part(0, index), self.part(index, len(self))

    def refuse_disorder(self) -> None:
        """Refuse games that go back in time, since their list is already computed."""
        if bool((self.day[1:] < self.day[:-1]).any()):
            raise BadInput("games-not-in-order", column="date")


def join_slices(parts: Sequence[GameSlice]) -> GameSlice:
    """Return several slices as one, in the order of their days."""
    if len(parts) == 1:
        return parts[0]
    day, white, black, score = (
        np.concatenate([getattr(part, name) for part in parts]) for name in ("day", "white", "black", "score")
    )
    event = np.concatenate([part.events() for part in parts])
    return GameSlice(day, white, black, score, event).select(np.argsort(day, kind="stable"))


def split_by_edition(
    games: GameSlice, editions: EditionByDay
) -> Iterator[tuple[GameSlice, Edition[ChessRules]]]:
    """Yield the games of a period edition by edition, each with the edition of its days."""
    while len(games):
        under, end = editions(date.fromordinal(games.first)), games.last + 1
        if editions(date.fromordinal(games.last)).id != under.id:
            days = map(date.fromordinal, np.unique(games.day).tolist())
            end = next(day.toordinal() for day in days if editions(day).id != under.id)
        of_edition, games = games.cut(end)
        yield of_edition, under
