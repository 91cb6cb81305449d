"""What a choice of games must meet for a norm, requirement by requirement."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from arpad.model.exact import HalfPoints
from arpad.model.rules import Confidence, Rule
from arpad.regulations.fide.titles.performance import average, least_score, performance, score_needed
from arpad.regulations.fide.titles.rules import WOMEN_TITLES, NormTitle, TitleRules, refuses

WORLD_TEAM, WORLD_CUP = "world-team", "world-cup"
NATIONAL_CHAMPIONSHIP, NATIONAL_TEAM, ZONAL = "national-championship", "national-team", "zonal"
KINDS = (WORLD_TEAM, WORLD_CUP, NATIONAL_CHAMPIONSHIP, NATIONAL_TEAM, ZONAL)
"""Kinds of events that the title regulations treat in their own way."""

SWISS, ROUND_ROBIN, DOUBLE_ROUND_ROBIN, TEAM, KNOCKOUT = (
    "swiss", "round-robin", "double-round-robin", "team", "knockout",
)  # fmt: skip
FIXED = frozenset({ROUND_ROBIN, DOUBLE_ROUND_ROBIN})
"""Systems whose pairings are fixed in advance."""

HALVES = {"1": 2, "=": 1, "0": 0}


@dataclass(frozen=True, slots=True)
class NormGame:
    """A game that counts for a norm."""

    round: int
    score: HalfPoints
    title: str
    rating: int | None
    federation: str
    """The federation for which the opponent counts; empty if unknown or none (FID)."""

    person: str
    """The same text for the same opponent."""


@dataclass(frozen=True, slots=True)
class NormEvent:
    """The facts about an event that decide about norms."""

    system: str
    rounds: int
    kind: str = ""
    """One of ``KINDS``, or empty."""

    host: str = ""
    strong_field: bool = False
    """Whether the field of every round frees from the articles on federations (B.01 1.4.3d)."""

    @property
    def fixed(self) -> bool:
        """Return whether the pairings are fixed in advance."""
        return self.system in FIXED


@dataclass(frozen=True, slots=True)
class Candidate:
    """The player who seeks a title."""

    federation: str
    sex: str = ""
    """``m``, ``w`` or empty."""


@dataclass(frozen=True, slots=True)
class Requirement:
    """One requirement of a norm: what is required, what is there, and whether that is enough."""

    name: str
    article: str
    required: int | Fraction | str
    actual: int | Fraction | str
    holds: bool
    confidence: Confidence = Confidence.VERIFIED
    warns: bool = False
    """A restriction of which nothing is known: it does not hold, and does not refuse."""


def norm_games_needed(event: NormEvent, rules: TitleRules) -> Rule[int]:
    """Return the least number of games (B.01 1.4.1a, B.01 1.4.1b)."""
    team, cup = rules.team_games, rules.cup_games
    if event.kind == WORLD_TEAM and team.value.fewest_rounds <= event.rounds <= team.value.most_rounds:
        return Rule(team.value.games, team.article, team.confidence)
    if event.kind == WORLD_CUP:
        return Rule(cup.value.games, cup.article, cup.confidence)
    return rules.norm_games


def games_of_choice(games: int, event: NormEvent, rules: TitleRules) -> int:
    """Return as how many games a choice counts before points above: eight of a World Cup are nine (B.01 1.4.1b)."""
    cup = rules.cup_games.value
    return cup.counted if event.kind == WORLD_CUP and games == cup.games else games


# ---------------------------------------------------------------------------------------------------- the mix


@dataclass(frozen=True, slots=True)
class Mix:
    """Titles and federations of the opponents in a choice of games, each with its limit."""

    titled: int
    titled_least: int
    sought: int
    sought_least: int
    federations: int
    federations_least: int
    own: int
    own_most: int
    one: int
    one_most: int
    unrated: int
    unrated_most: int | None
    federations_tested: bool

    @property
    def titles_hold(self) -> bool:
        """Return whether enough opponents have titles."""
        return self.titled >= self.titled_least and self.sought >= self.sought_least

    @property
    def federations_hold(self) -> bool:
        """Return whether the opponents come from enough federations."""
        return not self.federations_tested or (
            self.federations >= self.federations_least
            and self.own <= self.own_most
            and self.one <= self.one_most
        )

    @property
    def unrated_hold(self) -> bool:
        """Return whether few enough opponents are unrated."""
        return self.unrated_most is None or self.unrated <= self.unrated_most


def mix(
    games: Sequence[NormGame], title: NormTitle, player: Candidate, event: NormEvent, rules: TitleRules
) -> Mix:
    """Return titles and federations of the opponents with their limits.

    Articles (B.01 1.4.3, B.01 1.4.4, B.01 1.4.5a, B.01 1.4.5b, B.01 1.4.5c, B.01 1.4.5d, B.01 1.4.5e, B.01 1.4.5f).
    Minima are rounded up, maxima down. A person met twice is one titled opponent; in a double round robin every number
    is one of different opponents.
    """
    persons = {game.person: game for game in games}
    titles = [game.title for game in persons.values()]
    twice = event.system == DOUBLE_ROUND_ROBIN
    limits = mix_limits(len(games), len(persons), title, event, rules)
    federations = Counter(game.federation for game in (persons.values() if twice else games))
    federations.pop("", None)
    return Mix(
        titled=sum(held in rules.titled_share.value.titles for held in titles),
        titled_least=limits.titled_least,
        sought=sum(held in rules.sought(title).value.titles for held in titles),
        sought_least=limits.sought_least,
        federations=sum(federation != player.federation for federation in federations),
        federations_least=limits.federations_least,
        own=federations.get(player.federation, 0),
        own_most=limits.own_most,
        one=max(federations.values(), default=0),
        one_most=limits.one_most,
        unrated=sum(game.rating is None for game in games),
        unrated_most=limits.unrated_most,
        federations_tested=limits.federations_tested,
    )


class MixLimits(NamedTuple):
    """The limits on the opponents in a choice of games: they depend only on the numbers of games and of persons."""

    titled_least: int
    sought_least: int
    federations_least: int
    own_most: int
    one_most: int
    unrated_most: int | None
    federations_tested: bool


def mix_limits(games: int, persons: int, title: NormTitle, event: NormEvent, rules: TitleRules) -> MixLimits:
    """Return the limits on the opponents in so many games against so many persons."""
    twice = event.system == DOUBLE_ROUND_ROBIN
    number = persons if twice else games
    titled, sought = rules.titled_share.value, rules.sought(title).value
    shares = (rules.met_twice.value.share,) * 2 if twice else (titled.share, sought.share)
    unrated = rules.unrated_share
    few = event.system == TEAM and games < rules.federations_from_games.value
    return MixLimits(
        titled_least=max(titled.least, _up(shares[0], number)),
        sought_least=max(sought.least, _up(shares[1], number)),
        federations_least=rules.foreign_federations.value,
        own_most=_down(rules.own_share.value, number),
        one_most=_down(rules.one_share.value, number),
        unrated_most=_down(unrated.value, games + 1) if unrated else None,
        federations_tested=not few,
    )


def _up(share: Fraction, number: int) -> int:
    return -(-number * share.numerator // share.denominator)


def _down(share: Fraction, number: int) -> int:
    return number * share.numerator // share.denominator


def exemption(player: Candidate, event: NormEvent, rules: TitleRules) -> Rule[bool] | None:
    """Return the rule that frees a player from the articles on federations, or None.

    Articles (B.01 1.4.3a, B.01 1.4.3b, B.01 1.4.3c, B.01 1.4.3d).
    """
    at_home = bool(event.host) and player.federation == event.host
    for rule, applies in (
        (rules.exempt_championship, event.kind == NATIONAL_CHAMPIONSHIP and at_home),
        (rules.exempt_team_championship, event.kind == NATIONAL_TEAM and at_home),
        (rules.exempt_zonal, event.kind == ZONAL),
    ):
        if applies:
            return rule
    swiss = rules.exempt_swiss
    if event.strong_field and event.system == SWISS:
        return Rule(True, swiss.article, swiss.confidence)
    return None


# ------------------------------------------------------------------------------------------- the requirements


def requirements(
    games: Sequence[NormGame],
    title: NormTitle,
    player: Candidate,
    event: NormEvent,
    rules: TitleRules,
    least: Rule[int],
    *,
    exempt: bool,
) -> Iterator[Requirement]:
    """Yield every requirement of a norm with the required and the actual value, in one order (B.01 0.3)."""
    number, score = len(games), sum(game.score for game in games)
    yield _required("games", least, least.value, number, holds=number >= least.value)
    if not games:
        return
    enough = least_score(number, rules)
    yield _required(
        "score", rules.least_score, Fraction(enough, 2), Fraction(score, 2), holds=score >= enough
    )
    opponents = mix(games, title, player, event, rules)
    twice = event.system == DOUBLE_ROUND_ROBIN
    titled = rules.met_twice if twice else rules.titled_share
    sought = rules.met_twice if twice else rules.sought(title)
    yield _required(
        "titled",
        titled,
        opponents.titled_least,
        opponents.titled,
        holds=opponents.titled >= opponents.titled_least,
    )
    yield _required(
        "sought",
        sought,
        opponents.sought_least,
        opponents.sought,
        holds=opponents.sought >= opponents.sought_least,
    )
    if opponents.federations_tested:
        yield _required(
            "federations", rules.foreign_federations, opponents.federations_least, opponents.federations,
            holds=exempt or opponents.federations >= opponents.federations_least,
        )  # fmt: skip
        yield _required(
            "own",
            rules.own_share,
            opponents.own_most,
            opponents.own,
            holds=exempt or opponents.own <= opponents.own_most,
        )
        yield _required(
            "one",
            rules.one_share,
            opponents.one_most,
            opponents.one,
            holds=exempt or opponents.one <= opponents.one_most,
        )
    if rules.unrated_share and opponents.unrated_most is not None:
        yield _required(
            "unrated", rules.unrated_share, opponents.unrated_most, opponents.unrated,
            holds=opponents.unrated_hold, warns=not refuses(rules.unrated_share),
        )  # fmt: skip
    yield from _rating_requirements(games, score, title, rules)
    if title in WOMEN_TITLES:
        yield _required("sex", rules.title_sexes, "w", player.sex, holds=player.sex == "w")


def _rating_requirements(
    games: Sequence[NormGame], score: HalfPoints, title: NormTitle, rules: TitleRules
) -> Iterator[Requirement]:
    mean = average([game.rating for game in games], title, rules).value
    least = rules.least_average.value.of(title)
    yield _required("average", rules.least_average, least, mean, holds=mean >= least)
    best, goal = performance(mean, score, len(games), rules), rules.least_performance.value.of(title)
    yield _required("performance", rules.least_performance, goal, best, holds=best >= goal)


def _required(
    name: str,
    rule: Rule[object],
    required: int | Fraction | str,
    actual: int | Fraction | str,
    *,
    holds: bool,
    warns: bool = False,
) -> Requirement:
    return Requirement(
        name, rule.article, required, actual, holds, rule.confidence, warns=warns and not holds
    )


def meets_rating(
    games: Sequence[NormGame], title: NormTitle, rules: TitleRules
) -> tuple[int, HalfPoints] | None:
    """Return the average and the score needed if the score is enough, else None."""
    mean = average([game.rating for game in games], title, rules).value
    needed = score_needed(mean, len(games), title, rules)
    if needed is None or sum(game.score for game in games) < needed:
        return None
    return mean, needed
