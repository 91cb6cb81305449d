"""An arbiter, with the licences that the federation has on record."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

TITLES = ("IA", "FA", "NA")
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
