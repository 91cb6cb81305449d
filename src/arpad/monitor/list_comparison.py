"""Calibration by list: the lists of an office side by side, and whether one of them is judged otherwise than the rest.

Each list's favourites score something beyond their expectation, or below it. A list is compared with all others
together by the difference of these amounts against their standard errors (a normal test of two means), with Holm's
correction over the lists.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import hypot

from arpad.monitor.calibration import Bin, colours, favourites, scored
from arpad.monitor.history import HistoryGame
from arpad.monitor.statistics import ALPHA, CONFIDENCE, Interval, holm, two_sided


@dataclass(frozen=True, slots=True)
class ListCalibration:
    """One list among the others."""

    list: str
    games: int
    favourite: Bin
    """The higher rated, at any difference."""

    white: Bin
    log_loss: float
    brier: float
    against_others: Interval | None
    """What its favourites score beyond the expectation, less what those of the other lists do; None without others."""

    p: float
    adjusted: float

    @property
    def differs(self) -> bool:
        """Whether chance is ruled out, over all lists together."""
        return self.adjusted < ALPHA


def side_by_side(games: Mapping[str, Sequence[HistoryGame]]) -> tuple[ListCalibration, ...]:
    """Every list that has games enough."""
    found = {name: (favourites(mine), colours(mine)) for name, mine in games.items()}
    names = [name for name, (favourite, _) in found.items() if favourite is not None]
    against = {name: _against(name, names, games) for name in names}
    adjusted = dict(zip(names, holm([against[name][1] for name in names]), strict=True))
    made = []
    for name in names:
        favourite, white = found[name]
        if favourite is not None and white is not None:
            table = scored(games[name], {})[0]
            interval, p = against[name]
            made.append(
                ListCalibration(
                    name,
                    len(games[name]),
                    favourite,
                    white,
                    table.log_loss,
                    table.brier,
                    interval,
                    p,
                    adjusted[name],
                )
            )
    return tuple(made)


def _against(
    name: str, names: Sequence[str], games: Mapping[str, Sequence[HistoryGame]]
) -> tuple[Interval | None, float]:
    mine = favourites(games[name])
    others = favourites(game for other in names if other != name for game in games[other])
    if mine is None or others is None:
        return None, 1.0
    value, error = mine.beyond - others.beyond, hypot(mine.error, others.error)
    return Interval(value, value - CONFIDENCE * error, value + CONFIDENCE * error), two_sided(value / error)
