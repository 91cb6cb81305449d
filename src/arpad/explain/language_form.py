"""How a language writes counts, days and moments: the facts of its ``form.toml``, with the plural rules of the CLDR.

``python -m tools.language_form`` writes that file from the Unicode CLDR, as the package Babel has it.

A rule is a text such as ``v = 0 and i % 10 = 2..4 and i % 100 != 12..14``. Its letters are facts about the number as it
is written: ``n`` its absolute value, ``i`` the digits before the decimal sign, ``f`` and ``t`` those after it with
and without the zeros at the end, ``v`` and ``w`` how many these are, ``e`` and ``c`` the exponent, which is 0 here.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from fractions import Fraction
from functools import cache, lru_cache
from typing import NamedTuple

CATEGORIES = ("zero", "one", "two", "few", "many", "other")
"""All categories, in the order in which a message has its forms."""

_RELATION = re.compile(r"([nivwftec])(?: % ([0-9]+))? (!?=) ([0-9., ]+)")


@dataclass(frozen=True, slots=True)
class LanguageForm:
    """The form of one language; patterns have their facts in braces."""

    decimal_sign: str
    thousands_sign: str
    separator: str
    """Between the items of a list."""
    colon: str
    """After a word, with the blank that a language has before it."""
    day: str
    days: str
    """Several days of one month."""
    span: str
    """From a day to another."""
    time: str
    moment: str
    months: Mapping[str, str]
    """The names of months as a date has them, by number."""
    day_numbers: Mapping[str, str]
    """Numbers of days that a date writes in their own way, as the French first."""
    plurals: Mapping[str, str]
    """The rule of each plural category except ``other``."""
    elisions: Mapping[str, str]
    """Articles by the form that they take before a number that begins with a vowel, as the Italian 8 and 11."""

    @property
    def categories(self) -> tuple[str, ...]:
        """The plural categories of the language, in the order of the forms in a message."""
        return tuple(name for name in CATEGORIES if name in self.plurals or name == "other")

    def counted(self, forms: str, number: str, shown: str) -> str:
        """Return a number with its noun; ``forms`` is ``game|games``, or ``|is|are`` for the word without number."""
        words = forms.removeprefix("|").split("|")
        index = self.categories.index(plural_category(self.plurals, number))
        word = words[min(index, len(words) - 1)]
        return word if forms.startswith("|") else f"{shown} {word}"

    def joined(self, article: str, text: str) -> str:
        """Return an article with the text after it: ``il 3 marzo``, but ``l'8 marzo`` and ``l'11 marzo``."""
        vowel = text.startswith("8") or (text.startswith("11") and not text[2:3].isdigit())
        return f"{self.elisions[article]}{text}" if vowel else f"{article} {text}"

    def write_day(self, value: date) -> str:
        """Return a day."""
        return self.day.format(**self._facts(value))

    def write_days(self, first: date, last: date) -> str:
        """Return the days from the first to the last, without repeating the month that they share."""
        if first == last:
            return self.write_day(first)
        if (first.year, first.month) == (last.year, last.month):
            return self.days.format(first=self._number(first), **self._facts(last))
        return self.span.format(first=self.write_day(first), last=self.write_day(last))

    def write_moment(self, value: datetime) -> str:
        """Return a day with its time."""
        return self.moment.format(day=self.write_day(value), time=self.write_time(value))

    def write_time(self, value: datetime) -> str:
        """Return a time of day, in 24 hours."""
        return self.time.format(hour=value.hour, minute=value.minute)

    def _number(self, value: date) -> str:
        number = str(value.day)
        return self.day_numbers.get(number, number)

    def _facts(self, value: date) -> dict[str, str | int]:
        month = self.months[str(value.month)]
        return {"day": self._number(value), "month": month, "month_number": value.month, "year": value.year}


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
