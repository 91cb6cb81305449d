"""Where a player stands on a list between two periods: all that the next period needs to know of the past."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from arpad.model import Performance


@dataclass(frozen=True, slots=True)
class Standing:
    """A player on one list, as the last list left him."""

    player: int
    rating: int | None = None
    """None: unrated, or delisted."""

    games: int = 0
    """Rated games so far, those of the entry rating included; a delisted player starts again."""

    peak: int = 0
    """The highest rating ever published; stays after a delisting (K once 2400 was reached)."""

    k: int | None = None
    """K of an imported list: it decides the next period, and only that."""

    entered: date | None = None
    """The list on which he entered."""

    entry: int | None = None
    """The rating with which he entered, for events that he began unrated (8.4)."""

    last_list: date | None = None
    """The list that took his last rated game; None where nobody knows, which counts as long ago."""

    tranches: tuple[Performance, ...] = ()
    """The events of an unrated player that may still count."""

    delisted: bool = False
    """On this list; from the next one on he is simply unrated."""

    inactive: bool = False
