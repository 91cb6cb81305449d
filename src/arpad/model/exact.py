"""Exact numbers: half-points, hundredths, fractions, and the only rounding functions of the project.

Scores are counted in half-points, expectations in hundredths; everything that cannot be an integer yet is a
``Fraction``. Nothing that is published ever passes through a float.
"""

import re
from fractions import Fraction
from typing import TypeAlias

HalfPoints: TypeAlias = int
"""A chess score counted in half-points: a win is 2, a draw 1."""

Hundredths: TypeAlias = int
"""An expectation counted in hundredths: 50 is an even game."""

HALF = Fraction(1, 2)
_WRITTEN = re.compile(r"-?(?:[0-9]{1,9}(?:\.[0-9]{1,9}|/[0-9]{1,9})?|\.[0-9]{1,9})")


def half_up(value: Fraction | int) -> int:
    """Return the nearest integer; a half goes up, also below zero: -2.5 becomes -2 (8.32)."""
    return (value + HALF).__floor__()


def half_away_from_zero(value: Fraction | int) -> int:
    """Return the nearest integer; a half goes away from zero: -2.5 becomes -3."""
    return half_up(value) if value >= 0 else -half_up(-value)


def points(score: HalfPoints) -> Fraction:
    """Return a score in points."""
    return Fraction(score, 2)


def from_hundredths(value: Hundredths) -> Fraction:
    """Return an expectation, or a sum of them, as a number."""
    return Fraction(value, 100)


def fractional_score(score: HalfPoints, games: int) -> Hundredths:
    """Return the fraction p of the possible points in hundredths; between two rows of 8.1a, half up (12.2)."""
    return half_up(Fraction(100 * score, 2 * games))


def read_number(text: str) -> Fraction | None:
    """Return a number as people write it (12, 0.5, 0,5, 25/2), or None; exponents could be endless and are refused."""
    plain = text.strip().replace(",", ".")
    try:
        return Fraction(plain) if _WRITTEN.fullmatch(plain) else None
    except ZeroDivisionError:
        return None


def decimal_text(value: Fraction | int, *, signed: bool = False, places: int | None = None) -> str:
    """Return a number in decimals: all of them if they end, otherwise two (or ``places``), half away from zero.

    >>> decimal_text(Fraction(43, 100)), decimal_text(Fraction(-5, 2)), decimal_text(Fraction(13105, 6))
    ('0.43', '-2.5', '2184.17')
    """
    above, below = abs(value.numerator), value.denominator
    if places is None:
        places = _places(below)
    # half up of a number that is not negative, on integers: pages show hundreds of them
    scaled = (2 * above * 10**places + below) // (2 * below)
    digits = str(scaled).rjust(places + 1, "0")
    text = f"{digits[:-places]}.{digits[-places:]}" if places else digits
    sign = "-" if value < 0 and scaled else "+" if signed else ""
    return sign + text


def _places(denominator: int) -> int:
    """Return how many decimals a fraction with this denominator needs; two if they would never end."""
    twos = fives = 0
    while denominator % 2 == 0:
        denominator, twos = denominator // 2, twos + 1
    while denominator % 5 == 0:
        denominator, fives = denominator // 5, fives + 1
    return max(twos, fives) if denominator == 1 else 2
