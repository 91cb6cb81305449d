"""The normal distribution, certain to forty places.

A probability is an integer in units of 10 to the power of -40, so that sums are exact and P(D) + P(-D) is 1.
"""

from __future__ import annotations

from decimal import Context, Decimal
from functools import cache

UNIT = 10**40
"""A probability of 1."""

_CERTAIN = 20
"""From this z on, 1 - P is below 10 to the power of -80."""

_REALS = Context(prec=70)
_PI = Decimal("3.14159265358979323846264338327950288419716939937510582097494459230781640628620899")


@cache
def normal(numerator: int, denominator: int) -> int:
    """Return the distribution function at sqrt(2) x numerator / denominator, in units of 10**-40.

    It is 1/2 + 1/2 erf(x), and erf(x) is 2x / sqrt(pi) x exp(-x²) x (1 + 2x²/3 + (2x²)²/15 + …): all terms are
    positive, so nothing cancels.
    """
    if numerator < 0:
        return UNIT - normal(-numerator, denominator)
    if numerator > _CERTAIN * denominator:
        return UNIT
    x = _REALS.divide(Decimal(numerator), Decimal(denominator))
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
