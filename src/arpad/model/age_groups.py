"""Age groups: U8 to U20, 50+ and 65+, by the year of birth, which is all that a list shows.

By FIDE's rule a junior has not reached the age on 1 January of the year, and a senior reaches it by 31 December. An
office may count both on the same day; other days of the year would need the day of birth.
"""

import re
from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from arpad.model.errors import BadInput


class AgeDay(StrEnum):
    """The day of the list's year on which the age is counted."""

    FIDE = "fide"
    """1 January for juniors, 31 December for seniors."""

    FIRST = "01-01"
    LAST = "12-31"


class AgeGroup(NamedTuple):
    """Players under an age, or of an age and above."""

    under: bool
    years: int

    @property
    def code(self) -> str:
        """The name in addresses: ``u12``, ``s50``."""
        return f"{'u' if self.under else 's'}{self.years}"

    @property
    def label(self) -> str:
        """The name for people: ``U12``, ``50+``."""
        return f"U{self.years}" if self.under else f"{self.years}+"


DEFAULT = "U8 U10 U12 U14 U16 U18 U20 50+ 65+"
_GROUP = re.compile(r"[uU](\d{1,2})|(\d{1,2})\+|[sS](\d{1,2})")
_YOUNGEST = 4


def read_groups(text: str) -> tuple[AgeGroup, ...]:
    """Return the groups of a text such as ``U8 U10 50+``, the youngest first."""
    groups = {read_group(word) for word in text.split()}
    return tuple(sorted(groups, key=lambda group: (not group.under, group.years)))


def read_group(word: str) -> AgeGroup:
    """Return the group of a word such as ``U12``, ``50+`` or ``s50``; refuse any other."""
    match = _GROUP.fullmatch(word)
    years = int(next(part for part in match.groups() if part)) if match else 0
    if match is None or years < _YOUNGEST:
        raise BadInput("value-unknown", option="age_groups", value=word[:20], accepted=DEFAULT)
    return AgeGroup(under=bool(match[1]), years=years)


def group_named(groups: Sequence[AgeGroup], code: str) -> AgeGroup | None:
    """Return the group with a code among those that an office publishes."""
    return next((group for group in groups if group.code == code.lower()), None)
