"""The change of a capital over one event (tables 14, 16, 17): CF = CI + V, V = S × D, D = PO − PA.

S applies only within its band: at a threshold the rest of the change continues
with the next S. Everything stays a fraction until the one rounding of the final capital.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from fractions import Fraction

from arpad.model.draughts import Category, DraughtsState
from arpad.model.errors import BadInput
from arpad.model.exact import Hundredths, from_hundredths
from arpad.model.rules import Rule, Step
from arpad.regulations.rubele.rules import DraughtsRules
from arpad.regulations.rubele.year_end import malus_after_playing

FULL = Fraction(1)


@dataclass(frozen=True, slots=True)
class Crossing:
    """A threshold passed: the excess beyond it is multiplied by the new S and divided by the old one."""

    threshold: int
    would_be: Fraction
    """The capital that the old S would lead to."""

    old_s: int
    new_s: int

    @property
    def excess(self) -> Fraction:
        """Return how far beyond the threshold the old S would have gone; negative on the way down."""
        return self.would_be - self.threshold

    @property
    def scaled(self) -> Fraction:
        """Return what the excess is worth with the new S."""
        return self.excess * self.new_s / self.old_s


@dataclass(frozen=True, slots=True)
class CapitalChange:
    """What one event does to one capital."""

    capital: int
    scored: int
    expected: Hundredths
    deviation: Fraction
    """D, weighted if the event counts for less."""

    s: int
    """The coefficient of the band in which the capital begins."""

    crossings: tuple[Crossing, ...]
    unrounded: Fraction
    added: int
    """Bonus and Q."""

    final: int
    steps: tuple[Step, ...]

    @property
    def variation(self) -> Fraction:
        """Return V as first computed: with the S of the initial capital."""
        return self.s * self.deviation


def expected(own: int, opponent: int, rules: DraughtsRules) -> Hundredths:
    """Return the points to be expected from one game, of the two it is worth (table 19)."""
    return rules.expectation_table.value.expected(own - opponent)


def change(
    capital: int,
    scored: int,
    expectation: Hundredths,
    rules: DraughtsRules,
    *,
    weight: Fraction = FULL,
    first_of_year: bool = False,
) -> CapitalChange:
    """Return the capital after an event with at least one game, with its derivation (tables 14, 16, 17, 18a)."""
    if capital < rules.minimum_capital.value:
        raise BadInput("capital-below-minimum", capital=capital, minimum=rules.minimum_capital.value)
    deviation = weight * (scored - from_hundredths(expectation))
    s = rules.s_coefficients.value[band(capital, rules)]
    crossings, unrounded = walk(capital, deviation, rules)
    steps = [*_opening(capital, scored, expectation, weight, s, rules)]
    steps += _passing(crossings, rules)
    base, moved = (crossings[-1].threshold, crossings[-1].scaled) if crossings else (capital, s * deviation)
    steps.append(_sum_step("capital-reached", rules.s_coefficients.article, base, moved))
    final, added, closing = _close(unrounded, rules, first_of_year=first_of_year)
    steps += closing
    steps.append(Step(rules.s_coefficients.article, "CF", final, {"change": final - capital}))
    return CapitalChange(
        capital, scored, expectation, deviation, s, crossings, unrounded, added, final, tuple(steps)
    )


def is_first_of_year(state: DraughtsState, last_day: date | None) -> bool:
    """Return whether no event of a player ended before in the year of one that ends on a day (table 18a)."""
    return last_day is not None and (state.last_event is None or state.last_event.year != last_day.year)


def after_event(
    state: DraughtsState, capital: int, category: Category, last_day: date | None, rules: DraughtsRules
) -> DraughtsState:
    """Return a state after an event with a game of the player."""
    return replace(
        state,
        capital=capital,
        category=category,
        last_event=last_day or state.last_event,
        history_known=state.history_known or last_day is not None,
        idle_years=0,
        malus=malus_after_playing(state, rules),
    )


def check_scored(scored: int, expectation: Hundredths, games: int) -> None:
    """Refuse points, won or expected, that ``games`` games cannot add up to."""
    if not 0 <= scored <= 2 * games:
        raise BadInput("scored-beyond-games", scored=scored, games=games, most=2 * games)
    if not 0 <= expectation <= 200 * games:
        raise BadInput(
            "expected-beyond-games", expected=from_hundredths(expectation), games=games, most=2 * games
        )


def band(capital: int, rules: DraughtsRules) -> int:
    """Return the band of S of a capital; a threshold belongs to the middle band, "compreso tra" (table 17)."""
    lowest, *higher = rules.s_thresholds.value
    return (capital >= lowest) + sum(capital > threshold for threshold in higher)


def walk(capital: int, deviation: Fraction, rules: DraughtsRules) -> tuple[tuple[Crossing, ...], Fraction]:
    """Return the thresholds passed from a capital in the direction of D, and the last capital (tables 14, 16, 17)."""
    thresholds, coefficients = rules.s_thresholds.value, rules.s_coefficients.value
    direction = 1 if deviation > 0 else -1
    index = band(capital, rules)
    reached = capital + coefficients[index] * deviation
    crossings: list[Crossing] = []
    while (limit := _limit(thresholds, index, direction)) is not None and direction * (reached - limit) > 0:
        crossing = Crossing(limit, reached, coefficients[index], coefficients[index + direction])
        crossings.append(crossing)
        reached, index = limit + crossing.scaled, index + direction
    return tuple(crossings), reached


def _limit(thresholds: Sequence[int], index: int, direction: int) -> int | None:
    """Return the threshold that ends a band upwards or downwards, if there is one."""
    threshold = index if direction > 0 else index - 1
    return thresholds[threshold] if 0 <= threshold < len(thresholds) else None


def _opening(
    capital: int, scored: int, expectation: Hundredths, weight: Fraction, s: int, rules: DraughtsRules
) -> Iterator[Step]:
    formula, pa = rules.s_coefficients.article, from_hundredths(expectation)
    yield Step(formula, "CI", capital)
    yield Step(rules.expectation_table.article, "PA", pa)
    yield Step(formula, "PO", Fraction(scored))
    yield Step(formula, "D", scored - pa, {"scored": scored, "expected": pa})
    deviation = weight * (scored - pa)
    if weight != FULL:
        # no table knows reduced weight; it is a practice of the federation's announcements
        yield Step("", "D-weighted", deviation, {"percent": 100 * weight, "deviation": scored - pa})
    yield Step(formula, "S", s)
    yield Step(formula, "V", s * deviation, {"deviation": deviation, "s": s})


def _passing(crossings: Sequence[Crossing], rules: DraughtsRules) -> Iterator[Step]:
    for crossing in crossings:
        yield Step(
            rules.s_thresholds.article,
            "threshold-up" if crossing.excess > 0 else "threshold-down",
            crossing.threshold,
            {
                "would_be": crossing.would_be,
                "excess": abs(crossing.excess),
                "old_s": crossing.old_s,
                "new_s": crossing.new_s,
                "scaled": abs(crossing.scaled),
            },
        )


def _sum_step(quantity: str, article: str, base: int, moved: Fraction) -> Step:
    sign = "-" if moved < 0 else "+"
    return Step(article, quantity, base + moved, {"base": base, "sign": sign, "amount": abs(moved)})


def _close(unrounded: Fraction, rules: DraughtsRules, *, first_of_year: bool) -> tuple[int, int, list[Step]]:
    """Return the final capital after rounding, minimum, bonus or Q, and what was added."""
    steps: list[Step] = []
    capital = rules.rounding.value(unrounded)
    if capital != unrounded:
        steps.append(Step(rules.rounding.article, "capital-rounded", capital, {"unrounded": unrounded}))
    additions = list(_additions(rules, first_of_year=first_of_year))
    if rules.floor_before_added.value:
        capital = _floored(capital, rules, steps)
    for quantity, rule in additions:
        steps.append(_sum_step(quantity, rule.article, capital, Fraction(rule.value)))
        capital += rule.value
    return _floored(capital, rules, steps), sum(rule.value for _, rule in additions), steps


def _additions(rules: DraughtsRules, *, first_of_year: bool) -> Iterator[tuple[str, Rule[int]]]:
    if rules.bonus is not None and first_of_year:
        yield "bonus", rules.bonus
    if rules.quota is not None:
        yield "Q", rules.quota


def _floored(capital: int, rules: DraughtsRules, steps: list[Step]) -> int:
    minimum = rules.minimum_capital
    if capital >= minimum.value:
        return capital
    steps.append(Step(minimum.article, "capital-minimum", minimum.value, {"capital": capital}))
    return minimum.value
