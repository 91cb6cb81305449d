"""Real numbers with 50 digits, for systems whose text has roots, exponents and normal distributions.

Between two systems' functions such a number is a ``Decimal``; what a system hands over (figures, contributions, steps)
is the ``Fraction`` that equals it. Nothing that is published passes through a float.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from decimal import ROUND_HALF_EVEN, Context, Decimal, localcontext
from fractions import Fraction
from functools import cache

from arpad.model.exact import HALF, decimal_text
from arpad.model.rules import Fact, Finding, Severity

DIGITS = 50
CONTEXT = Context(prec=DIGITS, rounding=ROUND_HALF_EVEN)
DOUBT = Fraction(1, 10**6)
"""A value this near to a half is not rounded without a finding, since it may lie on the other side of it."""

PLACES = 10
"""The decimals of a number that is not whole, in documents."""


@contextmanager
def fifty_digits() -> Iterator[None]:
    """Compute decimals with 50 digits, as a block or as a decorator of a function."""
    with localcontext(CONTEXT):
        yield


def real(value: Fraction | Decimal | int | str) -> Decimal:
    """Return a number as a real one with 50 digits."""
    if isinstance(value, Fraction):
        return CONTEXT.divide(Decimal(value.numerator), Decimal(value.denominator))
    return CONTEXT.create_decimal(value)


def exact(value: Decimal | float) -> Fraction:
    """Return the fraction that equals a number."""
    return Fraction(value)


def number_text(value: Fraction | int, places: int = PLACES) -> int | str:
    """Return a number for a document: a whole one as it is, another as a decimal text with ten places."""
    if isinstance(value, int):
        return value
    return int(value) if value.denominator == 1 else decimal_text(value, places=places)


def round_real(
    value: Decimal, rounding: Callable[[Fraction], int], article: str = "", /, **facts: Fact
) -> tuple[int, tuple[Finding, ...]]:
    """Return the whole number of a real value, with a finding if it lies within 1e-6 of a half.

    An exact half is decided by the rounding. The facts say whose figure it is.
    """
    findings: tuple[Finding, ...] = ()
    if 0 < abs(Fraction(value) % 1 - HALF) < DOUBT:
        said = {**facts, "value": decimal_text(Fraction(value), places=PLACES)}
        findings = (Finding(Severity.WARNING, "rounding-in-doubt", article, facts=said),)
    return rounding(Fraction(value)), findings


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
