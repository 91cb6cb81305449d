"""Average, performance and score needed of a choice of games (1.4.6 to 1.4.9), and as how many games it counts."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from arpad.model.exact import HalfPoints, fractional_score
from arpad.regulations.fide.titles.rules import NormTitle, TitleRules
from arpad.regulations.tables import FractionTable


@dataclass(frozen=True, slots=True)
class Average:
    """The average of the opponents for one title."""

    value: int
    """Ra, after 1.4.6 and rounded, a half up."""

    raised: int | None
    """The lowest rating, if it was raised: as it was before."""


def average(ratings: Sequence[int | None], title: NormTitle, rules: TitleRules) -> Average:
    """Return the average of the opponents with the lowest raised.

    Articles (B.01 1.4.6b, B.01 1.4.6c, B.01 1.4.6d, B.01 1.4.7).
    """
    values = [rules.unrated_as.value if rating is None else rating for rating in ratings]
    floor, lowest = rules.raised_to.value.of(title), min(values)
    raised = lowest < floor
    total = sum(values) + (floor - lowest if raised else 0)
    return Average(rounded_average(total, len(values)), lowest if raised else None)


def rounded_average(total: int, games: int) -> int:
    """Return total over games as a whole number, a half up (B.01 1.4.7)."""
    return (2 * total + games) // (2 * games)


def performance(mean: int, score: HalfPoints, games: int, rules: TitleRules) -> int:
    """Return Rp: the average and the difference of the table for the percentage (B.01 0.5, B.01 1.4.8, B.01 1.4.9)."""
    return mean + rules.performance_table.value.difference(fractional_score(score, games))


def least_score(games: int, rules: TitleRules) -> HalfPoints:
    """Return the least half-points of so many games: 35 %, exactly (B.01 1.4.8b)."""
    share = rules.least_score.value
    return -(-2 * games * share.numerator // share.denominator)


def score_needed(mean: int, games: int, title: NormTitle, rules: TitleRules) -> HalfPoints | None:
    """Return the least half-points for a title with an average; None if no score is enough (B.01 1.4.8, B.01 1.6)."""
    if mean < rules.least_average.value.of(title):
        return None
    difference = rules.least_performance.value.of(title) - mean
    return _reaching(difference, games, least_score(games, rules), rules.performance_table.value)


@lru_cache(maxsize=65536)
def _reaching(difference: int, games: int, least: HalfPoints, table: FractionTable) -> HalfPoints | None:
    """Return the least half-points whose dp reaches a difference; the same question comes for many players."""
    for score in range(least, 2 * games + 1):
        if table.difference(fractional_score(score, games)) >= difference:
            return score
    return None


def games_counted(base: int, score: HalfPoints, needed: HalfPoints, rules: TitleRules) -> int:
    """Return as how many games a norm counts: at most 13, and each full point above (B.01 1.4.1d, B.01 1.7)."""
    above = (score - needed) // 2 if rules.points_above_count.value else 0
    return min(base, rules.most_games.value) + above


def least_average(score: HalfPoints, games: int, title: NormTitle, rules: TitleRules) -> int:
    """Return the least average with which a score is enough, if it is 35 % (B.01 1.4.8, B.01 1.4.8a)."""
    goal = rules.least_performance.value.of(title) - performance(0, score, games, rules)
    return max(goal, rules.least_average.value.of(title))
