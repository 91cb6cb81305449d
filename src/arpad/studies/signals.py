"""What the integrity screens look at: honest odds, and the signals that remain after many tests."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from arpad.studies.calibration import logistic
from arpad.studies.history import History, HistoryGame, HistoryList
from arpad.studies.statistics import ALPHA, Floats, holm, outcome_chances, score_distribution

BANDS = (0, 1400, 1600, 1800, 2000, 2200, 2400)
LEAST = 50
QUICK_K = 30
"""From this K on a rating is that of a newcomer or a young player: often too low, and uncertain."""

SETTLED = (10.0, 80.0)
QUICK = (70.0, 150.0)
"""By how much strength exceeds rating, and the spread: what honest simulated seasons show, rounded up."""

_NODES, _WEIGHTS = np.polynomial.hermite_e.hermegauss(9)
NODES: Floats = _NODES
WEIGHTS: Floats = _WEIGHTS / _WEIGHTS.sum()


@dataclass(frozen=True, slots=True)
class Odds:
    """Draw shares of even games, by level."""

    draws: tuple[float, ...]

    @classmethod
    def of(cls, games: Sequence[HistoryGame]) -> Odds:
        """Return the model that fits the games."""
        drawn, room = [0.0] * len(BANDS), [0.0] * len(BANDS)
        for game in games:
            at = _band(game)
            p = logistic(game.white_rating - game.black_rating)
            room[at] += 2 * min(p, 1 - p)
            drawn[at] += game.score == 1
        whole = sum(drawn) / max(1.0, sum(room))
        return cls(tuple(d / r if r >= LEAST else whole for d, r in zip(drawn, room, strict=True)))

    def chances(self, game: HistoryGame, player: int, better: float = 0.0) -> tuple[float, float, float]:
        """Return the chances of loss, draw and win of a player who is ``points`` better than the rating."""
        difference = game.white_rating - game.black_rating
        p = logistic((difference if player == game.white else -difference) + better)
        return outcome_chances(p, self.share(game) * 2 * min(p, 1 - p))

    def share(self, game: HistoryGame) -> float:
        """Return how many even games at this level are drawn."""
        return min(0.95, self.draws[_band(game)])

    def tails(self, games: Sequence[HistoryGame], player: int, k: int) -> tuple[float, float]:
        """Return the chances of at most, and of at least, the points scored, over the possible errors of the rating."""
        scored = sum(game.points(player) for game in games)
        mean, spread = QUICK if k >= QUICK_K else SETTLED
        low = high = 0.0
        for node, weight in zip(NODES, WEIGHTS, strict=True):
            better = mean + spread * float(node)
            chances = score_distribution([self.chances(game, player, better) for game in games])
            low += float(weight) * float(chances[: scored + 1].sum())
            high += float(weight) * float(chances[scored:].sum())
        return low, high


def _band(game: HistoryGame) -> int:
    return max(0, bisect_right(BANDS, (game.white_rating + game.black_rating) // 2) - 1)


@dataclass(frozen=True, slots=True)
class Signal:
    """A reason for an officer to look at something."""

    screen: str
    players: tuple[int, ...] = ()
    event: str = ""
    figures: Mapping[str, Any] = field(default_factory=dict)
    """Numbers and names for the sentence of the screen."""

    p: float | None = None
    """How often chance alone would do this, after the correction for all that was looked at; None for a plain rule."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """The data of the screens."""

    history: History
    games: Sequence[HistoryGame]
    lists: Sequence[HistoryList]
    odds: Odds
    games_a_day: int


def surviving(signals: Iterable[Signal], family: int = 0) -> list[Signal]:
    """Return the signals of one family that remain after Holm's correction.

    ``family`` is how many cases were tested, if more than there are signals.
    """
    tested = list(signals)
    p_values = [signal.p if signal.p is not None else 0.0 for signal in tested]
    adjusted = holm([*p_values, *[1.0] * max(0, family - len(tested))])
    return [
        Signal(signal.screen, signal.players, signal.event, signal.figures, value)
        for signal, value in zip(tested, adjusted, strict=False)
        if value < ALPHA
    ]
