"""The few statistics that every question needs: intervals, tests, and what to do about many tests at once.

Wilson's interval (1927), Holm's correction (1979), exact sums of independent games; the references are
in docs/explanation/monitoring.md.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray
from scipy import special  # scipy.stats would have all that is needed, and takes a second to load

ALPHA = 0.05
"""The share of false alarms that a family of tests may raise when nothing is wrong."""

Floats = NDArray[np.float64]
CONFIDENCE = 1.959963984540054  # 95 %, both sides
PER_POINT = float(np.log(10)) / 400
"""A rating point on the scale of the logistic curve."""


@dataclass(frozen=True, slots=True)
class Interval:
    """An estimate with its 95 % interval."""

    value: float
    low: float
    high: float


def normal_interval(value: float, error: float) -> Interval:
    """Return the interval of an estimate with a standard error."""
    return Interval(value, value - CONFIDENCE * error, value + CONFIDENCE * error)


def wilson(share: float, games: float) -> Interval:
    """Return Wilson's interval of a share; ``games`` may be an effective number."""
    if games <= 0:
        return Interval(share, 0.0, 1.0)
    z = CONFIDENCE
    centre = (share + z * z / (2 * games)) / (1 + z * z / games)
    half = z / (1 + z * z / games) * sqrt(max(0.0, share * (1 - share)) / games + z * z / (4 * games * games))
    return Interval(share, max(0.0, centre - half), min(1.0, centre + half))


def mean_interval(values: Sequence[float] | Floats) -> Interval:
    """Return the mean with Student's interval."""
    array = np.asarray(values, dtype=float)
    if array.size < 2:  # noqa: PLR2004  one value has no spread
        value = float(array.mean()) if array.size else 0.0
        return Interval(value, float("-inf"), float("inf"))
    mean = float(array.mean())
    error = float(array.std(ddof=1)) / sqrt(array.size)
    half = float(special.stdtrit(array.size - 1, 0.975)) * error
    return Interval(mean, mean - half, mean + half)


def two_sided(z: float) -> float:
    """Return the chance of a standard normal deviate at least as far from zero."""
    return float(2 * special.ndtr(-abs(z)))


def mean_p(values: Floats) -> float:
    """Return the chance of a mean at least as far from zero (Student's t); 1 if all values are the same."""
    if not np.ptp(values):
        return 1.0
    t = values.mean() / sqrt(values.var(ddof=1) / values.size)
    return float(2 * special.stdtr(values.size - 1, -abs(t)))


def difference_p(values: Floats, others: Floats) -> float:
    """Return the chance of means at least as far apart (Welch's t); 1 if neither sample has a spread."""
    if not np.ptp(values) and not np.ptp(others):
        return 1.0
    shares = [sample.var(ddof=1) / sample.size for sample in (values, others)]
    sizes = (values.size, others.size)
    freedom = sum(shares) ** 2 / sum(share**2 / (size - 1) for share, size in zip(shares, sizes, strict=True))
    t = (values.mean() - others.mean()) / sqrt(sum(shares))
    return float(2 * special.stdtr(freedom, -abs(t)))


def excess_p(successes: int, trials: int) -> float:
    """Return the chance of at least so many successes if each has an even chance."""
    return float(special.bdtrc(successes - 1, trials, 0.5)) if successes else 1.0


def holm(p_values: Sequence[float]) -> list[float]:
    """Return Holm's adjusted p-values: below 0.05 only if the whole family allows it."""
    order = sorted(range(len(p_values)), key=lambda index: p_values[index])
    adjusted = [1.0] * len(p_values)
    highest = 0.0
    for rank, index in enumerate(order):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[index]))
        adjusted[index] = highest
    return adjusted


def outcome_chances(expected: float, drawn: float) -> tuple[float, float, float]:
    """Return the chances of loss, draw and win at an expectation; draws shrink if it leaves no room."""
    draw = min(drawn, 2 * expected, 2 * (1 - expected))
    return 1 - expected - draw / 2, draw, expected - draw / 2


def score_distribution(games: Sequence[tuple[float, float, float]]) -> Floats:
    """Return the chances of 0, 1, 2 … half-points from independent games, exactly."""
    total = np.ones(1)
    for chances in games:
        total = np.convolve(total, np.asarray(chances))
    return total
