"""The development coefficient E, and from June 2026 the factor K: how far one event moves a rating (3.5, annex 1.2)."""

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from arpad.model.exact import half_up
from arpad.model.real_numbers import CONTEXT, real
from arpad.model.rules import Step, step
from arpad.regulations.dwz.rules import DwzRules
from arpad.regulations.rating_system import doubts


@dataclass(frozen=True, slots=True)
class Development:
    """E or K of a player in an event."""

    value: Fraction
    steps: tuple[Step, ...] = ()
    exact: Decimal = Decimal(0)
    """E before it was rounded, as far as that matters."""


def age_group(age: int | None, rules: DwzRules) -> int:
    """Return 0, 1 or 2 for the groups of ages; an unknown age is the oldest group (3.5)."""
    first, second = rules.age_bounds.value
    return 2 if age is None or age > second else int(age > first)


def development(
    rating: int, index: int | None, age: int | None, surplus: Fraction, rules: DwzRules
) -> Development:
    """Return E or K for a surplus W - We; without an index as for a player of many evaluations (3.5, annex 1.2)."""
    group, known = age_group(age, rules), 11 if index is None else index
    compute = _factor if rules.age_terms is None else _coefficient
    return compute(rating, known, group, surplus, rules)


def change(surplus: Fraction, development: Fraction, games: int, rules: DwzRules) -> Fraction:
    """Return Rn - R0 before rounding: 800 (W - We) / (E + n), from June 2026 K (W - We) (3.5)."""
    return surplus * (development if rules.age_terms is None else 800 / (development + games))


def _coefficient(rating: int, index: int, group: int, surplus: Fraction, rules: DwzRules) -> Development:
    """Return E = E0 x fB + SBr, rounded and limited (3.5, annex 1.2)."""
    terms = rules.age_terms.value if rules.age_terms else (0, 0, 0)
    value = Fraction(rating, 1000) ** 4 + terms[group]
    steps = [step("3.5", "dwz-e0", value, rating=rating, term=terms[group])]
    least, most, most_braked = rules.coefficient_bounds.value
    per_index, last_index = rules.coefficient_per_index.value
    if index <= last_index:
        most = per_index * index
    if group == 0 and surplus >= 0:
        low, high = rules.acceleration.value
        factor = min(max(Fraction(rating, 2000), low), high)
        value *= factor
        steps.append(step(rules.acceleration.article, "dwz-acceleration", factor, exact=value))
    elif rating < rules.brake_below.value and surplus < 0:
        if group == 0 or rules.brake_all_ages.value:
            # SBr = e^((1300 - R0)/150) - 1
            exponent = real(Fraction(rules.brake_below.value - rating, 150))
            brake = Fraction(CONTEXT.exp(exponent)) - 1
            value, most = value + brake, most_braked
            steps.append(step(rules.brake_below.article, "dwz-brake", brake, exact=value))
        steps += doubts(rules.brake_all_ages)
    limited = max(least, min(half_up(value), most))
    steps.append(step(rules.coefficient_bounds.article, "dwz-e", limited, least=least, most=max(least, most)))
    return Development(Fraction(limited), tuple(steps), real(min(value, Fraction(most + 1))))


def _factor(rating: int, index: int, group: int, surplus: Fraction, rules: DwzRules) -> Development:
    """Return K = K0 x b + a, rounded to tenths and limited (3.5)."""
    young, adults, others = rules.factors.value
    row = young if group <= 1 else adults
    by_index = row[1] if rating < row[0] else others[1]
    basis = by_index[min(max(index, 1), len(by_index)) - 1]
    value = Fraction(basis)
    steps = [step(rules.factors.article, "dwz-k0", basis, index=index)]
    if surplus < 0 and rating < rules.brake_below.value:
        shift = rules.brake_shift.value
        factor = Fraction(rating + shift, rules.brake_below.value + shift)
        value *= factor
        steps.append(step(rules.brake_shift.article, "dwz-factor-brake", factor, exact=value))
    elif surplus >= 0 and (extra := _extra(rating, group, rules)):
        value += extra
        steps.append(step(rules.extra_young.article, "dwz-factor-extra", extra, exact=value))
    most = rules.factor_most
    limited = min(Fraction(half_up(10 * value), 10), Fraction(most.value))
    steps += [step(most.article, "dwz-k", limited, most=most.value), *doubts(rules.factors)]
    return Development(limited, tuple(steps))


def _extra(rating: int, group: int, rules: DwzRules) -> Fraction:
    """Return what is added to the factor of a player who scores at least what is expected (3.5)."""
    below, divisor = rules.extra_young.value
    if group == 0:
        return Fraction(max(0, below - rating), divisor)
    return Fraction(rules.extra_others.value[group - 1] if rating < rules.brake_below.value else 0)
