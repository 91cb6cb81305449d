"""What the two papers of M. E. Glickman set, and the limits that a list may add."""

from dataclasses import dataclass, replace
from datetime import date
from fractions import Fraction

from arpad.model.rules import Confidence, Rule
from arpad.regulations.rating_system import SystemEdition

_OWN = Confidence.INFERRED
"""A proposal for lists: the papers leave it to the federation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GlickoRules:
    """Everything one edition sets, with the values of Glicko-2."""

    has_volatility: Rule[bool] = Rule(value=True, article="step 6")
    """Whether the deviation grows by a volatility of the player, inside the period, rather than by c before it."""

    start_rating: Rule[int] = Rule(1500, "step 1")
    start_deviation: Rule[int] = Rule(350, "step 1")
    start_volatility: Rule[Fraction] = Rule(Fraction(6, 100), "step 1")
    tau: Rule[Fraction] = Rule(Fraction(1, 2), "step 1")
    """How little the volatility changes: the smaller, the less."""

    c: Rule[Fraction] = Rule(Fraction(0), "step 6")
    """How much a deviation grows in a period without volatility."""

    lowest_deviation: Rule[Fraction] | None = None
    highest_deviation: Rule[Fraction] | None = None
    highest_volatility: Rule[Fraction] | None = None
    lowest_rating: Rule[Fraction] | None = None
    largest_change: Rule[int] | None = None
    """Of a rating in one period."""

    tolerance: Rule[Fraction] = Rule(Fraction(1, 10**6), "step 5")
    """The iteration of the volatility stops when its bounds are this near."""


GLICKO_2 = GlickoRules()
GLICKO_1 = replace(
    GLICKO_2,
    has_volatility=Rule(value=False, article="step 1"),
    c=Rule(Fraction("34.6"), "step 1", _OWN),
    lowest_deviation=Rule(Fraction(30), "step 2"),
    highest_deviation=Rule(Fraction(350), "step 1"),
)
LICHESS = replace(
    GLICKO_2,
    start_deviation=Rule(500, "list"),
    start_volatility=Rule(Fraction(9, 100), "list"),
    tau=Rule(Fraction(3, 4), "list"),
    lowest_deviation=Rule(Fraction(45), "list"),
    highest_deviation=Rule(Fraction(500), "list"),
    highest_volatility=Rule(Fraction(1, 10), "list"),
    lowest_rating=Rule(Fraction(400), "list"),
    largest_change=Rule(700, "list"),
)

EDITIONS = (
    SystemEdition(
        id="glicko-1",
        applies_from=date(1995, 1, 1),
        source="M. E. Glickman, The Glicko system (1995, revised)",
        rules=GLICKO_1,
    ),
    SystemEdition(
        id="glicko-2-lichess",
        applies_from=date.max,  # only by name: a game at a time, and not a list by periods
        source="lichess's open program, one game a period",
        rules=LICHESS,
    ),
    SystemEdition(
        id="glicko-2",
        applies_from=date(2000, 1, 1),
        source="M. E. Glickman, Example of the Glicko-2 system (2000, revised to 2022)",
        rules=GLICKO_2,
    ),
)
