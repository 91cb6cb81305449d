"""What an edition of the Wertungsordnung sets: values with their articles, and how surely each is known.

``None`` means that the edition has no such rule. Articles are those of the numbering since 2022, except of rules that
only the older text has; A is the annex.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from arpad.model.rules import Rule


@dataclass(frozen=True, slots=True, kw_only=True)
class DwzRules:
    """Everything one edition sets for the computation."""

    certain_from: Rule[int] | None
    """From this difference on the table of expectations has 1; None: the normal distribution itself."""
    largest_difference: Rule[int]
    """The difference of a share of 1."""
    age_bounds: Rule[tuple[int, int]]
    """The last year of age of the first and of the second group."""
    brake_below: Rule[int]
    """A lower rating that scores less than expected is braked."""
    brake_all_ages: Rule[bool]

    # development coefficient E, until June 2026
    age_terms: Rule[tuple[int, int, int]] | None
    """J of the three groups."""
    acceleration: Rule[tuple[Fraction, Fraction]]
    """The limits of the factor fB, of the first age group that scores at least what is expected."""
    coefficient_bounds: Rule[tuple[int, int, int]]
    """The least E; the largest without and with the brake."""
    coefficient_per_index: Rule[tuple[int, int]]
    """At most so much for each index, up to this index."""

    # development factor K, from June 2026
    factors: Rule[tuple[tuple[int, tuple[int, ...]], ...]]
    """K0 of the young, of adults and of everybody else: below this rating, for index 1, 2, … and any higher one."""
    brake_shift: Rule[int]
    """u: a braked factor is multiplied by (R0 + u) / (brake_below + u)."""
    extra_young: Rule[tuple[int, int]]
    """The first age group gains (first number - R0) / t."""
    extra_others: Rule[tuple[int, int]]
    """a1 and a2: what the second and third age groups gain below ``brake_below``."""
    factor_most: Rule[int]
    rating_least: Rule[int] | None

    # newcomers and performance
    newcomer_games: Rule[int]
    stop: Rule[Fraction]
    """The iteration ends when the score is no further from the expectation."""
    extreme: Rule[int]
    """How far beyond the opponents' average all or none of the points are."""
    first_low: Rule[tuple[int, int, int]]
    """Below the first number a first rating is the second plus Ri divided by the third."""
    first_raised: Rule[tuple[int, int, Fraction]] | None
    """Instead: below the first number a first rating is raised; the second begins the lower line; the third is r."""
    fictitious_draw: Rule[bool]
    """Whether a newcomer who won every game is given a draw against the average opponent."""
    special_above: Rule[int] | None
    """A performance so far above the rating counts for the opponents."""
    rest_years: Rule[int]
    entered_index: Rule[int]
    """The index of a FIDE or foreign rating."""
