"""Chess as values: games, changes, performances, entry ratings, and a player's state between two lists."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from fractions import Fraction

from arpad.model.exact import HalfPoints, Hundredths
from arpad.model.people import Birth
from arpad.model.rules import Step


@dataclass(frozen=True, slots=True)
class PlayerFacts:
    """The facts for the development coefficient K, on the day the period begins."""

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
        """Return the highest rating published on this list; a rating from the standard list is none."""
        return self.peak if self.from_standard else max(self.peak, self.rating)


@dataclass(frozen=True, slots=True)
class RatedGame:
    """A game of a rated player against a rated opponent (4.13)."""

    own: int
    opponent: int
    score: HalfPoints
    event: str = ""


@dataclass(frozen=True, slots=True)
class GameChange:
    """The worth of a rated game: the difference counted, the expectation, the points above it."""

    game: RatedGame
    difference: int
    """As counted, hence after the rule for large gaps."""

    capped: bool
    rated: bool
    expected: Hundredths
    steps: tuple[Step, ...]

    @property
    def change(self) -> Hundredths:
        """Return score minus expectation, without K."""
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
        """Return what is added to the published rating."""
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
    """How many opponents n: players minus one in a round robin; else the games, or the different rated opponents where
    the edition asks for their number (8.21)."""

    rated_games: int
    """Games against rated opponents."""

    rated_score: HalfPoints
    """Points scored against rated opponents."""

    last_day: date | None = None
    team_championship: bool = False
    """Olympiad, continental or world team championship."""

    edition: str = ""
    """The edition of the event's first day, if several events are pooled."""

    steps: tuple[Step, ...] = field(default=(), compare=False)

    @property
    def average(self) -> Fraction:
        """Return the average rating of the competition, Rc."""
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
    """A round robin with unrated players (8.21b, 8.58)."""

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
    """The result of an entry formula, before the conditions of the list."""

    value: Fraction
    average: Fraction
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """The entry rating of a newcomer, or the reason why there is none yet."""

    rating: int | None
    """The published rating; None if a condition is not met."""

    computed: int | None
    """The value of the games, published or not."""

    reason: str
    """``published``, or the code of what is missing."""

    games: int
    score: HalfPoints
    average: Fraction | None
    counted: tuple[Performance, ...]
    ignored: tuple[Performance, ...]
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class PlayerState:
    """A player's state on one list, after the last list."""

    player: int
    rating: int | None = None
    """None: unrated, or delisted."""

    games: int = 0
    """Rated games so far, those of the entry rating included; a delisted player starts again."""

    peak: int = 0
    """The highest rating ever published; stays after a delisting (K once 2400 was reached)."""

    k: int | None = None
    """K of an imported list: it decides the next period, and only that."""

    entered: date | None = None
    """The list on which the player entered."""

    entry: int | None = None
    """The rating of entry, for events that the player began unrated (8.4)."""

    last_list: date | None = None
    """The list that took the last rated game; None if unknown, which counts as long ago."""

    tranches: tuple[Performance, ...] = ()
    """The events of an unrated player that may still count."""

    delisted: bool = False
    """On this list; from the next one on the player is simply unrated."""

    inactive: bool = False
