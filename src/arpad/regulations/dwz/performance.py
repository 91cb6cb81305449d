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


def expectation(own: int, opponent: int, rules: DwzRules) -> int:
    """Return P(D) of the edition in units of 10**-40: the table, or the distribution itself (3.3)."""
    if rules.certain_from is None:
        return probability(own - opponent)
    return table(own - opponent, rules.certain_from.value)


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
    averages = {name: it.average for name, it in fields.items()}
    first = {
        name: average + _beyond(it, rules)
        for name, it in fields.items()
        if (average := averages[name]) is not None
    }
    met = {
        name: Opposition(tuple(first[other] for other in it.opponents if other in first), 0)
        for name, it in fields.items()
    }
    return {name: average or met[name].average or 0 for name, average in averages.items()}


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
