"""The values everything else is about: rules and editions, players' facts, steps and findings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from fractions import Fraction
from typing import Generic, TypeAlias, TypeVar

from arpad.errors import NoList
from arpad.exact import HalfPoints, Hundredths

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

Fact: TypeAlias = int | str | date | Fraction | tuple["Fact", ...] | None
"""What a step or a finding may hold; numbers that are not whole are fractions, never floats."""


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
    """Who decided it, and when, where the text says so."""

    by_name_only: bool = False
    """A variant: never found by date."""

    base: str = ""
    """The edition it amends."""

    begins: Mapping[ListName, Rule[date]] = field(default_factory=dict)
    """Lists that began on another day than the edition."""

    def on(self, name: ListName) -> T:
        """What the edition sets for one list."""
        try:
            return self.lists[name]
        except KeyError:
            has = ", ".join(self.lists)
            raise NoList("no-list", list=str(name), edition=self.id, accepted=has) from None

    def starts(self, name: ListName) -> date:
        """The first day the edition applies to a list."""
        return self.begins[name].value if name in self.begins else self.effective


# ------------------------------------------------------------------------------------- how it came about


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a derivation: under this article, this quantity has this value."""

    article: str
    quantity: str
    value: Fact
    facts: Mapping[str, Fact] = field(default_factory=dict)
    """Whatever else the sentence about it needs."""


def step(article: str, quantity: str, value: Fact, /, **facts: Fact) -> Step:
    """A step of a derivation; the facts by name."""
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


# ---------------------------------------------------------------------------------------------- players

YEARS = range(1800, 3000)
"""Years in which something may have happened: a slip of the keyboard is caught before anybody calculates with it."""

Birth: TypeAlias = date | int | None
"""A date of birth, or only its year, or nothing."""


def birth_year(born: Birth) -> int | None:
    """The year of a birth, where one is known."""
    return born.year if isinstance(born, date) else born


@dataclass(frozen=True, slots=True)
class PlayerFacts:
    """What the development coefficient K looks at, as it stands when the period begins."""

    rating: int
    games: int
    """Rated games so far on this list, those of the entry rating included."""

    peak: int = 0
    """The highest rating ever published on this list."""

    born: Birth = None
    from_standard: bool = False
    """Whether ``rating`` is the standard one, which a player without a rating on this list takes part with."""

    @property
    def highest(self) -> int:
        """The highest rating published on this list; a rating from the standard list is none."""
        return self.peak if self.from_standard else max(self.peak, self.rating)


@dataclass(frozen=True, slots=True)
class RatedGame:
    """A game of a rated player against a rated opponent."""

    own: int
    opponent: int
    score: HalfPoints
    event: str = ""


@dataclass(frozen=True, slots=True)
class GameChange:
    """What a rated game is worth: the difference counted, the expectation, the points above it."""

    game: RatedGame
    difference: int
    """As counted, hence after the rule for large gaps."""

    capped: bool
    rated: bool
    expected: Hundredths
    steps: tuple[Step, ...]

    @property
    def change(self) -> Hundredths:
        """Score minus expectation, without K."""
        return 50 * self.game.score - self.expected if self.rated else 0


@dataclass(frozen=True, slots=True)
class Change:
    """The change of a rated player over a period (8.5)."""

    rating: int
    k: int
    k_applied: int
    games: tuple[GameChange, ...]
    sum: Hundredths
    change: Fraction
    new_rating: int
    steps: tuple[Step, ...]

    @property
    def change_rounded(self) -> int:
        """What is added to the published rating."""
        return self.new_rating - self.rating


class EventKind(StrEnum):
    """How a tournament is played; team and Swiss follow the same articles."""

    SWISS = "swiss"
    ROUND_ROBIN = "round-robin"
    DOUBLE_ROUND_ROBIN = "double-round-robin"
    MULTIPLE_ROUND_ROBIN = "multiple-round-robin"
    """All meet all three times or more."""

    MATCH = "match"
    TEAM = "team"


ALL_PLAY_ALL = frozenset(
    {EventKind.ROUND_ROBIN, EventKind.DOUBLE_ROUND_ROBIN, EventKind.MULTIPLE_ROUND_ROBIN}
)


@dataclass(frozen=True, slots=True)
class Performance:
    """A tranche: what an unrated player did in one event, as far as it counts."""

    event: str
    kind: EventKind
    games: int
    score: HalfPoints
    opponents_total: Fraction
    """The sum of the opponents' ratings, one for each game; in a round robin, games times Rc (new)."""

    opponents: int
    """How many opponents n; the games in a Swiss, players minus one in a round robin."""

    rated_games: int
    """Games against rated opponents."""

    rated_score: HalfPoints
    """Points scored against rated opponents."""

    last_day: date | None = None
    team_championship: bool = False
    """Olympiad, continental or world team championship."""

    edition: str = ""
    """The edition of the event's first day, where several events are pooled."""

    steps: tuple[Step, ...] = field(default=(), compare=False)

    @property
    def average(self) -> Fraction:
        """The average rating of the competition, Rc."""
        return self.opponents_total / self.games


@dataclass(frozen=True, slots=True)
class RoundRobinEntry:
    """An unrated player's figures in a round robin, before and after the pass of 8.58."""

    number: int
    score: HalfPoints
    games: int
    """All games, play-offs among them."""

    rated_opponents: int
    rated_games: int
    rated_score: HalfPoints
    rated_total: int
    """The sum of the ratings of the rated opponents, one for each game."""

    rc: int
    ru: int
    rc_new: int
    ru_new: int
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class RoundRobin:
    """A round robin with unrated players (8.2b, 8.58)."""

    players: int
    games: int
    """Games of each player, without play-offs."""

    rar: Fraction
    dpa: Fraction
    ra: int
    entries: Mapping[int, RoundRobinEntry]
    """The unrated players, by number."""

    ignored: tuple[int, ...]
    """Newcomers who were removed with their games (6.1)."""

    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class EntryValue:
    """What an entry formula makes of some performances, before the conditions of the list."""

    value: Fraction
    average: Fraction
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """The entry rating of a newcomer, or the reason why there is none yet."""

    rating: int | None
    """What is published; nothing where a condition is not met."""

    computed: int | None
    """The value the games give, published or not."""

    reason: str
    """``published``, or the code of what is missing."""

    games: int
    score: HalfPoints
    average: Fraction | None
    counted: tuple[Performance, ...]
    ignored: tuple[Performance, ...]
    steps: tuple[Step, ...]
