"""Integrity screens: what a rating officer should look at, each with its reason and its figures, never a verdict.

Every statistical screen is one family under Holm's correction, so that an honest season raises a signal in it with a
chance of at most five in a hundred, as far as the model of honest play is right; docs/explanation/monitoring.md has
the figures. The screens of records are plain rules.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256

import numpy as np
from numpy.typing import NDArray
from scipy import special

from arpad.model.rules import ListName
from arpad.studies import screens_pairs, screens_records
from arpad.studies.history import History, HistoryGame, HistoryList
from arpad.studies.signals import QUICK, QUICK_K, SETTLED, Evidence, Odds, Signal, surviving
from arpad.studies.statistics import PER_POINT, Floats

LEAST_GAMES = 5
LEAST_PLAYERS = 6
REPLAYS = 600
FURTHEST = 3
"""No single player counts for more than this many deviations: one upset is not an arranged event."""


def by_event(games: Sequence[HistoryGame]) -> dict[str, dict[int, list[HistoryGame]]]:
    """Return the games of each event, player by player."""
    games_by_event: dict[str, dict[int, list[HistoryGame]]] = {}
    for game in games:
        event = games_by_event.setdefault(game.event, {})
        event.setdefault(game.white, []).append(game)
        event.setdefault(game.black, []).append(game)
    return games_by_event


def improbable(evidence: Evidence) -> list[Signal]:
    """Report a score in one event that chance and an honest error of the rating do not explain, up or down."""
    signals: list[Signal] = []
    tested = 0
    for event, players in by_event(evidence.games).items():
        for player, games in players.items():
            if len(games) < LEAST_GAMES:
                continue
            tested += 1
            scored = sum(game.points(player) for game in games) / 2
            expected = sum(game.expected(player) for game in games) / 100
            if abs(scored - expected) < 1.5:  # noqa: PLR2004  never improbable, and the exact sum costs time
                continue
            low, high = evidence.odds.tails(games, player, max(game.k(player) for game in games))
            figures = {"games": len(games), "scored": scored, "expected": expected}
            signals.append(
                Signal("improbable-series", (player,), event, figures, min(1.0, 2 * min(low, high)))
            )
    return surviving(signals, tested)


def standings(evidence: Evidence) -> list[Signal]:
    """Report events by Pearson's sum: too large if results were arranged, too small if nothing was played out.

    What is large or small is found by simulating each event many times by the model of honest play; a gamma
    distribution with their mean and variance has the tails.
    """
    wide: list[Signal] = []
    narrow: list[Signal] = []
    for event, players in by_event(evidence.games).items():
        if len(players) < LEAST_PLAYERS or max(map(len, players.values())) < LEAST_GAMES:
            continue
        games = list(dict.fromkeys(game for player_games in players.values() for game in player_games))
        ratio, low, high = _pearson(event, _field(list(players), games, evidence.odds), games)
        figures = {"players": len(players), "games": len(games), "ratio": ratio}
        wide.append(Signal("wide-standings", (_first(players),), event, figures, high))
        narrow.append(Signal("narrow-standings", (), event, figures, low))
    return [*surviving(wide), *surviving(narrow)]


def _first(players: Mapping[int, Sequence[HistoryGame]]) -> int:
    """Return the player who is furthest above the expectation."""

    def above(player: int) -> float:
        return sum(50 * game.points(player) - game.expected(player) for game in players[player])

    return max(sorted(players), key=above)


@dataclass(frozen=True, slots=True)
class _Field:
    """An event as arrays: pairings, differences, and how wrong the ratings may be."""

    white: NDArray[np.int64]
    black: NDArray[np.int64]
    difference: Floats
    share: Floats
    mean: Floats
    spread: Floats

    def sums(self, scores: Floats) -> Floats:
        """Return Pearson's sum of each row of scores."""
        games, players = len(self.white), len(self.mean)
        p = self.expected(self.mean)
        variance = p * (1 - p) - self.share * np.minimum(p, 1 - p) / 2
        incidence = np.zeros((games, players))
        incidence[np.arange(games), self.white] = 1
        incidence[np.arange(games), self.black] = -1
        plays = np.abs(incidence)
        weight = variance @ plays + (p * (1 - p) * PER_POINT @ plays) ** 2 * self.spread**2
        squares = ((scores - p) @ incidence) ** 2 / weight
        return np.asarray(np.minimum(squares, FURTHEST**2).sum(axis=-1), dtype=float)

    def expected(self, better: Floats) -> Floats:
        """Return White's expectations, if everybody is better than the rating by an amount."""
        gap = self.difference + better[..., self.white] - better[..., self.black]
        return np.asarray(special.expit(gap * PER_POINT), dtype=float)

    def replayed(self, chance: np.random.Generator, *, errors: bool) -> Floats:
        """Return the event played again many times, with ratings that err or with ratings that do not."""
        luck = chance.standard_normal((REPLAYS, len(self.mean)))
        true = self.expected(self.mean + self.spread * luck * errors)
        drawn = self.share * 2 * np.minimum(true, 1 - true)
        dice = chance.random(true.shape)
        return np.where(dice < drawn, 0.5, (dice < drawn / 2 + true).astype(float))


def _field(players: Sequence[int], games: Sequence[HistoryGame], odds: Odds) -> _Field:
    index_of = {player: index for index, player in enumerate(players)}
    quick = np.zeros(len(players), dtype=bool)
    for game in games:
        quick[index_of[game.white]] |= game.white_k >= QUICK_K
        quick[index_of[game.black]] |= game.black_k >= QUICK_K
    return _Field(
        np.array([index_of[game.white] for game in games]),
        np.array([index_of[game.black] for game in games]),
        np.array([game.white_rating - game.black_rating for game in games], dtype=float),
        np.array([odds.share(game) for game in games]),
        np.where(quick, QUICK[0], SETTLED[0]),
        np.where(quick, QUICK[1], SETTLED[1]),
    )


def _pearson(event: str, field: _Field, games: Sequence[HistoryGame]) -> tuple[float, float, float]:
    """Return the sum relative to honest play, the lower tail without rating errors and the upper tail with them."""
    chance = np.random.default_rng(int.from_bytes(sha256(event.encode()).digest()[:8]))
    observed = float(field.sums(np.array([game.score / 2 for game in games])))
    exact = field.sums(field.replayed(chance, errors=False))
    loose = field.sums(field.replayed(chance, errors=True))
    low = float(special.gammainc(*_gamma(exact, observed)))
    high = float(special.gammaincc(*_gamma(loose, observed)))
    return observed / float(loose.mean()), low, high


def _gamma(sums: Floats, observed: float) -> tuple[float, float]:
    """Return the shape of the gamma distribution of these sums, and the observed sum on its scale."""
    mean, variance = float(sums.mean()), float(sums.var())
    return mean * mean / variance, observed * mean / variance


GAMES_A_DAY = {ListName.STANDARD: 3, ListName.RAPID: 15, ListName.BLITZ: 30}

SCREENS = (
    "improbable-series",
    "wide-standings",
    "narrow-standings",
    "one-way-pair",
    "traded-wins",
    "repeated-pair",
    "repeated-matches",
    "closed-circle",
    "above-threshold",
    "two-places",
    "games-a-day",
    "rounds-in-days",
    "implausible-dates",
    "twins",
    "differs-from-earlier",
)


def integrity(
    history: History,
    games: Sequence[HistoryGame],
    lists: Sequence[HistoryList],
    *,
    games_a_day: int | None = None,
) -> list[Signal]:
    """Return the signals of all screens, in their order; the most certain signals of each come first.

    ``games_a_day`` is how many games of a day are plausible, by default what the regulations allow on the list.
    """
    limit = games_a_day or GAMES_A_DAY[history.on_list]
    evidence = Evidence(history, games, lists, Odds.of(games), limit)
    signals = [
        *improbable(evidence),
        *standings(evidence),
        *screens_pairs.screens(evidence),
        *screens_records.screens(evidence),
    ]
    return sorted(signals, key=lambda signal: (SCREENS.index(signal.screen), signal.p or 0.0, signal.players))
