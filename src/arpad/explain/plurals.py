"""The plural category of a number, by the rules of the Unicode CLDR (Unicode Technical Standard 35, part 3).

A rule is a text such as ``v = 0 and i % 10 = 2..4 and i % 100 != 12..14``. Its letters are facts about the number as it
is written: ``n`` its absolute value, ``i`` the digits before the decimal sign, ``f`` and ``t`` those after it with
and without the zeros at the end, ``v`` and ``w`` how many these are, ``e`` and ``c`` the exponent, which is 0 here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from functools import cache, lru_cache
from typing import NamedTuple

CATEGORIES = ("zero", "one", "two", "few", "many", "other")
"""All categories, in the order in which a message has its forms."""

_RELATION = re.compile(r"([nivwftec])(?: % ([0-9]+))? (!?=) ([0-9., ]+)")


class _Relation(NamedTuple):
    operand: str
    modulus: int | None
    inside: bool
    ranges: tuple[tuple[int, int], ...]


def plural_category(rules: Mapping[str, str], number: str) -> str:
    """Return the category of a number that is written with a decimal point, as ``12`` or ``1.50``.

    >>> plural_category({"one": "i = 1 and v = 0"}, "1"), plural_category({"one": "i = 1 and v = 0"}, "1.0")
    ('one', 'other')
    """
    return _category(tuple(rules.items()), number.lstrip("+-"))


@lru_cache(maxsize=4096)
def _category(rules: tuple[tuple[str, str], ...], number: str) -> str:
    """Return the category of a number without a sign, remembered: the counts of a page repeat."""
    operands = _operands(number)
    for category, rule in rules:
        if any(all(_holds(relation, operands) for relation in group) for group in _parsed(rule)):
            return category
    return "other"


def _operands(number: str) -> Mapping[str, Fraction]:
    whole, _, decimals = number.partition(".")
    shorter = decimals.rstrip("0")
    figures = {
        "i": int(whole),
        "v": len(decimals),
        "w": len(shorter),
        "f": int(decimals or 0),
        "t": int(shorter or 0),
    }
    return {"n": Fraction(number), "e": Fraction(0), "c": Fraction(0)} | {
        name: Fraction(figure) for name, figure in figures.items()
    }


def _holds(relation: _Relation, operands: Mapping[str, Fraction]) -> bool:
    value = operands[relation.operand]
    if relation.modulus is not None:
        value %= relation.modulus
    within = value.denominator == 1 and any(low <= value <= high for low, high in relation.ranges)
    return within is relation.inside


@cache
def _parsed(rule: str) -> tuple[tuple[_Relation, ...], ...]:
    """Return a rule as alternatives, each of relations that must all hold."""
    return tuple(tuple(map(_relation, part.split(" and "))) for part in rule.split(" or "))


def _relation(text: str) -> _Relation:
    match = _RELATION.fullmatch(text.strip())
    if match is None:
        raise ValueError(text)
    operand, modulus, sign, numbers = match.groups()
    ranges = []
    for item in numbers.replace(" ", "").split(","):
        low, _, high = item.partition("..")
        ranges.append((int(low), int(high or low)))
    return _Relation(operand, int(modulus) if modulus else None, sign == "=", tuple(ranges))
