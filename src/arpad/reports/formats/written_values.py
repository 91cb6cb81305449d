"""Whole numbers, points and dates as files write them: years first or last, in two digits, with month names."""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from arpad.model.exact import HalfPoints
from arpad.model.people import YEARS, Birth

_LONGEST = 15
_THOUSANDS = re.compile(r"[1-9][0-9]{0,2}(?:\.[0-9]{3})+")
_HALVES = {"": 0, "0": 0, "5": 1, "00": 0, "50": 1}
_NUMBERS = re.compile(
    r"(\d{1,2}|\d{4})\s*[-/.]\s*(\d{1,2})\s*[-/.]\s*(\d{1,2}|\d{4})(?:[ T]\d{1,2}:\d{2}.*)?", re.ASCII
)
_COMPACT = re.compile(r"(\d{4})(\d{2})(\d{2})", re.ASCII)
_MONTH_FIRST = re.compile(r"([^\W\d]+)\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})")
_DAY_FIRST = re.compile(
    r"(\d{1,2})(?:st|nd|rd|th|\.|º|°)?[\s/-]+(?:de\s+)?([^\W\d]+)\.?,?[\s/-]+(?:de\s+)?(\d{4}|\d{2})"
)
_YEAR_ONLY = re.compile(r"(\d{4})(?:\s*+[-/.]\s*+0{0,2}\s*+[-/.]?\s*+0{0,2})?", re.ASCII)
_SHORT_BIRTH = re.compile(r"(\d{1,2})[./-](\d{1,2})[./-](\d{2})", re.ASCII)
_NO_BIRTH = re.compile(r"[\s0./-]*", re.ASCII)

_MONTH_NAMES = """
    jan gen ene januar january gennaio janvier enero jän
    feb february febbraio februar février fevrier febrero fév
    mar march marzo märz maerz mars mär
    apr april aprile avril abril abr avr
    may mag mai maggio mayo
    jun june giu giugno juni juin junio
    jul july lug luglio juli juillet julio juil
    aug august ago agosto août aout
    sep sept september set settembre septembre septiembre
    oct october ott ottobre oktober okt octobre octubre
    nov november novembre noviembre
    dec december dic dicembre dezember dez décembre decembre diciembre déc
""".strip().splitlines()
MONTHS: Mapping[str, int] = {
    name: number for number, names in enumerate(_MONTH_NAMES, start=1) for name in names.split()
}
"""Month names and their short forms in the languages of the reports seen."""

_FULL_YEAR = 4
_CENTURY = 70
"""Two-digit years from 70 on are 19xx: no rating list is older."""


def digits(text: str) -> int | None:
    """Return a number of plain digits without sign; None for anything else or more than 15 digits."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _LONGEST else None


def whole_number(text: str) -> int | None:
    """Return a whole number in a sheet, where 3.479 may have a point at the thousands."""
    return digits(text.replace(".", "") if _THOUSANDS.fullmatch(text) else text)


def half_points(text: str) -> HalfPoints | None:
    """Return decimal points as half-points; None if they are no multiple of a half."""
    whole, _, rest = text.strip().replace(",", ".").partition(".")
    halves = _HALVES.get(rest)
    number = digits(whole or "0")
    return None if number is None or halves is None else 2 * number + halves


@dataclass(frozen=True, slots=True)
class Day:
    """The possible readings of a text as a day."""

    readings: tuple[date, ...]
    """The likeliest first; several if the order of day, month and year is unclear; none if it is no date."""

    usual: bool
    """Whether it is written year, month, day."""

    def nearest(self, known_days: Collection[date]) -> tuple[date | None, bool]:
        """Return the reading that agrees with known days, and whether it is still unclear."""
        if not self.readings:
            return None, False
        agreeing = [reading for reading in self.readings if reading in known_days]
        if len(agreeing) == 1:
            return agreeing[0], False
        return self.readings[0], len(self.readings) > 1


@lru_cache(maxsize=4096)
def read_day(text: str) -> Day:
    """Read a text as a day."""
    text = text.strip()
    match = _NUMBERS.fullmatch(text) or _COMPACT.fullmatch(text)
    if match:
        return _from_numbers(match[1], match[2], match[3])
    named = _MONTH_FIRST.fullmatch(text)
    if named:
        return _from_name(named[3], named[1], named[2])
    named = _DAY_FIRST.fullmatch(text)
    return _from_name(named[3], named[2], named[1]) if named else Day((), usual=False)


def format_day(day: date) -> str:
    """Return a day as the regulations require: 2025/09/13."""
    return f"{day.year:04}/{day.month:02}/{day.day:02}"


def format_short_day(day: date) -> str:
    """Return a day as in the line of round dates: 25/09/13."""
    return format_day(day)[2:]


YOUNGEST = 3
"""Nobody of fewer years is on a list."""


def read_listed_birth(text: str, latest: int | None) -> tuple[Birth, bool]:
    """Return the birth in a rating list as ``read_birth`` does; old lists write its year with two digits.

    Two digits are the last such year in which a rated player can be born, if ``latest`` is the year of the list;
    without it they are settled as in reports.
    """
    short = _SHORT_BIRTH.fullmatch(text.strip())
    if short is None:
        return read_birth(text)
    two_digits = int(short[3])
    born_by = None if latest is None else latest - YOUNGEST
    year = _full(two_digits) if born_by is None else born_by - (born_by - two_digits) % 100
    day = _valid(year, int(short[2]), int(short[1]))
    return day, day is not None


def read_birth(text: str) -> tuple[Birth, bool]:
    """Return a date of birth, its year or None, and whether the text could be read."""
    text = text.strip()
    if _NO_BIRTH.fullmatch(text):
        return None, True
    year = _YEAR_ONLY.fullmatch(text)
    if year:
        return int(year[1]), True
    if not re.search(r"\d{4}", text, re.ASCII):
        return None, False
    readings = read_day(text).readings
    return (readings[0], True) if readings else (None, False)


def whole_day(text: str) -> date:
    """Return a complete day in any spelling; refuse a year alone."""
    day, _ = read_birth(text)
    if not isinstance(day, date):
        raise ValueError(text)  # noqa: TRY004  a text that cannot be read
    return day


def format_birth(born: Birth) -> str:
    """Return a birth as the regulations require; a year alone has zeros for month and day."""
    if born is None:
        return ""
    return f"{born:04}/00/00" if isinstance(born, int) else format_day(born)


def _from_numbers(first: str, second: str, third: str) -> Day:
    a, b, c = int(first), int(second), int(third)
    if len(first) == _FULL_YEAR:
        orders = [(a, b, c), (a, c, b)]
    elif len(third) == _FULL_YEAR:
        orders = [(c, b, a), (c, a, b)]
    else:
        orders = [(_full(a), b, c), (_full(a), c, b), (_full(c), b, a), (_full(c), a, b)]
        if _valid(*orders[0]):  # 12/05/18 is of 2012 by the formats, and of 2018 by most people's habit
            orders.pop(1)
    readings = tuple(dict.fromkeys(day for order in orders if (day := _valid(*order))))
    if len(third) == _FULL_YEAR:
        return Day(readings, usual=False)
    usual = bool(readings) and readings[0] == _valid(*orders[0])
    # After a full year the formats prescribe month, day: the other order counts only where that makes no sense.
    return Day(readings if usual and len(first) != _FULL_YEAR else readings[:1], usual)


def _from_name(year: str, month: str, day: str) -> Day:
    number = MONTHS.get(month.lower())
    full = int(year) if len(year) == _FULL_YEAR else _full(int(year))
    valid = _valid(full, number, int(day)) if number else None
    return Day((valid,) if valid else (), usual=False)


def _full(year: int) -> int:
    return year + (1900 if year >= _CENTURY else 2000)


def _valid(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day) if year in YEARS else None
    except ValueError:
        return None
