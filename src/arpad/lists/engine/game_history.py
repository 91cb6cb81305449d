"""Games of a history as columns, and pieces of it that are in memory or still in their file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, Self

import numpy as np

from arpad.lists.engine.columns import Column
from arpad.model.errors import BadInput


class Piece(Protocol):
    """Games that follow one another in the order of their days; a piece can be sent to where it is summed up."""

    @property
    def first(self) -> int:
        """The day of the first game, as an ordinal."""

    @property
    def last(self) -> int:
        """The day of the last game."""

    def __len__(self) -> int: ...

    def cut(self, day: int) -> tuple[Self, Self]:
        """The games before a day, and the others."""

    def games(self) -> GameSlice:
        """The games themselves, checked to be in order."""


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
        """Some of the games, in the same order."""
        return self.some(slice(start, end))

    def some(self, which: Column | slice) -> GameSlice:
        """The games marked, or of these numbers."""
        event = None if self.event is None else self.event[which]
        return GameSlice(self.day[which], self.white[which], self.black[which], self.score[which], event)

    def events(self) -> Column:
        """The number of each game's tournament; 0 where nobody tells them apart."""
        return np.zeros(len(self), np.int64) if self.event is None else self.event

    def cut(self, day: int) -> tuple[GameSlice, GameSlice]:
        """The games before a day, and the others."""
        place = int(np.searchsorted(self.day, day))
        return self.part(0, place), self.part(place, len(self))

    def games(self) -> GameSlice:
        """The games, refused where they go back in time: their list would be made already."""
        if bool((self.day[1:] < self.day[:-1]).any()):
            raise BadInput("games-not-in-order", column="date")
        return self


def joined(parts: Sequence[GameSlice]) -> GameSlice:
    """Several pieces in memory as one, in the order of their days, however they came."""
    if len(parts) == 1:
        return parts[0]
    day, white, black, score = (
        np.concatenate([getattr(part, name) for part in parts]) for name in ("day", "white", "black", "score")
    )
    event = np.concatenate([part.events() for part in parts])
    return GameSlice(day, white, black, score, event).some(np.argsort(day, kind="stable"))
