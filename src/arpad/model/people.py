"""People as values: births, the person of the register, and arbiters with their licences."""

from dataclasses import dataclass
from datetime import date
from typing import TypeAlias

YEARS = range(1800, 3000)
"""Accepted years; others are typing mistakes."""

Birth: TypeAlias = date | int | None
"""A date of birth, or only its year, or None."""


def birth_year(born: Birth) -> int | None:
    """Return the year of a birth, None if it is unknown."""
    return born.year if isinstance(born, date) else born


def births_agree(birth: Birth, other_birth: Birth) -> bool:
    """Return whether two births may be of the same person: unknown births agree, a year agrees with its days."""
    if isinstance(birth, date) and isinstance(other_birth, date):
        return birth == other_birth
    return not birth or not other_birth or birth_year(birth) == birth_year(other_birth)


@dataclass(frozen=True, slots=True)
class Person:
    """A player of the register, as known on some day."""

    id: int
    name: str
    federation: str = ""
    sex: str = ""
    """``M`` or ``F``."""

    born: Birth = None
    title: str = ""
    women_title: str = ""
    other_titles: str = ""
    affiliation: str = ""
    """IBCA, ICSC or IPCA (2009 7.14g)."""

    identifiers: tuple[tuple[str, str], ...] = ()
    """Scheme and number, ordered by scheme."""

    died: date | None = None
    """The day of death, as the federation reported it (2024 10.2)."""

    def identifier(self, scheme: str) -> str:
        """Return the number of one body, or an empty text."""
        return next((number for name, number in self.identifiers if name == scheme), "")


# ------------------------------------------------------------------------------------------------------------- arbiters


ARBITER_TITLES = ("IA", "FA", "NA")
"""International, FIDE and national arbiter."""


@dataclass(frozen=True, slots=True)
class Licence:
    """A licence; without a last day it has no end."""

    since: date
    until: date | None = None

    def covers(self, first: date, last: date) -> bool:
        """Return whether the licence is valid on all days of an event."""
        return self.since <= first and (self.until is None or self.until >= last)


@dataclass(frozen=True, slots=True)
class Arbiter:
    """An arbiter as the register has them."""

    id: int
    name: str
    fide: str = ""
    """The FIDE ID."""

    federation: str = ""
    title: str = ""
    licences: tuple[Licence, ...] = ()

    def licensed(self, first: date, last: date) -> bool:
        """Return whether a licence is valid on all days of an event."""
        return any(licence.covers(first, last) for licence in self.licences)

    @property
    def last_until(self) -> date | None:
        """Return the last day of the licence that ends last; None if one has no end, or if there is none."""
        ends = [licence.until for licence in self.licences]
        return None if not ends or None in ends else max(end for end in ends if end)
