"""What a player may expect from a game of DWZ, and the way back from a share of points to a difference (3.3 / 4.5).

An expectation is an integer in units of 10 to the power of -40, so that sums are exact and P(D) + P(-D) is 1. The
table of the older editions is the same distribution, rounded to thousandths and cut off.
"""

from __future__ import annotations

from decimal import Context, Decimal
from fractions import Fraction
from functools import cache

from arpad.model.exact import half_up

UNIT = 10**40
"""An expectation of 1."""

THOUSAND = 1000
_BEYOND = 4000
"""From this difference on 1 - P is below 10 to the power of -40: erfc(10) is about 2e-45."""

_REALS = Context(prec=70)
_PI = Decimal("3.14159265358979323846264338327950288419716939937510582097494459230781640628620899")


@cache
def normal(difference: int) -> int:
    """Return P(D), the normal distribution function of D / (200 x sqrt 2), in units of 10**-40 (3.3 / 4.5)."""
    higher = UNIT if abs(difference) >= _BEYOND else _upper_half(2 * abs(difference))
    return higher if difference >= 0 else UNIT - higher


@cache
def _upper_half(halves: int) -> int:
    """Return P(D) for a D that is not negative, counted in halves: 1/2 + 1/2 erf(D/400).

    erf(x) is 2x / sqrt(pi) x exp(-x²) x (1 + 2x²/3 + (2x²)²/15 + …): all terms are positive, so nothing cancels.
    """
    x = _REALS.divide(Decimal(halves), Decimal(800))
    double_square = _REALS.multiply(2, _REALS.multiply(x, x))
    term = total = Decimal(1)
    odd = 1
    while term > _REALS.scaleb(total, -65):
        odd += 2
        term = _REALS.divide(_REALS.multiply(term, double_square), odd)
        total = _REALS.add(total, term)
    fall = _REALS.exp(_REALS.divide(_REALS.minus(double_square), 2))
    half_erf = _REALS.divide(_REALS.multiply(_REALS.multiply(x, fall), total), _REALS.sqrt(_PI))
    return UNIT // 2 + int(_REALS.to_integral_value(_REALS.scaleb(half_erf, 40)))


def in_thousandths(expectation: int) -> int:
    """Return an expectation, or a sum of them, in thousandths, half up."""
    return half_up(Fraction(expectation * THOUSAND, UNIT))


@cache
def table(difference: int, certain_from: int) -> int:
    """Return P(D) of the printed table, rounded to thousandths, in units of 10**-40; from a difference on it is 1."""
    if abs(difference) >= certain_from:
        return UNIT if difference > 0 else 0
    higher = in_thousandths(normal(abs(difference))) * (UNIT // THOUSAND)
    return higher if difference >= 0 else UNIT - higher


@cache
def difference(thousandths: int, largest: int) -> int:
    """Return D(P), the nearest whole difference for a share of the points in thousandths (3.3 / 4.6)."""
    if thousandths * 2 < THOUSAND:
        return -difference(THOUSAND - thousandths, largest)
    if thousandths >= THOUSAND:
        return largest
    wanted = thousandths * (UNIT // THOUSAND)
    low, high = 0, _BEYOND
    while low < high:
        middle = (low + high) // 2
        if _upper_half(2 * middle + 1) >= wanted:
            high = middle
        else:
            low = middle + 1
    return low
