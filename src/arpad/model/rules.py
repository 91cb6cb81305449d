"""Rules, editions, steps of a derivation and findings."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from fractions import Fraction
from functools import partial
from typing import Any, ClassVar, Generic, TypeAlias, TypeVar

from arpad.model.errors import BadInput, NoList

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


class ListName(str):
    """The name of a rating list, with what follows from it: a player has one rating on each.

    Five lists are the same everywhere, and their name is enough. A list of an office's own has its system with it.
    """

    __slots__ = ("game", "owner", "system", "times")

    game: str
    """``chess`` or ``draughts``."""

    system: str
    """How it is computed: ``fide``, ``rubele``, or a folder of ``regulations.systems``."""

    times: str
    """``standard``, ``rapid`` or ``blitz``: the time control of its events; empty if all events count on it."""

    owner: str
    """The federation whose players it rates; empty if it rates everybody. Of a list that is the same everywhere, the
    office says it in its settings."""

    STANDARD: ClassVar[ListName]
    RAPID: ClassVar[ListName]
    BLITZ: ClassVar[ListName]
    ITALIANA: ClassVar[ListName]
    INTERNAZIONALE: ClassVar[ListName]

    def __new__(  # noqa: PYI034  one of the five is the same everywhere
        cls, name: str, system: str = "", *, game: str = "chess", times: str = "", owner: str = ""
    ) -> ListName:
        """Return a list of an office's own, or without a system one of the five."""
        if not system:
            return _named(name)
        made = super().__new__(cls, name)
        made.game, made.system, made.times, made.owner = game, system, times, owner
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        """Return what other processes make it from again."""
        system = self.system if self.is_own else ""
        return partial(ListName, str(self), system, game=self.game, times=self.times, owner=self.owner), ()

    @property
    def is_own(self) -> bool:
        """Whether it is a list of an office's own, which a rating system computes."""
        return self not in LISTS


def parse_own_name(text: str, option: str = "name") -> str:
    """Return the name of an office's own list; refuse one that is taken, or that no file can have."""
    if text in LISTS:
        raise BadInput("list-name-taken", option=option, name=text)
    if len(text) > _LONGEST_NAME or not _OWN_NAME.fullmatch(text):
        raise BadInput("list-name", option=option, given=text[:40])
    return text


def name_of_list(text: str) -> str:
    """Return the name of the list of a publication, as of ``standard-2024-03-01-r1``, or of a list itself."""
    return _PUBLISHED.sub("", text)


_PUBLISHED = re.compile(r"-[0-9]{4}-[0-9]{2}-[0-9]{2}.*")
_OWN_NAME = re.compile(r"[a-z][a-z0-9]*(?:-[a-z][a-z0-9]*)*")
_LONGEST_NAME = 30


def _named(name: str) -> ListName:
    for known in LISTS:
        if known == name:
            return known
    raise ValueError(name)


ListName.STANDARD = ListName("standard", "fide", times="standard")
ListName.RAPID = ListName("rapid", "fide", times="rapid")
ListName.BLITZ = ListName("blitz", "fide", times="blitz")
ListName.ITALIANA = ListName("italiana", "rubele", game="draughts")
ListName.INTERNAZIONALE = ListName("internazionale", "rubele", game="draughts")

CHESS_LISTS = (ListName.STANDARD, ListName.RAPID, ListName.BLITZ)
DRAUGHTS_LISTS = (ListName.ITALIANA, ListName.INTERNAZIONALE)
LISTS = CHESS_LISTS + DRAUGHTS_LISTS
"""The lists that are the same everywhere."""

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


@dataclass(frozen=True, slots=True)
class Alteration:
    """Something that is not as it was published."""

    code: str
    facts: Mapping[str, Any]


def derived_row(table: str, row: str) -> Alteration:
    """Return that a row does not follow from what it was made from."""
    return Alteration("row-derived", {"table": table, "row": row})
