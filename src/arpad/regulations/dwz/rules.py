"""What an edition of the Wertungsordnung sets, with articles and how surely each is known, and the editions.

``None`` means that the edition has no such rule. Articles are those of the numbering since 2022, except of rules that
only the older text has; A is the annex. No text of 2026 was read: its values are those on which public programs agree,
confirmed by the figures of one event.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date
from fractions import Fraction

from arpad.model.rules import Confidence, Rule
from arpad.regulations.rating_system import SystemEdition


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


READING, PROGRAMS = Confidence.INFERRED, Confidence.SECONDARY

DWZ_2002 = DwzRules(
    certain_from=Rule(735, "3.3"),
    largest_difference=Rule(735, "3.3"),
    age_bounds=Rule((20, 25), "3.5"),
    brake_below=Rule(1300, "A 1.2"),
    brake_all_ages=Rule(value=False, article="A 2.4", confidence=READING),
    age_terms=Rule((5, 10, 15), "3.5"),
    acceleration=Rule((Fraction(1, 2), Fraction(1)), "A 1.2"),
    coefficient_bounds=Rule((5, 30, 150), "A 1.2"),
    coefficient_per_index=Rule((5, 5), "A 1.2"),
    factors=Rule((), "3.5"),
    brake_shift=Rule(0, "3.5"),
    extra_young=Rule((0, 1), "3.5"),
    extra_others=Rule((0, 0), "3.5"),
    factor_most=Rule(0, "3.5"),
    rating_least=None,
    newcomer_games=Rule(5, "3.4"),
    stop=Rule(Fraction(5, 1000), "3.4.4", READING),
    extreme=Rule(677, "4.8", PROGRAMS),
    first_low=Rule((800, 700, 8), "4.7.4", PROGRAMS),
    first_raised=None,
    fictitious_draw=Rule(value=False, article="3.4"),
    special_above=None,
    rest_years=Rule(2, "4.1.1"),
    entered_index=Rule(6, "3.2.6"),
)
DWZ_2014 = replace(DWZ_2002, certain_from=None, brake_all_ages=Rule(value=True, article="A 2.4"))
DWZ_2016 = replace(DWZ_2014, special_above=Rule(300, "4.8.2"))
DWZ_2022 = replace(DWZ_2016, special_above=Rule(300, "3.6.3"), entered_index=Rule(6, "2.2.4"))
DWZ_2026 = replace(
    DWZ_2022,
    brake_below=Rule(1600, "3.5", PROGRAMS),
    age_terms=None,
    factors=Rule(
        (
            (2200, (60, 60, 48, 46, 44, 42, 40, 38, 36, 34, 32)),
            (2000, (60, 60, 44, 42, 40, 38, 36, 34, 32, 30, 28)),
            (9999, (60, 60, 41, 39, 37, 35, 33, 31, 29, 27, 25)),
        ),
        "3.5",
        PROGRAMS,
    ),
    brake_shift=Rule(800, "3.5", PROGRAMS),
    extra_young=Rule((2000, 30), "3.5", PROGRAMS),
    extra_others=Rule((4, 4), "3.5", PROGRAMS),
    factor_most=Rule(80, "3.5", PROGRAMS),
    rating_least=Rule(1100, "3.5", PROGRAMS),
    first_raised=Rule((2000, 1100, Fraction(8, 100)), "3.6", PROGRAMS),
    fictitious_draw=Rule(value=True, article="3.6", confidence=PROGRAMS),
)

EDITIONS = tuple(
    SystemEdition(id=name, applies_from=day, source=f"Wertungsordnung des DSB, {source}", rules=rules)
    for name, day, source, rules in (
        ("dwz-2002", date(2002, 5, 9), "veröffentlichte Auswertungen von 1995 bis 2010", DWZ_2002),
        ("dwz-2014", date(2014, 5, 30), "in Teilen gelesen", DWZ_2014),
        ("dwz-2016", date(2016, 8, 1), "in Teilen gelesen", DWZ_2016),
        ("dwz-2022", date(2022, 1, 1), "Kapitel 2 bis 4 und 6 gelesen", DWZ_2022),
        ("dwz-2026", date(2026, 6, 8), "öffentliche Programme; der Text wurde nicht gelesen", DWZ_2026),
    )
)
