"""What the versions of the ICU's calculation set, and the editions that use them.

There is no printed text: the federation's own open program is the text, in double precision. Its parts have letters,
which explanations cite: K, E (expected score), P (performances), B (phases and bonus), L (lists), C (chain, states).
"""

from dataclasses import dataclass, replace
from datetime import date

from arpad.model.rules import Confidence, Rule
from arpad.regulations.rating_system import SystemEdition


@dataclass(frozen=True, slots=True, kw_only=True)
class IcuRules:
    """Everything one version sets, with the values of version 0."""

    # K
    k_high_rating: Rule[tuple[int, int]] = Rule((2100, 16), "K")
    """From this rating on, this K."""
    k_young: Rule[tuple[int, int]] = Rule((21, 40), "K")
    """Below this age, this K."""
    k_new_member: Rule[tuple[int, int]] = Rule((8, 32), "K")
    """For less than so many years of membership, this K."""
    k: Rule[int] = Rule(24, "K")
    unknown_birth: Rule[date] = Rule(date(1950, 1, 1), "K")
    unknown_entry: Rule[date] = Rule(date(1975, 1, 1), "K")

    # C: states
    full_games: Rule[int] = Rule(20, "C6")
    """So many rated games make a rating full."""

    # E, P: expected scores and performances
    spread: Rule[int] = Rule(400, "E")
    """The difference at which the expected score is 10/11; also what a win adds to a performance."""
    tolerance: Rule[float] = Rule(0.5, "P3")
    """Performances have settled if none changed by so much in a pass."""
    most_passes: Rule[int] = Rule(30, "P4")
    repeat_in_phase_2: Rule[bool] = Rule(value=False, article="P4")
    """Whether performances are repeated until they settle in phase 2 too, or computed in one pass."""

    # B: bonus
    bonus_k: Rule[int] = Rule(24, "B")
    """Only a higher K wins a bonus."""
    bonus_games: Rule[int] = Rule(4, "B")
    """Only more games win a bonus."""
    bonus_change: Rule[int] = Rule(35, "B")
    """Only a greater change wins a bonus."""
    bonus_limit: Rule[int] = Rule(2100, "B")
    """Neither the rating before nor a bonus reaches it."""
    bonus_threshold: Rule[tuple[int, int]] = Rule((32, 3), "B")
    """What a change must exceed, and how much more for each game above ``bonus_games``."""
    bonus_factor: Rule[tuple[int, float]] = Rule((40, 1.25), "B")
    """With this K or more, the bonus is multiplied by so much."""
    bonuses_in_phase_2: Rule[bool] = Rule(value=True, article="B4")
    """Whether bonuses are computed once more after phase 2."""
    bonus_follows: Rule[bool] = Rule(value=False, article="B2")
    """Whether the rating with which a winner of a bonus counts follows the new change at once."""


VERSION_0 = IcuRules()
VERSION_1 = replace(VERSION_0, repeat_in_phase_2=Rule(value=True, article="B3"))
VERSION_2 = replace(
    VERSION_1,
    tolerance=Rule(0.1, "P3"),
    bonuses_in_phase_2=Rule(value=False, article="B4"),
    bonus_follows=Rule(value=True, article="B2"),
)
VERSION_3 = replace(VERSION_2, most_passes=Rule(50, "P4"))

_PROGRAM = "the ICU's open rating program, version {} of its calculation"


def _edition(name: str, since: date, version: int, rules: IcuRules) -> SystemEdition[IcuRules]:
    return SystemEdition(id=name, applies_from=since, source=_PROGRAM.format(version), rules=rules)


EDITIONS = (
    _edition("icu-2012", date(2012, 1, 1), 0, VERSION_0),
    _edition("icu-2012-09", date(2012, 9, 18), 1, VERSION_1),
    _edition("icu-2012-12", date(2012, 12, 26), 2, VERSION_2),
    _edition("icu-2013", date(2013, 8, 31), 3, VERSION_3),
)

PRINTED_FLOORS: tuple[tuple[date, Rule[int]], ...] = (
    (date.min, Rule(700, "L")),
    (date(2023, 9, 1), Rule(400, "L", Confidence.INFERRED)),
)
"""The lowest printed rating, by the first list that has it; the chain keeps the real one."""

LIFT_LIST = Rule(date(2024, 3, 1), "L")
LIFT = Rule((2000, 6, 10), "L")
"""On that list, a lower rating than this is raised by so many tenths of the difference."""
SEASON = Rule((9, 12), "L")
"""The month in which the season of the members begins, and the last one with those of the season before."""
