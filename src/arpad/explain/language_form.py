"""How a language writes counts, days and moments: the facts of its ``form.toml``.

``python -m tools.language_form`` writes that file from the Unicode CLDR, as the package Babel has it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime

from arpad.explain.plurals import CATEGORIES, plural_category


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
