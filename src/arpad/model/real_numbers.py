"""Real numbers with 50 digits, for systems whose text has roots, exponents and normal distributions.

Between two systems' functions such a number is a ``Decimal``; what a system hands over (figures, contributions, steps)
is the ``Fraction`` that equals it. Nothing that is published passes through a float.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from decimal import ROUND_HALF_EVEN, Context, Decimal, localcontext
from fractions import Fraction

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


def is_doubtful(value: Decimal) -> bool:
    """Return whether a real value lies so near to a half that its rounding is in doubt."""
    distance = abs(Fraction(value) % 1 - HALF)
    return 0 < distance < DOUBT


def round_real(
    value: Decimal, rounding: Callable[[Fraction], int], article: str = "", /, **facts: Fact
) -> tuple[int, tuple[Finding, ...]]:
    """Return the whole number of a real value, with a finding if it lies within 1e-6 of a half.

    An exact half is decided by the rounding. The facts say whose figure it is.
    """
    findings: tuple[Finding, ...] = ()
    if is_doubtful(value):
        said = {**facts, "value": decimal_text(Fraction(value), places=PLACES)}
        findings = (Finding(Severity.WARNING, "rounding-in-doubt", article, facts=said),)
    return rounding(Fraction(value)), findings
