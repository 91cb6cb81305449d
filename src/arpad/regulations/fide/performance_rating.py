"""The performance rating: the average of the opponents plus the difference of the fraction of points (8.1a)."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from arpad.model.exact import HalfPoints, fractional_score, from_hundredths, half_up, points
from arpad.model.rules import Step, step
from arpad.regulations.fide.rules import ChessRules


@dataclass(frozen=True, slots=True)
class PerformanceRating:
    """The strength that a score against some opponents shows."""

    rating: int
    average: int
    """The average rating of the opponents, rounded."""

    difference: int
    """The rating difference of the fraction of points scored, from the table."""

    score: Fraction
    games: int
    steps: tuple[Step, ...] = field(default=(), compare=False)


def performance_rating(ratings: Sequence[int], score: HalfPoints, rules: ChessRules) -> PerformanceRating:
    """Return the performance of a score against rated opponents: their average plus dp (8.1a)."""
    games, table = len(ratings), rules.fraction_table
    average = half_up(Fraction(sum(ratings), games))
    p = fractional_score(score, games)
    dp = table.value.difference(p)
    steps = (
        step(table.article, "performance-average", average, games=games, score=points(score)),
        step(table.article, "dp", dp, p=from_hundredths(p)),
        step(table.article, "performance", average + dp, average=average, dp=dp),
    )
    return PerformanceRating(average + dp, average, dp, points(score), games, steps)
