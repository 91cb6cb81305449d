"""Arguments as people type them, for the command line and the site alike: refused in the same words."""

from __future__ import annotations

from fractions import Fraction

from arpad.model.errors import BadInput
from arpad.model.exact import Hundredths
from arpad.model.rules import DRAUGHTS_LISTS, ListName
from arpad.regulations.rubele.rules import DraughtsRules

HIGHEST_CAPITAL = 99_999
MOST_GAMES = 1_000
LONGEST = 9
"""Digits: a longer number is no capital and no count."""


def parse_discipline(text: str, option: str = "discipline") -> ListName:
    """Return one of the two draughts lists by name."""
    if text not in DRAUGHTS_LISTS:
        raise BadInput("unknown-discipline", option=option, given=text, accepted=", ".join(DRAUGHTS_LISTS))
    return ListName(text)


def parse_count(text: str, option: str, least: int, most: int) -> int:
    """Return a whole number within bounds."""
    number = _whole(text)
    if number is None or not least <= number <= most:
        raise BadInput("not-a-count", option=option, given=text, least=least, most=most)
    return number


def parse_capital(text: str, option: str, rules: DraughtsRules) -> int:
    """Return a capital; refuse one below the minimum of the edition."""
    number, minimum = _whole(text), rules.minimum_capital.value
    if number is None or number > HIGHEST_CAPITAL:
        raise BadInput("not-a-capital", option=option, given=text, minimum=minimum, most=HIGHEST_CAPITAL)
    if number < minimum:
        raise BadInput("capital-below-minimum", option=option, capital=number, minimum=minimum)
    return number


def parse_scored(text: str, option: str = "scored") -> int:
    """Return the points scored, PO."""
    number = _whole(text)
    if number is None or not 0 <= number <= 2 * MOST_GAMES:
        raise BadInput("not-points", option=option, given=text)
    return number


def parse_expectation(text: str, option: str = "expected") -> Hundredths:
    """Return an expected score, PA: a number with at most two decimals, with a point or a comma."""
    whole, _, decimals = text.strip().replace(",", ".").partition(".")
    digits = (whole or "0") + decimals.ljust(2, "0")
    fits = len(decimals) <= 2 and len(whole) <= LONGEST and (whole or decimals)  # noqa: PLR2004 (hundredths)
    if not fits or not (digits.isascii() and digits.isdigit()) or int(digits) > 200 * MOST_GAMES:
        raise BadInput("not-an-expectation", option=option, given=text)
    return int(digits)


def parse_weight(text: str, option: str = "weight") -> Fraction:
    """Return how much an event counts, in percent: ``50`` or ``50%``."""
    percent = _whole(text.strip().removesuffix("%"))
    if percent is None or not 1 <= percent <= 100:  # noqa: PLR2004 (a percentage)
        raise BadInput("not-a-weight", option=option, given=text)
    return Fraction(percent, 100)


def _whole(text: str) -> int | None:
    cleaned = text.strip()
    digits = cleaned.removeprefix("-")
    if not (digits.isascii() and digits.isdigit()) or len(digits) > LONGEST:
        return None
    return int(cleaned)
