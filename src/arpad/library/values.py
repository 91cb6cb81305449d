"""What the library returns: values with the names of the JSON documents, and exact numbers instead of decimal text.

A column of a table, a field of ``--json`` and of the API, and an attribute of a value have one name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, is_dataclass
from fractions import Fraction
from functools import cache
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from arpad.model.rules import Finding, Step

Steps = tuple[Step, ...]
V = TypeVar("V")


# ----------------------------------------------------------------------------------------- the calculators


@dataclass(frozen=True, slots=True)
class ChangeGame:
    """One game of a rating change; ``change`` is score minus expectation, without K.

    ``expected`` and ``change`` are None if the game is not ``rated``.
    """

    opponent: int
    own: int
    event: str
    score: Fraction
    difference: int
    capped: bool
    rated: bool
    expected: Fraction | None
    change: Fraction | None
    steps: Steps = field(repr=False)


@dataclass(frozen=True, slots=True)
class Change:
    """The change of a rated player over one period (8.5): ``change`` is ``k_applied`` times ``sum``."""

    edition: str
    list: str
    rating: int
    k: int
    k_applied: int
    games: tuple[ChangeGame, ...]
    sum: Fraction
    change: Fraction
    change_rounded: int
    new_rating: int
    steps: Steps = field(repr=False)


@dataclass(frozen=True, slots=True)
class EntryFigures:
    """The figures of an entry rating.

    ``rating`` is None if a condition is not met; ``reason`` is its code, else ``published``.
    """

    games: int
    score: Fraction
    average: int | None
    average_exact: Fraction | None
    rating: int | None
    computed: int | None
    reason: str


@dataclass(frozen=True, slots=True)
class Entry(EntryFigures):
    """The entry rating of an unrated player (8.2, 8.3, 7.14).

    ``rating`` is None if a condition is not met; ``reason`` is its code, else ``published``.
    """

    edition: str
    list: str
    steps: Steps = field(repr=False)


@dataclass(frozen=True, slots=True)
class Coefficient:
    """The development coefficient K of a player (8.56)."""

    edition: str
    list: str
    k: int
    steps: Steps = field(repr=False)


@dataclass(frozen=True, slots=True)
class Performance:
    """A performance rating: the average of the opponents plus ``dp`` (8.1a)."""

    edition: str
    list: str
    rating: int
    average: int
    dp: int
    score: Fraction
    games: int
    steps: Steps = field(repr=False)


@dataclass(frozen=True, slots=True)
class Expectation:
    """The expected score of a player (8.1b, 8.54); ``expected`` is None if such a game is not rated."""

    edition: str
    list: str
    rating: int
    opponent: int
    difference: int
    capped: bool
    rated: bool
    expected: Fraction | None
    steps: Steps = field(repr=False)


@dataclass(frozen=True, slots=True)
class Opponent:
    """An opponent in a round robin: the rating they count with; ``score`` is None if only points were given."""

    number: int
    rating: int
    score: Fraction | None


@dataclass(frozen=True, slots=True)
class RoundRobinPlayer:
    """A player of a round robin: of a rated one the change, of an unrated one Rc, Ru, Rc (new) and Ru (new)."""

    number: int
    name: str
    rating: int | None
    score: Fraction
    removed: bool
    p: Fraction | None
    dp: int | None
    rc: int | None
    ru: int | None
    rc_new: int | None
    ru_new: int | None
    initial: EntryFigures | None
    k: int | None
    k_applied: int | None
    expected: Fraction | None
    sum: Fraction | None
    change: Fraction | None
    change_rounded: int | None
    new_rating: int | None
    opponents: tuple[Opponent, ...]
    steps: Steps = field(repr=False)


@dataclass(frozen=True, slots=True)
class RoundRobin:
    """A round robin with unrated players (8.21b, 8.25, 8.58); ``ra`` is the average of the tournament."""

    edition: str
    list: str
    cycles: int
    games: int
    rar: Fraction
    dpa: Fraction
    ra: int
    removed: tuple[int, ...]
    findings: tuple[Finding, ...]
    players: tuple[RoundRobinPlayer, ...]
    steps: Steps = field(repr=False)


# --------------------------------------------------------------------------------------------------- norms


@dataclass(frozen=True, slots=True)
class Requirement:
    """A requirement of a norm: required and actual value, whether it is met, and in words what is missing."""

    article: str
    requirement: str
    required: int | Fraction | str
    actual: int | Fraction | str
    met: bool
    confidence: str
    missing: str | None


@dataclass(frozen=True, slots=True)
class UncountedRound:
    """A round that does not count for a norm, with the article and the reason in words."""

    round: int
    article: str
    reason: str


@dataclass(frozen=True, slots=True)
class Outlook:
    """What a norm needs in the remaining rounds: ``score`` points from ``rounds`` against an average."""

    possible: bool
    rounds: int
    average: int
    score: Fraction | None
    least_average: int | None
    titled: int
    sought: int
    federations: int
    own: int | None
    dropped: tuple[int, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Norm:
    """Whether a player made a norm; ``norm`` is None if the search was stopped before it found one.

    ``counted`` and ``dropped`` are rounds, ``games`` is as how many it counts, ``required`` the points that it needs.
    """

    edition: str
    title: str
    norm: bool | None
    counted: tuple[int, ...]
    dropped: tuple[int, ...]
    games: int
    score: Fraction
    average: int | None
    raised: int | None
    performance: int | None
    required: Fraction | None
    above: int | None
    exempt: str | None
    basis: str | None
    failed: tuple[Requirement, ...]
    requirements: tuple[Requirement, ...]
    uncounted: tuple[UncountedRound, ...]
    notes: tuple[str, ...]
    text: str
    outlook: Outlook | None = None
    """None also if no round remains, or the norm is made."""

    @property
    def missing(self) -> str:
        """What the norm lacks, in words; empty if it lacks nothing."""
        return "; ".join(item.missing or "" for item in self.failed)


@dataclass(frozen=True, slots=True)
class PlayerNorms:
    """A player of a report with the titles within reach; ``title`` is the one that they hold."""

    number: int
    id: str
    name: str
    title: str
    federation: str
    rating: int | None
    norms: tuple[Norm, ...]


# ------------------------------------------------------------------------------------------------- reports


@dataclass(frozen=True, slots=True)
class PlayerGame:
    """One round of a player of a report; ``reason`` is the code why it is not rated."""

    round: int
    opponent: int | None
    opponent_rating: int | None
    score: Fraction
    rated: bool
    reason: str | None
    article: str | None
    difference: int | None
    expected: Fraction | None
    change: Fraction | None
    steps: Steps = field(repr=False)


@dataclass(frozen=True, slots=True)
class EventEntry:
    """What an event gives an unrated player: ``rating`` is None if a condition is not met, ``reason`` its code."""

    rating: int | None
    computed: int | None
    games: int
    score: Fraction
    reason: str


@dataclass(frozen=True, slots=True)
class RatedPlayer:
    """A player of a rated report, with the names of the columns of its table.

    ``expected`` and ``change`` are over the rated games; ``initial`` is the entry rating of an unrated player.
    """

    number: int
    id: str | None
    name: str
    rating: int | None
    k: int | None
    k_applied: int | None
    score: Fraction
    rated_games: int
    expected: Fraction | None
    change: Fraction | None
    change_rounded: int | None
    new_rating: int | None
    initial: EventEntry | None
    games: tuple[PlayerGame, ...] = field(repr=False)
    steps: Steps = field(repr=False)

    @property
    def initial_rating(self) -> int | None:
        """The entry rating of an unrated player."""
        return self.initial.rating if self.initial else None

    @property
    def initial_games(self) -> int | None:
        """The games of the entry rating."""
        return self.initial.games if self.initial else None

    @property
    def initial_reason(self) -> str | None:
        """``published``, or the code of what an entry rating lacks."""
        return self.initial.reason if self.initial else None


# ----------------------------------------------------------------------------------- values from documents


def value_from(kind: type[V], document: Any, **given: Any) -> V:
    """Return the value that a document describes: the fields given, else those of the document, made exact."""
    described: Any = kind  # a class is hashable, which its type variable does not say
    values = {
        name: _exact(hint, getattr(document, name))
        for name, hint in _hints(described).items()
        if name not in given and hasattr(document, name)
    }
    return kind(**values, **given)


def _exact(hint: Any, value: Any) -> Any:
    """Return a value of a document as its type says: decimal text as a fraction, a sequence as a tuple."""
    if value is None:
        return None
    if get_origin(hint) is tuple:
        return tuple(_exact(get_args(hint)[0], item) for item in value)
    kind, *others = [item for item in get_args(hint) or (hint,) if item is not type(None)]
    if kind is Fraction and not others:
        return Fraction(value)
    return value_from(kind, value) if isinstance(kind, type) and is_dataclass(kind) else value


@cache
def _hints(kind: Any) -> Mapping[str, Any]:
    return get_type_hints(kind)
