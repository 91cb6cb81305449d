"""Glicko-2 for one rating period, after Glickman's "Example of the Glicko-2 system"; its steps are numbered here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log, pi, sqrt

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
