"""Rules, editions, steps of a derivation and findings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from datetime import date
from enum import StrEnum
from fractions import Fraction
from typing import Generic, TypeAlias, TypeVar

from arpad.model.errors import NoList
from arpad.model.values import dataclass

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

Fact: TypeAlias = int | str | date | Fraction | tuple["Fact", ...] | None
"""The values of a step or a finding; numbers that are not whole are fractions, never floats."""


# ----------------------------------------------------------------------------------------------- rules


class Confidence(StrEnum):
    """How surely a rule of an edition is known."""

    VERIFIED = "verified"
    """Read in the text itself, or in an official notice."""

    SECONDARY = "secondary"
    """Reported by federations, the press or programs."""

    INFERRED = "inferred"
    """Concluded from another text; the reason is in docs/readings.md."""

    UNKNOWN = "unknown"
    """The value is unknown and taken from the nearest edition."""


@dataclass(frozen=True, slots=True)
class Rule(Generic[T_co]):
    """A value and the article that sets it."""

    value: T_co
    article: str
    confidence: Confidence = field(default=Confidence.VERIFIED, compare=False, repr=False)


class Body(StrEnum):
    """A body or person that decides for FIDE."""

    QC = "qc"
    """The chairman of the Qualification Commission."""

    PRESIDENT = "president"
    COUNCIL = "council"


class ListName(StrEnum):
    """A rating list: a player has one rating on each."""

    STANDARD = "standard"
    RAPID = "rapid"
    BLITZ = "blitz"
    ITALIANA = "italiana"
    INTERNAZIONALE = "internazionale"


CHESS_LISTS = (ListName.STANDARD, ListName.RAPID, ListName.BLITZ)
DRAUGHTS_LISTS = (ListName.ITALIANA, ListName.INTERNAZIONALE)

LIST_UNDECIDED = "list-undecided"
"""The error of a report whose list nobody stated and whose time control cannot be read."""


@dataclass(frozen=True, slots=True)
class Edition(Generic[T]):
    """One published edition of one body's regulations: what it sets for each of its lists."""

    id: str
    body: str
    effective: date
    """The first day it applies: to tournaments that begin on it or later (0.1)."""

    source: str
    """The text it was taken from."""

    checked: date
    """When a person last compared it with that text."""

    lists: Mapping[ListName, T]
    adopted: str = ""
    """The body that decided it, and when, if the text says so."""

    by_name_only: bool = False
    """A variant: never found by date."""

    base: str = ""
    """The edition it amends."""

    begins: Mapping[ListName, Rule[date]] = field(default_factory=dict)
    """Lists that began on another day than the edition."""

    def on(self, name: ListName) -> T:
        """Return what the edition sets for one list."""
        try:
            return self.lists[name]
        except KeyError:
            has = ", ".join(self.lists)
            raise NoList("no-list", list=str(name), edition=self.id, accepted=has) from None

    def starts(self, name: ListName) -> date:
        """Return the first day the edition applies to a list."""
        return self.begins[name].value if name in self.begins else self.effective


# ------------------------------------------------------------------------------------- derivations


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a derivation: under this article, this quantity has this value."""

    article: str
    quantity: str
    value: Fact
    facts: Mapping[str, Fact] = field(default_factory=dict)
    """Whatever else the sentence about it needs."""


def step(article: str, quantity: str, value: Fact, /, **facts: Fact) -> Step:
    """Return a step of a derivation; the facts by name."""
    return Step(article, quantity, value, facts)


class Severity(StrEnum):
    """How much a finding matters."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


@dataclass(frozen=True, slots=True)
class Finding:
    """Something a check has to say; put into words only at the end, in the reader's language."""

    severity: Severity
    code: str
    article: str = ""
    line: int | None = None
    column: int | None = None
    player: int | None = None
    """The start number of the player concerned."""

    round: int | None = None
    facts: Mapping[str, Fact] = field(default_factory=dict)
