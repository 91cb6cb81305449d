"""What an edition of the chess regulations sets for one list, in the order of its chapters.

Each field is a ``Rule``: a value with its article. If an edition changes a procedure and not only a number, the field
is the procedure itself, so that no code depends on the year. ``None``: the edition has no such rule.
"""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from fractions import Fraction
from typing import TypeAlias

from arpad.model.chess import EntryValue, Performance, RatedGame, RoundRobin
from arpad.model.people import Birth
from arpad.model.rules import Body, Rule
from arpad.regulations.membership import Members
from arpad.regulations.tables import ExpectationTable, FractionTable


@dataclass(frozen=True, slots=True)
class Notice:
    """How long before the first day something must be done."""

    days: int = 0
    months: int = 0

    def deadline(self, first_day: date) -> date:
        """Return the last day on which it is in time."""
        return add_months(first_day, -self.months) - timedelta(days=self.days)


_IN_EVERY_MONTH = 28
"""The last day that every month has."""


def add_months(day: date, months: int) -> date:
    """Return the same day ``months`` later, or earlier if negative; the last of a month that has no such day."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    if day.day <= _IN_EVERY_MONTH:
        return date(year, month + 1, day.day)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


@dataclass(frozen=True, slots=True)
class StrongField:
    """Players above one of these ratings call for a longer registration."""

    above: int
    women_above: int
    notice: Notice


@dataclass(frozen=True, slots=True)
class TimeBounds:
    """Minutes a player may have for sixty moves on a rapid or blitz list."""

    least: int
    least_allowed: bool
    most: int
    most_allowed: bool

    def hold(self, minutes: Fraction) -> bool:
        """Return whether the minutes are within the bounds."""
        return (minutes > self.least or (self.least_allowed and minutes == self.least)) and (
            minutes < self.most or (self.most_allowed and minutes == self.most)
        )


@dataclass(frozen=True, slots=True)
class FastTime:
    """A standard time that needs an approval: the least minutes and the most rounds a day."""

    minutes: int
    rounds_per_day: int
    norms: bool
    """Whether title norms can be made with it."""


@dataclass(frozen=True, slots=True)
class FirstControl:
    """Moves of the first time control, if one is set."""

    moves: int
    or_more: bool = False


@dataclass(frozen=True, slots=True)
class SmallField:
    """In a field of fewer than ``below`` players, ``rated`` must be rated."""

    below: int
    rated: int


@dataclass(frozen=True, slots=True)
class LeastField:
    """At least ``players`` players, at least ``rated`` of them rated."""

    players: int
    rated: int


@dataclass(frozen=True, slots=True)
class NationalCategory:
    """A category of a federation's own, reached at a rating."""

    name: str
    rating: int
    article: str = ""
    """Its own article; empty: that of the rule."""


@dataclass(frozen=True, slots=True)
class CategoryLoss:
    """A category is lost if the rating is this far below its threshold on so many lists in a row."""

    below: int
    lists: int = 1


@dataclass(frozen=True, slots=True)
class Championship:
    """National championships: rated participants, or rated women if only women play."""

    rated: int
    women: int
    men_only: bool
    """Whether only men are counted in an open championship."""


@dataclass(frozen=True, slots=True)
class Hypothetical:
    """Imaginary opponents who are added to a newcomer's, each drawn."""

    opponents: int
    rating: int


@dataclass(frozen=True, slots=True)
class UnratedGap:
    """A game is not rated if the difference is at least ``gap`` and one player is above ``above``."""

    gap: int
    above: int


@dataclass(frozen=True, slots=True)
class OneOffAdjustment:
    """A one-off adjustment for the list of one date."""

    on: date
    below: int | None = None
    """Ratings below this …"""

    share: Fraction = Fraction(0)
    """… rise by this share of what they lack."""

    standard_minus: int | None = None
    """Or: at least the standard rating minus this."""


@dataclass(frozen=True, slots=True)
class Meanwhile:
    """How a player who was unrated when an event began, and is rated since, is computed in it."""

    own: int
    """The rating that the player's own change starts from."""

    games: int
    """The rated games so far that K looks at."""

    quantity: str
    """The step of the derivation that says so."""


JuniorLimit: TypeAlias = Callable[[Birth, date], bool]
RatedMeanwhile: TypeAlias = Callable[[int, int | None, int], Meanwhile]
"""The rating of the list before, the rating of entry, the games so far → how the player is computed."""
CapRule: TypeAlias = Callable[[Sequence[RatedGame], "ChessRules"], tuple[bool, ...]]
Rounding: TypeAlias = Callable[[int, Fraction], int]
EntryFormula: TypeAlias = Callable[[Sequence[Performance], "ChessRules"], EntryValue]
RoundRobinTranche: TypeAlias = Callable[["RoundRobin", int, "ChessRules"], Performance]
WindowStart: TypeAlias = Callable[[int, date, Sequence[date]], date]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChessRules:
    """Everything one edition sets for one list.

    Fields with a default were added later: an edition without such a rule keeps its digest.
    """

    # 0 Introduction
    registration: Rule[Notice]
    registration_norms: Rule[Notice] | None
    registration_strong: Rule[StrongField] | None
    late_registration: Rule[Body] | None = None
    """Who may allow a late registration; None: the Qualification Commission, by the article on registration."""
    late_registration_strong: Rule[Body] | None = None
    """Who may allow it for a very strong field."""
    licensed_arbiters: Rule[bool] | None
    arbiters_fee: Rule[bool] | None = None
    """All arbiters have paid FIDE's fee, or the event may not be rated."""
    official_always_rated: Rule[bool]
    appeal_days: Rule[int]
    appeal_to: Rule[Body] | None = None
    """Who decides an appeal; None: the Qualification Commission."""

    # 1 Rate of play
    moves_counted: Rule[int]
    time_bands: Rule[tuple[tuple[int, int], ...]] | None
    """(rating, minutes): from this rating upwards at least these minutes; the highest band first."""
    time_bands_per_game: Rule[bool] | None
    fast_by_approval: Rule[FastTime] | None = None
    time_bounds: Rule[TimeBounds] | None
    first_control: Rule[FirstControl] | None
    equal_times: Rule[bool] | None = None
    """Games in which the players have different times are not rated."""

    # 2 Laws
    deviations_approved: Rule[bool] | None
    """Small deviations from the Laws may be approved."""
    hybrid_by_approval: Rule[bool] | None = None
    """Hybrid events are rated, each by an approval of its own."""

    # 3 Playing time per day
    games_per_day: Rule[int] | None
    hours_per_day: Rule[int] | None

    # 4 Duration
    duration_days: Rule[int] | None
    league_exempt: Rule[bool] | None
    longer_by_approval: Rule[bool] | None
    interim_after_days: Rule[int] | None
    ratings_by_round: Rule[bool] | None
    """Long events may be rated with the lists in force at each round."""

    # 5 Unplayed games
    moves_to_be_played: Rule[int]
    games_excepted: Rule[bool] | None = None
    """Played games may be left unrated for force majeure or by the Fair Play rules."""

    # 6 Composition
    first_score_swiss: Rule[int]
    """Half-points against rated opponents below which a first event in a Swiss or team event is ignored."""
    first_score_round_robin: Rule[int]
    first_rated_opponents: Rule[int] | None
    first_rated_opponents_swiss: Rule[int] | None
    first_at_floor: Rule[bool] | None
    """A first result below the floor is ignored."""
    every_event_tested: Rule[bool] | None = None
    """The tests of a newcomer's first event are put to each of their events."""
    ignored_for_opponents: Rule[bool] | None
    """The opponents' results against an ignored newcomer are ignored too."""
    stages_together: Rule[bool] | None
    round_robin_share: Rule[Fraction] | None
    round_robin_small: Rule[SmallField] | None
    round_robin_double: Rule[LeastField] | None
    championship: Rule[Championship] | None
    unplayed_makes_swiss: Rule[bool] | None
    match_decided: Rule[bool]
    match_waiver: Rule[bool] | None = None
    """Games after a match is decided are rated if that was requested before the match."""
    match_unrated: Rule[bool]

    # 7 The list
    floor: Rule[int]
    list_months: Rule[tuple[int, ...]]
    cutoff_days: Rule[int]
    official_cutoff_days: Rule[int]
    minimum_games: Rule[int]
    minimum_games_team_championship: Rule[int] | None
    minimum_games_affiliated: Rule[int] | None
    minimum_tranche: Rule[int] | None
    """Games a tranche needs to count at all (the Italian guide)."""
    window: Rule[int]
    window_start: Rule[WindowStart]
    inactive_months: Rule[int]
    inactive_listed_months: Rule[int] | None

    categories: Rule[tuple[NationalCategory, ...]] | None = None
    """The federation's own categories, the lowest first."""
    categories_lost: Rule[CategoryLoss] | None = None
    """When a category is lost; None: never."""

    # 8 The working of the system
    fraction_table: Rule[FractionTable]
    expectation_table: Rule[ExpectationTable]
    entry_formula: Rule[EntryFormula]
    entry_bonus: Rule[Fraction] | None
    entry_hypothetical: Rule[Hypothetical] | None
    entry_cap: Rule[int] | None
    entry_takes_standard: Rule[bool] | None
    """Without a rating on this list, a player takes part with the standard one."""
    round_robin_entry: Rule[RoundRobinTranche] | None
    """What an unrated player's round robin counts for; None if it is treated like a Swiss."""
    rated_meanwhile: Rule[RatedMeanwhile]
    """How a player is computed in an event that began before the list on which they entered."""
    cap: Rule[int]
    cap_rule: Rule[CapRule]
    cap_exempt_from: Rule[int] | None
    unrated_gap: Rule[UnratedGap] | None
    k_new: Rule[int]
    k_new_games: Rule[int]
    k_usual: Rule[int]
    k_top: Rule[int]
    k_top_from: Rule[int]
    k_junior: Rule[int] | None
    k_junior_below: Rule[int] | None
    k_junior_until: Rule[JuniorLimit] | None
    k_times_games: Rule[int] | None
    rounding: Rule[Rounding]
    one_off_adjustment: Rule[OneOffAdjustment] | None

    # 9 Reporting
    arbiter_report_days: Rule[int] | None
    federation_report_days: Rule[int] | None
    report_due_days: Rule[int] | None = None
    """Reports are due for the next list; for the one after it if at most this many days of the month are left."""
    report_within_lists: Rule[int] | None
    hybrid_games: Rule[bool] | None = None
    """The games of a hybrid event are sent with its report."""

    # 10 Inclusion in the list
    membership: Rule[Members] | None = None
    """Which players must be members of a club on the first day of an event."""
    deaths_reported: Rule[bool] | None
    """Federations report the deaths of their players."""

    articles: Mapping[str, str]
    """Where the steps that are no number of their own are set down (``difference``, ``delta``, ``total`` …), and what
    gives an officer a decision (``dispensation``, ``rating-officer`` …); a name that is missing has no article."""
