"""The formulas of the US Chess paper: effective games, special and standard ratings, bonus and floors.

The special rating is exact, in fractions; the standard one has 50 digits.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache, reduce

from arpad.model.exact import HALF
from arpad.model.real_numbers import CONTEXT, exact, real
from arpad.regulations.uschess.rules import UschessRules

_REACH, _ZERO, _ONE = 400, Fraction(0), Fraction(1)
_POWER = CONTEXT.divide(CONTEXT.ln(Decimal(10)), Decimal(400))
"""10 to the power of R/400 is e to the power of this times R."""


class History(StrEnum):
    """What a player's earlier games were."""

    MIXED = "mixed"
    WINS = "wins"
    LOSSES = "losses"


@dataclass(frozen=True, slots=True)
class Result:
    """A game: the opponent's rating and the score."""

    opponent: Fraction
    score: Fraction


def scored(results: Iterable[Result]) -> Fraction:
    """Return the points scored."""
    return sum((item.score for item in results), _ZERO)


@dataclass(frozen=True, slots=True)
class Estimate:
    """A rating after the games, and how it came about."""

    value: Fraction
    expected: tuple[Fraction | Decimal, ...]
    pulls: tuple[Fraction, ...] = ()
    """Of the special formula: what each game adds to the rating before."""

    prior: Fraction = _ZERO
    """What the special formula adds for the earlier rating, if it is out of reach."""

    limit: Fraction = _ZERO
    """What a limit of the formula took or gave."""

    k: Fraction | None = None
    """Of the standard formula."""

    bonus: Fraction = _ZERO

    def within(self, low: Fraction, high: Fraction) -> Estimate:
        """Return the estimate kept between two ratings."""
        if low <= self.value <= high:
            return self
        value = min(max(self.value, low), high)
        return replace(self, value=value, limit=self.limit + value - self.value)

    def contributions(self, scores: Iterable[Fraction]) -> tuple[Fraction, ...]:
        """Return what each game adds to the rating before."""
        k = self.k
        if k is None:
            return self.pulls
        return tuple(k * (score - Fraction(we)) for score, we in zip(scores, self.expected, strict=True))


def effective_games(rating: Fraction, games: int, rules: UschessRules) -> Fraction:
    """Return N': the games that count as weight of the rating before (chapter 3)."""
    most, constant, factor, middle, above = rules.effective.value
    if rating > above or games == 0:
        return Fraction(min(games, most))
    root = CONTEXT.sqrt(real(constant + factor * (middle - rating) ** 2))
    return min(Fraction(games), exact(CONTEXT.divide(Decimal(most), root)))


# -------------------------------------------------------------------------------------------- special rating


def is_special(games: int, history: History, rules: UschessRules) -> bool:
    """Return whether the special formula is used: few games, or earlier games all won or all lost (4.1)."""
    return games <= rules.special_games.value or history is not History.MIXED


def special_rating(
    rating: Fraction,
    effective: Fraction,
    results: Sequence[Result],
    rules: UschessRules,
    history: History = History.MIXED,
) -> Estimate:
    """Return the rating at which the points expected, linear within 400 points, are the points scored (4.1)."""
    shift, share = {History.MIXED: (0, HALF), History.WINS: (-_REACH, _ONE), History.LOSSES: (_REACH, _ZERO)}[
        history
    ]
    centres = [(effective, rating + shift), *((_ONE, item.opponent) for item in results)]
    score, weight = scored(results), effective + len(results)
    mean = sum((part * centre for part, centre in centres), _REACH * (2 * score - len(results))) / weight
    value = _root(centres, score + effective * share, mean, rating)

    def pull(centre: Fraction, gain: Fraction) -> Fraction:
        """Return what a centre adds to the rating before, moved within reach of the rating after."""
        reached = min(max(centre, value - _REACH), value + _REACH)
        return (reached + gain - rating) / weight

    found = Estimate(
        value,
        expected=tuple(_linear(value, item.opponent) for item in results),
        pulls=tuple(pull(item.opponent, _REACH * (2 * item.score - 1)) for item in results),
        prior=effective * pull(rating + shift, _REACH * (2 * share - 1)),
    )
    return found.within(value, Fraction(rules.special_most.value))


def _linear(rating: Fraction, centre: Fraction) -> Fraction:
    """Return PWe, the linear expectation (4.1)."""
    apart = rating - centre
    if abs(apart) >= _REACH:
        return _ONE if apart > 0 else _ZERO
    return HALF + apart / (2 * _REACH)


def _root(
    centres: Sequence[tuple[Fraction, Fraction]], score: Fraction, value: Fraction, before: Fraction
) -> Fraction:
    """Return the zero of f by the walk over its knots; where f is flat, the rating before moved into the flat (4.1)."""
    knots = {centre + side for _, centre in centres for side in (-_REACH, _REACH)}

    def f(rating: Fraction) -> Fraction:
        return sum((part * _linear(rating, centre) for part, centre in centres), -score)

    while gap := f(value):
        knot = max(k for k in knots if k < value) if gap > 0 else min(k for k in knots if k > value)
        at_knot = f(knot)
        if at_knot == gap:
            value = knot
            continue
        line = value - gap * (value - knot) / (gap - at_knot)
        value = max(knot, line) if gap > 0 else min(knot, line)
    if any(abs(value - centre) <= _REACH for _, centre in centres):
        return value
    below, above = max(k for k in knots if k < value), min(k for k in knots if k > value)
    return below if before < below else min(before, above)


# ------------------------------------------------------------------------------------------- standard rating


@lru_cache(100_000)
def strength(rating: Fraction) -> Decimal:
    """Return 10 to the power of R/400 (4.2)."""
    return CONTEXT.exp(CONTEXT.multiply(real(rating), _POWER))


def expectations(rating: Fraction, results: Sequence[Result]) -> Iterator[Decimal]:
    """Yield We = 1/(1 + 10^((Ri - R0)/400)) of each game (4.2)."""
    own = strength(rating)
    for item in results:
        yield CONTEXT.divide(own, CONTEXT.add(own, strength(item.opponent)))


def coefficient(
    rating: Fraction, effective: Fraction, games: int, rules: UschessRules, *, dual: bool
) -> Fraction:
    """Return K = 800/(N' + m), less above 2200 in a dual-rated section (4.2)."""
    k = rules.points.value / (effective + games)
    low, high, constant, factor, points = rules.dual.value
    if not dual or rating <= low:
        return k
    return points / (effective + games) if rating >= high else k * (constant - factor * rating)


def bonus(change: Fraction, results: int, most_met: int, rules: UschessRules) -> Fraction:
    """Return what exceeds B times the root of the games; none if an opponent was met too often (4.2)."""
    fewest, least, met = rules.bonus_games.value
    if results < fewest or most_met > met:
        return _ZERO
    root = CONTEXT.sqrt(Decimal(max(results, least)))
    return max(_ZERO, change - rules.bonus_threshold.value * exact(root))


def standard_rating(
    rating: Fraction,
    effective: Fraction,
    results: Sequence[Result],
    rules: UschessRules,
    *,
    most_met: int = 1,
    dual: bool = False,
    match: tuple[Fraction, Fraction] | None = None,
) -> Estimate:
    """Return R0 + K (S - We) + bonus; in a match within limits, without bonus (4.2)."""
    expected = tuple(expectations(rating, results))
    k = coefficient(rating, effective, len(results), rules, dual=dual)
    change = k * (scored(results) - exact(reduce(CONTEXT.add, expected, Decimal(0))))
    if match is not None:
        return Estimate(rating + change, expected, k=k).within(rating + match[0], rating + match[1])
    extra = bonus(change, len(results), most_met, rules)
    return Estimate(rating + change + extra, expected, k=k, bonus=extra)


# ---------------------------------------------------------------------------------------------------- floors


def absolute_floor(wins: int, draws: int, events: int, rules: UschessRules) -> int:
    """Return the floor of everybody, a little higher for wins, draws and events (chapter 5)."""
    base, win, draw, event, most = rules.floor_absolute.value
    return min(base + win * wins + draw * draws + event * events, most)


def peak_floor(peak: int | None, rules: UschessRules) -> int | None:
    """Return the floor of a peak rating, None if it is too low (chapter 5)."""
    below, least, most = rules.floor_peak.value
    floor = None if peak is None else (peak - below) // 100 * 100
    return None if floor is None or floor < least else min(floor, most)
