"""Performance and first ratings: the rating at which the points expected are the points scored (3.4.4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from arpad.model.exact import half_up
from arpad.regulations.dwz.expectation import THOUSAND, difference, in_thousandths, probability, table
from arpad.regulations.dwz.rules import DwzRules

_ROUNDS = 1000
"""The iteration settles in a few rounds; a circle of newcomers that would not is stopped here."""


@dataclass(frozen=True, slots=True)
class Result:
    """A game of a player whose performance is sought."""

    opponent: int | str
    """The opponent's rating, or the name of another newcomer."""

    score: Fraction


@dataclass(frozen=True, slots=True)
class Round:
    """One round of the iteration for one player: the value, the points expected from it, and the gap."""

    value: int
    expected: int
    """In thousandths."""

    gap: Fraction
    """W - We."""


@dataclass(frozen=True, slots=True)
class Performance:
    """Ri of a newcomer, or Rh of a player with a rating."""

    value: int
    average: int
    """Rc, rounded."""

    rounds: tuple[Round, ...] = ()
    settled: bool = True


def expectation(own: int, opponent: int, rules: DwzRules) -> int:
    """Return P(D) of the edition in units of 10**-40: the table, or the distribution itself (3.3)."""
    if rules.certain_from is None:
        return probability(own - opponent)
    return table(own - opponent, rules.certain_from.value)


def performance(ratings: Sequence[int], score: Fraction, rules: DwzRules) -> Performance:
    """Return Rh for a score against opponents with ratings; all or no points are a fixed distance off (3.6)."""
    games = len(ratings)
    average = half_up(Fraction(sum(ratings), games))
    if score in {0, games}:
        sign = 1 if score else -1
        return Performance(average + sign * rules.extreme.value, average)
    # one name stands for the player; how the score is spread over the games does not matter
    results = [Result(rating, score / games) for rating in ratings]
    return joint({"": results}, rules)[""]


def joint(games: Mapping[str, Sequence[Result]], rules: DwzRules) -> dict[str, Performance]:
    """Return Ri of newcomers, all solved together: each round from the values of the round before (3.4.4)."""
    averages, values = _starts(games, rules)
    rounds: dict[str, list[Round]] = {name: [] for name in games}
    seen: set[tuple[Fraction, ...]] = set()
    settled = False
    for _ in range(_ROUNDS):
        last = {name: _round(name, games[name], values, rules) for name in games}
        for name, item in last.items():
            rounds[name].append(item)
        gaps = tuple(item.gap for item in last.values())
        settled = all(abs(gap) <= rules.stop.value for gap in gaps) or gaps in seen
        if settled:
            break
        seen.add(gaps)
        for name, item in last.items():
            if abs(item.gap) > rules.stop.value:
                values[name] += _difference(item.gap, len(games[name]), rules)
    return {name: Performance(values[name], averages[name], tuple(rounds[name]), settled) for name in games}


def _starts(games: Mapping[str, Sequence[Result]], rules: DwzRules) -> tuple[dict[str, int], dict[str, int]]:
    """Return Rc and the first value Rc + D(W/n) of every newcomer (3.4.4).

    Rc is the average of the opponents with a rating. Who met only newcomers takes those who met rated ones.
    """
    averages: dict[str, int] = {}
    values: dict[str, int] = {}
    for with_newcomers in (False, True):
        begun = dict(values)
        for name, results in games.items():
            known = [
                begun.get(item.opponent) if isinstance(item.opponent, str) else item.opponent
                for item in results
            ]
            ratings = [value for value, item in zip(known, results, strict=True) if value is not None]
            if name in values or not ratings:
                continue
            averages[name] = half_up(Fraction(sum(ratings), len(ratings)))
            score = sum((item.score for item in results), Fraction(0))
            values[name] = averages[name] + _difference(
                score - Fraction(len(results), 2), len(results), rules
            )
        if not with_newcomers and len(values) == len(games):
            break
    return averages, values


def _round(name: str, results: Sequence[Result], values: Mapping[str, int], rules: DwzRules) -> Round:
    own = values[name]
    expected = sum(
        expectation(own, values[item.opponent] if isinstance(item.opponent, str) else item.opponent, rules)
        for item in results
    )
    thousandths = in_thousandths(expected)
    score = sum((item.score for item in results), Fraction(0))
    return Round(own, thousandths, score - Fraction(thousandths, THOUSAND))


def _difference(gap: Fraction, games: int, rules: DwzRules) -> int:
    """Return D(gap/n + 1/2), the argument in thousandths (3.4.4)."""
    share = half_up((gap / games + Fraction(1, 2)) * THOUSAND)
    return difference(share, rules.largest_difference.value)


def first_rating(value: int, rules: DwzRules) -> Fraction:
    """Return Rn of a newcomer from Ri, before rounding: low values are raised (3.6)."""
    if rules.first_raised is not None:
        high, low, share = rules.first_raised.value
        if value >= high:
            return Fraction(value)
        if value >= low:
            return value + share * (high - value)
        return low + (high - low) * share * value / low
    below, base, divisor = rules.first_low.value
    return base + Fraction(value, divisor) if value < below else Fraction(value)
