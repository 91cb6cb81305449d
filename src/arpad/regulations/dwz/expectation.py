"""What a player may expect from a game of DWZ, and the way back from a share of points to a difference (3.3).

An expectation is an integer in units of 10 to the power of -40. The table of the older editions is the same
distribution, rounded to thousandths and cut off.
"""

from __future__ import annotations

from functools import cache

from arpad.model.real_numbers import UNIT, normal

THOUSAND = 1000
_SPREAD = 400
"""P(D) is the normal distribution of D / (200 x sqrt 2), so of sqrt 2 x D / 400."""


def probability(difference: int) -> int:
    """Return P(D) by the distribution itself (3.3)."""
    return normal(difference, _SPREAD)


def in_thousandths(expectation: int) -> int:
    """Return an expectation, or a sum of them, in thousandths, half up."""
    return (2 * THOUSAND * expectation + UNIT) // (2 * UNIT)


@cache
def table(difference: int, certain_from: int) -> int:
    """Return P(D) of the printed table, rounded to thousandths, 1 from a difference on (3.3)."""
    if abs(difference) >= certain_from:
        return UNIT if difference > 0 else 0
    higher = in_thousandths(probability(abs(difference))) * (UNIT // THOUSAND)
    return higher if difference >= 0 else UNIT - higher


@cache
def difference(thousandths: int, largest: int) -> int:
    """Return D(P), the nearest whole difference for a share of the points in thousandths (3.3)."""
    if thousandths * 2 < THOUSAND:
        return -difference(THOUSAND - thousandths, largest)
    if thousandths >= THOUSAND:
        return largest
    wanted = thousandths * (UNIT // THOUSAND)
    low, high = 0, 10 * _SPREAD
    while low < high:
        middle = (low + high) // 2
        if normal(2 * middle + 1, 2 * _SPREAD) >= wanted:
            high = middle
        else:
            low = middle + 1
    return low
