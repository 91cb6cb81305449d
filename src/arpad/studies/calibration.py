"""Calibration: what table 8.1b expects against what players score, and how plain alternatives would have done.

A bin compares the sum of expectations with the sum of scores. The variance of a game is p(1 − p) less a quarter of the
chance of a draw, taken from the bin itself; the interval is Wilson's on the number of decisive games that would scatter
as much. All bins of all cuts are one family for Holm's correction.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import hypot, sqrt

import numpy as np

from arpad.studies.history import HistoryGame, HistoryPlayer
from arpad.studies.statistics import (
    ALPHA,
    PER_POINT,
    Floats,
    Interval,
    holm,
    normal_interval,
    two_sided,
    wilson,
)

DIFFERENCES = (0, 25, 50, 75, 100, 150, 200, 250, 300, 350, 400, 500)
LEVELS = (0, 1400, 1600, 1800, 2000, 2200, 2400, 2600)
AGE_GAPS = (0, 5, 10, 20, 30, 40)
LEAST_GAMES = 30
CLIP = 0.005
"""No forecast is taken for certain, or one upset would cost everything."""


@dataclass(frozen=True, slots=True)
class Bin:
    """Games of one kind, seen from one side."""

    cut: str
    """``difference`` (the higher rated), ``level`` (the higher rated), ``age`` (the younger), ``colour`` (White);
    ``favourite`` is the higher rated at any difference."""

    low: int | None
    high: int | None
    games: int
    expected: float
    achieved: Interval
    draws: float
    p: float
    adjusted: float = 1.0
    error: float = 0.0
    """Standard error of what was scored beyond the expectation, a game."""

    @property
    def beyond(self) -> float:
        """Return what was scored beyond the expectation, a game."""
        return self.achieved.value - self.expected

    @property
    def misjudged(self) -> bool:
        """Return whether chance is ruled out, over all bins together."""
        return self.adjusted < ALPHA

    @property
    def points(self) -> float:
        """Return the misjudgement in rating points, near the expectation of the bin."""
        p = min(1 - CLIP, max(CLIP, self.expected))
        return self.beyond / (PER_POINT * p * (1 - p))


@dataclass(frozen=True, slots=True)
class Scored:
    """One way to forecast, judged by proper scores over the same games; smaller is better."""

    name: str
    games: int
    log_loss: float
    brier: float
    against_table: Interval
    """Mean difference of the log loss from the table's, by event; below zero: better than the table."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """The whole answer."""

    games: int
    bins: tuple[Bin, ...]
    scores: tuple[Scored, ...]


def calibration(
    games: Sequence[HistoryGame],
    people: Mapping[int, HistoryPlayer],
    forecasts: Mapping[str, Mapping[int, float]] | None = None,
) -> Calibration:
    """Return every cut, and the scores of the table, the logistic curve and further forecasts (10.1, 11.2).

    Further forecasts are given by position of the game.
    """
    bins = [
        *_cut(
            "difference", games, _higher, lambda game: abs(game.white_rating - game.black_rating), DIFFERENCES
        ),
        *_cut("level", games, _higher, lambda game: (game.white_rating + game.black_rating) // 2, LEVELS),
        *_cut(
            "age", games, lambda game: _younger(game, people), lambda game: _age_gap(game, people), AGE_GAPS
        ),
        *_cut("colour", games, lambda game: _side(game, game.white), lambda _: 0, (0,)),
    ]
    adjusted = holm([bin_.p for bin_ in bins])
    adjusted_bins = tuple(replace(bin_, adjusted=value) for bin_, value in zip(bins, adjusted, strict=True))
    return Calibration(len(games), adjusted_bins, scored(games, forecasts or {}))


# ------------------------------------------------------------------------------------------------------ bins

_Side = tuple[int, int]
"""Half-points and hundredths expected, of one of the two players."""


def _side(game: HistoryGame, player: int) -> _Side:
    return game.points(player), game.expected(player)


def _higher(game: HistoryGame) -> _Side | None:
    if game.white_rating == game.black_rating:
        return None
    return _side(game, game.white if game.white_rating > game.black_rating else game.black)


def _younger(game: HistoryGame, people: Mapping[int, HistoryPlayer]) -> _Side | None:
    if _age_gap(game, people) == 0:
        return None
    return _side(game, max(game.white, game.black, key=lambda player: people[player].born or 0))


def _age_gap(game: HistoryGame, people: Mapping[int, HistoryPlayer]) -> int:
    white, black = people.get(game.white), people.get(game.black)
    if white is None or black is None or white.born is None or black.born is None:
        return 0
    return abs(white.born - black.born)


def _cut(
    name: str,
    games: Iterable[HistoryGame],
    side: Callable[[HistoryGame], _Side | None],
    value: Callable[[HistoryGame], int],
    bounds: Sequence[int],
) -> list[Bin]:
    """Return the games by value, each bin from its bound to the next; bins of few games are left out."""
    sides_by_bound: dict[int, list[_Side]] = {}
    for game in games:
        if (side_of_game := side(game)) is not None:
            at = int(np.searchsorted(bounds, value(game), side="right")) - 1
            sides_by_bound.setdefault(max(0, at), []).append(side_of_game)
    single = len(bounds) == 1
    return [
        _bin(
            name,
            None if single else bounds[at],
            bounds[at + 1] - 1 if at + 1 < len(bounds) else None,
            sides_by_bound[at],
        )
        for at in sorted(sides_by_bound)
        if len(sides_by_bound[at]) >= LEAST_GAMES
    ]


def _bin(cut: str, low: int | None, high: int | None, sides: Sequence[_Side]) -> Bin:
    table: Floats = np.asarray(sides, dtype=float)
    scores, expected = table[:, 0] / 2, table[:, 1] / 100
    count = len(sides)
    draws = float(np.mean(scores == 0.5))  # noqa: PLR2004  half a point
    variance = max(1e-9, float(np.sum(expected * (1 - expected))) - count * draws / 4)
    z = float(np.sum(scores - expected)) / sqrt(variance)
    achieved = float(scores.mean())
    spread = achieved * (1 - achieved) - draws / 4
    effective = count * achieved * (1 - achieved) / spread if spread > 1e-9 else float(count)  # noqa: PLR2004  as good as none
    interval, error = wilson(achieved, effective), sqrt(variance) / count
    return Bin(cut, low, high, count, float(expected.mean()), interval, draws, two_sided(z), error=error)


def favourites(games: Iterable[HistoryGame]) -> Bin | None:
    """Return all games from the side of the higher rated player; None if there are few."""
    sides = [side for game in games if (side := _higher(game)) is not None]
    return _bin("favourite", None, None, sides) if len(sides) >= LEAST_GAMES else None


def colours(games: Sequence[HistoryGame]) -> Bin | None:
    """Return all games from White's side; None if there are few."""
    sides = [_side(game, game.white) for game in games]
    return _bin("colour", None, None, sides) if len(sides) >= LEAST_GAMES else None


# --------------------------------------------------------------------------------------------- proper scores


def logistic(difference: float) -> float:
    """Return the curve that 12.1 names as similar to the table."""
    return float(1 / (1 + 10 ** (-difference / 400)))


def scored(games: Sequence[HistoryGame], forecasts: Mapping[str, Mapping[int, float]]) -> tuple[Scored, ...]:
    """Return log loss and Brier score of each forecast of White's score, over the games that all of them predict."""
    common = [
        index
        for index in range(len(games))
        if all(index in forecast_by_game for forecast_by_game in forecasts.values())
    ]
    if not common:
        return ()
    scores = np.array([games[index].score / 2 for index in common])
    events = [games[index].event for index in common]
    expectations: dict[str, Floats] = {
        "table": np.array([games[index].white_expected / 100 for index in common]),
        "logistic": np.array(
            [logistic(games[index].white_rating - games[index].black_rating) for index in common]
        ),
        **{
            name: np.array([forecast_by_game[index] for index in common])
            for name, forecast_by_game in forecasts.items()
        },
    }
    losses = {name: _log_loss(scores, values) for name, values in expectations.items()}
    return tuple(
        Scored(
            name,
            len(common),
            float(losses[name].mean()),
            float(np.mean((scores - values) ** 2)),
            _by_event(losses[name] - losses["table"], events),
        )
        for name, values in expectations.items()
    )


def _log_loss(scores: Floats, forecast: Floats) -> Floats:
    p = np.clip(forecast, CLIP, 1 - CLIP)
    return np.asarray(-(scores * np.log(p) + (1 - scores) * np.log(1 - p)), dtype=float)


def _by_event(differences: Floats, events: Sequence[str]) -> Interval:
    """Return the mean with an interval that lets games of one event hang together."""
    sums: dict[str, float] = {}
    mean = float(differences.mean())
    for event, value in zip(events, differences, strict=True):
        sums[event] = sums.get(event, 0.0) + float(value) - mean
    error = sqrt(sum(value * value for value in sums.values())) / len(events)
    return normal_interval(mean, error)


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
        """Return whether chance is ruled out, over all lists together."""
        return self.adjusted < ALPHA


def calibration_by_list(games: Mapping[str, Sequence[HistoryGame]]) -> tuple[ListCalibration, ...]:
    """Compare every list that has enough games with all others together.

    The test compares what the favourites score beyond their expectation, by a normal test of two means with Holm's
    correction over the lists.
    """
    bins = {name: favourites(games_of_list) for name, games_of_list in games.items()}
    names = [name for name, favourite in bins.items() if favourite is not None]
    against = {name: _against_others(name, names, games) for name in names}
    adjusted = dict(zip(names, holm([against[name][1] for name in names]), strict=True))
    calibrations = []
    for name in names:
        favourite, white, table = bins[name], colours(games[name]), scored(games[name], {})[0]
        if favourite is not None and white is not None:
            figures = (favourite, white, table.log_loss, table.brier, *against[name], adjusted[name])
            calibrations.append(ListCalibration(name, len(games[name]), *figures))
    return tuple(calibrations)


def _against_others(
    name: str, names: Sequence[str], games: Mapping[str, Sequence[HistoryGame]]
) -> tuple[Interval | None, float]:
    own = favourites(games[name])
    others = favourites(game for other in names if other != name for game in games[other])
    if own is None or others is None:
        return None, 1.0
    value, error = own.beyond - others.beyond, hypot(own.error, others.error)
    return normal_interval(value, error), two_sided(value / error)
