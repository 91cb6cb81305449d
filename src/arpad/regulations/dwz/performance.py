"""Expectations (3.3), and performances and first ratings: where the points expected are those scored (3.4.4).

An expectation is an integer in units of 10 to the power of -40. The table of the older editions is the same
distribution, rounded to thousandths and cut off.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from arpad.model.exact import half_up
from arpad.model.real_numbers import UNIT, normal
from arpad.regulations.dwz.rules import DwzRules

THOUSAND = 1000
_SPREAD = 400
"""P(D) is the normal distribution of D / (200 x sqrt 2), so of sqrt 2 x D / 400."""


def probability(difference: int) -> int:
    """Return P(D) by the distribution itself (3.3)."""
    return normal(difference, _SPREAD)


def in_thousandths(expectation: int) -> int:
    """Return an expectation, or a sum of them, in thousandths, half up."""
    return (2 * THOUSAND * expectation + UNIT) // (2 * UNIT)


@cache
def table(difference: int, certain_from: int) -> int:
    """Return P(D) of the printed table, rounded to thousandths, 1 from a difference on (3.3)."""
    if abs(difference) >= certain_from:
        return UNIT if difference > 0 else 0
    higher = in_thousandths(probability(abs(difference))) * (UNIT // THOUSAND)
    return higher if difference >= 0 else UNIT - higher


@cache
def difference(thousandths: int, largest: int) -> int:
    """Return D(P), the nearest whole difference for a share of the points in thousandths (3.3)."""
    if thousandths * 2 < THOUSAND:
        return -difference(THOUSAND - thousandths, largest)
    if thousandths >= THOUSAND:
        return largest
    wanted = thousandths * (UNIT // THOUSAND)
    low, high = 0, 10 * _SPREAD
    while low < high:
        middle = (low + high) // 2
        if normal(2 * middle + 1, 2 * _SPREAD) >= wanted:
            high = middle
        else:
            low = middle + 1
    return low


def expectation(own: int, opponent: int, rules: DwzRules) -> int:
    """Return P(D) of the edition in units of 10**-40: the table, or the distribution itself (3.3)."""
    if rules.certain_from is None:
        return probability(own - opponent)
    return table(own - opponent, rules.certain_from.value)


# ---------------------------------------------------------------------------------------------- performances


_ROUNDS = 1000
"""The iteration settles in a few rounds; a circle of newcomers that would not is stopped here."""


@dataclass(frozen=True, slots=True)
class Opposition:
    """The games of a player whose performance is sought."""

    opponents: tuple[int | str, ...]
    """The rating of each opponent, or the name of another newcomer."""

    half_points: int

    @property
    def average(self) -> int | None:
        """Return Rc, the rounded average of the opponents with a rating, if there are any."""
        ratings = [item for item in self.opponents if isinstance(item, int)]
        return half_up(Fraction(sum(ratings), len(ratings))) if ratings else None


@dataclass(frozen=True, slots=True)
class Round:
    """One round of the iteration for one player: the value, the points expected from it, and W - We."""

    value: int
    expected: int
    gap: int
    """Like the points expected, in thousandths."""


@dataclass(frozen=True, slots=True)
class Performance:
    """Ri of a newcomer, or Rh of a player with a rating."""

    value: int
    average: int
    """Rc, or what stands for it."""

    rounds: tuple[Round, ...] = ()
    settled: bool = True


def performance(ratings: Sequence[int], half_points: int, rules: DwzRules) -> Performance:
    """Return Rh for a score against opponents with ratings; all or no points are a fixed distance off (3.6)."""
    if 0 < half_points < 2 * len(ratings):
        return joint({"": Opposition(tuple(ratings), half_points)}, rules)[""]
    average = half_up(Fraction(sum(ratings), len(ratings)))
    return Performance(average + (1 if half_points else -1) * rules.extreme.value, average)


def joint(fields: Mapping[str, Opposition], rules: DwzRules) -> dict[str, Performance]:
    """Return Ri of newcomers, all solved together: each round from the values of the round before (3.4.4)."""
    averages = _averages(fields, rules)
    values = {name: averages[name] + _beyond(it, rules) for name, it in fields.items()}
    stop = int(rules.stop.value * THOUSAND)
    rounds: dict[str, list[Round]] = {name: [] for name in fields}
    seen: set[tuple[int, ...]] = set()
    settled = False
    while not settled and len(seen) < _ROUNDS:
        last = {name: _round(values[name], it, values, rules) for name, it in fields.items()}
        gaps = tuple(item.gap for item in last.values())
        settled = gaps in seen or all(abs(gap) <= stop for gap in gaps)
        seen.add(gaps)
        for name, item in last.items():
            rounds[name].append(item)
            if not settled and abs(item.gap) > stop:
                values[name] += _difference(item.gap, fields[name], rules)
    return {name: Performance(values[name], averages[name], tuple(rounds[name]), settled) for name in fields}


def _averages(fields: Mapping[str, Opposition], rules: DwzRules) -> dict[str, int]:
    """Return Rc of every newcomer; who met only newcomers takes the first values of those (3.4.4)."""
    first = {
        name: average + _beyond(it, rules)
        for name, it in fields.items()
        if (average := it.average) is not None
    }

    def of_newcomers(field: Opposition) -> int:
        return Opposition(tuple(first[it] for it in field.opponents if it in first), 0).average or 0

    return {name: it.average or of_newcomers(it) for name, it in fields.items()}


def _round(own: int, field: Opposition, values: Mapping[str, int], rules: DwzRules) -> Round:
    expected = in_thousandths(
        sum(
            expectation(own, values[other] if isinstance(other, str) else other, rules)
            for other in field.opponents
        )
    )
    return Round(own, expected, 500 * field.half_points - expected)


def _beyond(field: Opposition, rules: DwzRules) -> int:
    """Return D(W/n), with which the iteration begins (3.4.4)."""
    return _difference(500 * (field.half_points - len(field.opponents)), field, rules)


def _difference(gap: int, field: Opposition, rules: DwzRules) -> int:
    """Return D(gap/n + 1/2); gap and argument are in thousandths (3.4.4)."""
    games = len(field.opponents)
    return difference((2 * gap + (THOUSAND + 1) * games) // (2 * games), rules.largest_difference.value)


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
