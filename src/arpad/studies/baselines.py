"""Alternatives to the regulations, run over the same games as a yardstick: logistic Elo, Glicko-2 and DWZ."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from itertools import groupby
from math import exp, log, pi, sqrt

from arpad.model.real_numbers import UNIT
from arpad.regulations.dwz import SYSTEM as DWZ
from arpad.regulations.dwz.expectation import probability
from arpad.regulations.dwz.state import DwzState
from arpad.regulations.rating_system import Entrant, Game, Unit
from arpad.regulations.systems import edition_on, rate_briefly
from arpad.studies.calibration import logistic
from arpad.studies.history import HistoryGame, HistoryPlayer

SCALE = 173.7178
"""Points of the usual scale in one unit of Glicko-2's (step 2)."""

TAU = 0.5
"""How far the volatility may move from one period to the next (step 1)."""

_PRECISION = 1e-6


@dataclass(frozen=True, slots=True)
class GlickoState:
    """A player's strength: rating and deviation on the usual scale, and volatility."""

    rating: float
    deviation: float
    volatility: float


def after_period(state: GlickoState, games: Sequence[tuple[GlickoState, float]]) -> GlickoState:
    """Return the state after a period with some games, each an opponent and a score from 0 to 1 (steps 2 to 8)."""
    if not games:
        return rested(state)
    phi = state.deviation / SCALE
    information = improvement = 0.0
    for opponent, score in games:
        weight = _weight(opponent.deviation / SCALE)
        expected = 1 / (1 + exp(-weight * (state.rating - opponent.rating) / SCALE))
        information += weight * weight * expected * (1 - expected)
        improvement += weight * (score - expected)
    variance = 1 / information
    volatility = _volatility(state.volatility, phi, variance, variance * improvement)
    before = phi * phi + volatility * volatility
    new_phi = 1 / sqrt(1 / before + 1 / variance)
    rating = state.rating + SCALE * new_phi * new_phi * improvement
    return GlickoState(rating, SCALE * new_phi, volatility)


def rested(state: GlickoState) -> GlickoState:
    """Return the state after a period without games: the deviation grows (step 6)."""
    phi = state.deviation / SCALE
    grown = SCALE * sqrt(phi * phi + state.volatility * state.volatility)
    return GlickoState(state.rating, grown, state.volatility)


def _weight(phi: float) -> float:
    """Return how much a game counts against an opponent of this deviation (g of step 3)."""
    return 1 / sqrt(1 + 3 * phi * phi / (pi * pi))


def _volatility(sigma: float, phi: float, variance: float, delta: float) -> float:
    """Return the new volatility: the zero of f, found by the Illinois method (step 5)."""
    start = log(sigma * sigma)

    def f(x: float) -> float:
        spread = phi * phi + variance + exp(x)
        return exp(x) * (delta * delta - spread) / (2 * spread * spread) - (x - start) / (TAU * TAU)

    low = start
    if delta * delta > phi * phi + variance:
        high = log(delta * delta - phi * phi - variance)
    else:
        high = start - TAU
        while f(high) < 0:
            high -= TAU
    at_low, at_high = f(low), f(high)
    while abs(high - low) > _PRECISION:
        middle = low + (low - high) * at_low / (at_high - at_low)
        at_middle = f(middle)
        if at_middle * at_high <= 0:
            low, at_low = high, at_high
        else:
            at_low /= 2
        high, at_high = middle, at_middle
    return exp(low / 2)


ELO_K = 20
GLICKO_DEVIATION = 80
GLICKO_VOLATILITY = 0.06


def forecasts(
    games: Sequence[HistoryGame], people: Mapping[int, HistoryPlayer] | None = None
) -> dict[str, Mapping[int, float]]:
    """Return White's chances by position of the game; the first half of the months is used to learn."""
    months = sorted({_month(game.day) for game in games})
    since = months[len(months) // 2] if months else (0, 0)
    return {
        "elo": dict(_elo(games, since)),
        "glicko-2": dict(_glicko(games, since)),
        "dwz": dict(_dwz(games, people or {}, since)),
    }


def _month(day: date) -> tuple[int, int]:
    return day.year, day.month


def _by_month(games: Sequence[HistoryGame]) -> Iterator[tuple[tuple[int, int], list[int]]]:
    order = sorted(range(len(games)), key=lambda index: (_month(games[index].day), index))
    for month, indices in groupby(order, key=lambda index: _month(games[index].day)):
        yield month, list(indices)


def _elo(games: Sequence[HistoryGame], since: tuple[int, int]) -> Iterator[tuple[int, float]]:
    """Yield the forecasts of plain Elo: one K, the logistic curve, monthly, from the first published ratings."""
    ratings: dict[int, float] = {}
    for month, indices in _by_month(games):
        gains: dict[int, float] = {}
        for index in indices:
            game = games[index]
            white = ratings.setdefault(game.white, game.white_rating)
            black = ratings.setdefault(game.black, game.black_rating)
            expected = logistic(white - black)
            if month >= since:
                yield index, expected
            gain = ELO_K * (game.score / 2 - expected)
            gains[game.white] = gains.get(game.white, 0.0) + gain
            gains[game.black] = gains.get(game.black, 0.0) - gain
        for player, gain in gains.items():
            ratings[player] += gain


def _glicko(games: Sequence[HistoryGame], since: tuple[int, int]) -> Iterator[tuple[int, float]]:
    """Yield the forecasts of Glicko-2 with a month as its rating period."""
    states: dict[int, GlickoState] = {}
    for month, indices in _by_month(games):
        met: dict[int, list[tuple[GlickoState, float]]] = {}
        for index in indices:
            game = games[index]
            white = states.setdefault(game.white, _begun(game.white_rating))
            black = states.setdefault(game.black, _begun(game.black_rating))
            if month >= since:
                yield index, glicko_expected(white.rating - black.rating, white.deviation, black.deviation)
            met.setdefault(game.white, []).append((black, game.score / 2))
            met.setdefault(game.black, []).append((white, 1 - game.score / 2))
        states = {player: after_period(state, met.get(player, ())) for player, state in states.items()}


def _begun(rating: int) -> GlickoState:
    return GlickoState(rating, GLICKO_DEVIATION, GLICKO_VOLATILITY)


def glicko_expected(difference: float, own: float, other: float) -> float:
    """Return the expectation with both uncertainties (Glickman 1999, section 4)."""
    q = log(10) / 400
    spread = sqrt(1 + 3 * q * q * (own * own + other * other) / pi**2)
    return logistic(difference / spread)


def _dwz(
    games: Sequence[HistoryGame], people: Mapping[int, HistoryPlayer], since: tuple[int, int]
) -> Iterator[tuple[int, float]]:
    """Yield the forecasts of DWZ: one event after the other, from the first published ratings.

    Its ratings are exact, as an office computes them; only the forecast itself is a float.
    """
    states: dict[int, DwzState] = {}
    first_edition = DWZ.editions[0].applies_from
    for day, indices in _by_event(games):
        event = [games[index] for index in indices]
        entrants: dict[str, Entrant[DwzState]] = {}
        for game in event:
            for player, rating in ((game.white, game.white_rating), (game.black, game.black_rating)):
                state = states.setdefault(player, DwzState(rating))
                born = people[player].born if player in people else None
                entrants[str(player)] = Entrant(state, facts={} if born is None else {"born": born})
        for index, game in zip(indices, event, strict=True):
            if _month(game.day) >= since:
                white, black = (states[player].rating or 0 for player in (game.white, game.black))
                yield index, probability(white - black) / UNIT
        played = tuple(Game(str(it.white), str(it.black), Fraction(it.score, 2), it.round) for it in event)
        unit = Unit(entrants=entrants, games=played, last_day=day)
        rules = edition_on(DWZ, max(day, first_edition)).rules
        for name, outcome in rate_briefly(DWZ, unit, rules).players.items():
            if outcome.after is not None:
                states[int(name)] = outcome.after


def _by_event(games: Sequence[HistoryGame]) -> list[tuple[date, list[int]]]:
    """Return the games of each event with its last day, in the order of the chain."""
    events: dict[str, list[int]] = {}
    for index, game in enumerate(games):
        events.setdefault(game.event, []).append(index)
    last = {event: max(games[index].day for index in indices) for event, indices in events.items()}
    return [(last[event], events[event]) for event in sorted(events, key=lambda event: (last[event], event))]
