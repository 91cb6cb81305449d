"""The values that an edition of the title regulations (B.01) sets, in the order of its articles.

Each field is a ``Rule``: a value with its article. ``None``: the edition has no such rule. No field has the name of a
field of the rating regulations, so that one word of the catalogue names one rule.
"""

from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from fractions import Fraction
from typing import Any

from arpad.model.rules import Confidence, Rule
from arpad.regulations.tables import FractionTable


class NormTitle(StrEnum):
    """A title that needs norms, the highest first."""

    GM = "GM"
    IM = "IM"
    WGM = "WGM"
    WIM = "WIM"


WOMEN_TITLES = frozenset({NormTitle.WGM, NormTitle.WIM})


@dataclass(frozen=True, slots=True)
class ByTitle:
    """One number for each title that needs norms."""

    gm: int
    im: int
    wgm: int
    wim: int

    def of(self, title: NormTitle) -> int:
        """Return the number of a title."""
        number: int = getattr(self, title.lower())
        return number


@dataclass(frozen=True, slots=True)
class TeamGames:
    """Fewer games are enough in a world or continental team championship of so many rounds."""

    games: int
    fewest_rounds: int
    most_rounds: int


@dataclass(frozen=True, slots=True)
class GamesAs:
    """So many games are enough, and count as so many."""

    games: int
    counted: int


@dataclass(frozen=True, slots=True)
class ByeNorm:
    """In an event of so many rounds, so many games are enough after a forfeit win or an allocated bye."""

    rounds: int
    games: int
    counted: int
    """As how many games the norm counts."""

    per_application: int


@dataclass(frozen=True, slots=True)
class ForeignField:
    """So many rated foreign players in every round, from so many federations, so many of them with a high title."""

    players: int
    federations: int
    titled: int
    absences: int | None
    """A player who misses more rounds counts in none; None: a player counts in each round that they play."""


@dataclass(frozen=True, slots=True)
class TitledShare:
    """A share of the opponents, and at least so many, hold one of these titles."""

    share: Fraction
    least: int
    titles: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Twice:
    """A double round robin: the least field, and the share of different opponents with a title."""

    players: int
    share: Fraction


@dataclass(frozen=True, slots=True)
class BigSwiss:
    """An individual Swiss with so many participants of such an average in every round."""

    players: int
    average: int
    absences: int
    after: date
    """Applications with a norm made after this day need one norm from such an event, or from one of ``others``."""

    others: tuple[str, ...]
    """The letters of the other events that serve as well."""


@dataclass(frozen=True, slots=True)
class RatingTitles:
    """Ratings that give a title without norms, and the rated games that they need by then."""

    fm: int
    cm: int
    wfm: int
    wcm: int
    games: int


@dataclass(frozen=True, slots=True)
class DirectRatings:
    """Ratings that a title from a championship needs, and the rated games that they need by then."""

    gm: int
    im: int
    fm: int
    cm: int
    wgm: int
    wim: int
    wfm: int
    wcm: int
    games: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TitleRules:
    """Everything one edition of the title regulations sets."""

    # 0 General
    title_sexes: Rule[tuple[str, ...]]
    """The titles that only women can hold."""
    title_counts_from_confirmation: Rule[bool]
    """An opponent's title counts only in tournaments that start after its confirmation."""
    title_publication_days: Rule[int] | None
    """Days for which an application is published before the title is confirmed."""
    direct_ratings: Rule[DirectRatings]

    # 1.1 The tournament
    norm_registration_days: Rule[int]
    norm_hours_per_day: Rule[int]
    norm_rounds_per_day: Rule[int]
    norm_minutes: Rule[int] | None
    """Minutes for each player, on sixty moves."""
    single_round_days: Rule[int] | None
    """Days with one round that one norm of a GM or WGM application needs."""
    day_of_game_after: Rule[int]
    """In a tournament of more days, ratings and titles are those of the day of each game."""

    # 1.2, 1.3 Titles without norms
    direct_norm_games: Rule[int]
    rating_titles: Rule[RatingTitles]

    # 1.4.1 Number of games
    norm_games: Rule[int]
    team_games: Rule[TeamGames]
    cup_games: Rule[GamesAs]
    bye_norm: Rule[ByeNorm]
    points_above_count: Rule[bool]
    end_left_out: Rule[bool]
    """Games after a point at which the result was complete may be left out."""
    fixed_all_rounds: Rule[bool]
    """With pairings fixed in advance, the end may not be left out."""
    wins_left_out: Rule[bool]
    complete_mix: Rule[bool]
    """In a round robin, the opponents of the complete table must allow a norm."""

    # 1.4.2 Games that do not count
    outside_fide: Rule[tuple[str, ...]]
    """Codes of no federation of FIDE."""
    fide_flag: Rule[str]
    """The code of players without a federation: accepted, never foreign."""
    flag_origin_since: Rule[date] | None
    """From this day on, who took the FIDE flag by the simplified procedure counts for the original federation."""
    unrated_zero: Rule[bool]
    unplayed_not_counted: Rule[bool]
    last_round_forfeit: Rule[bool]
    norm_systems: Rule[tuple[str, ...]]

    # 1.4.3, 1.4.4 Federations
    foreign_federations: Rule[int]
    exempt_championship: Rule[bool]
    exempt_team_championship: Rule[bool]
    exempt_zonal: Rule[bool]
    exempt_swiss: Rule[ForeignField]
    norms_without_exemption: Rule[int]
    own_share: Rule[Fraction]
    one_share: Rule[Fraction]
    federations_from_games: Rule[int]
    """In team events with fewer games, federations are not tested."""

    # 1.4.5 Titles of the opponents
    titled_share: Rule[TitledShare]
    sought_gm: Rule[TitledShare]
    sought_im: Rule[TitledShare]
    sought_wgm: Rule[TitledShare]
    sought_wim: Rule[TitledShare]
    met_twice: Rule[Twice]

    # 1.4.6 to 1.4.9 Ratings and performance
    raised_to: Rule[ByTitle]
    unrated_as: Rule[int]
    unrated_share: Rule[Fraction] | None
    """The most unrated opponents, as a share of opponents and player."""
    least_average: Rule[ByTitle]
    least_score: Rule[Fraction]
    least_performance: Rule[ByTitle]
    performance_table: Rule[FractionTable]

    # 1.5, 1.7 From norms to a title
    application_games: Rule[int]
    title_rating: Rule[ByTitle]
    big_swiss: Rule[BigSwiss] | None
    most_games: Rule[int]
    """Games as which a longer norm counts, before points above."""
    application_days: Rule[int] | None

    def sought(self, title: NormTitle) -> Rule[TitledShare]:
        """Return which opponents a title asks for."""
        rule: Rule[TitledShare] = getattr(self, f"sought_{title.lower()}")
        return rule


def refuses(rule: Rule[Any] | None) -> bool:
    """Return whether a restriction can refuse a norm: one of which nothing is known only warns (reading 71)."""
    return rule is not None and rule.confidence != Confidence.UNKNOWN
