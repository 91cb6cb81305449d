"""What an edition of the Wertungsordnung sets, with articles and how surely each is known, and the editions.

``None`` means that the edition has no such rule. Articles are those of the numbering since 2022, except of rules that
only the older text has; A is the annex. No text of 2026 was read: its values are those on which public programs agree,
confirmed by the figures of one event.
"""

from dataclasses import dataclass, replace
from datetime import date
from fractions import Fraction

from arpad.model.rules import Confidence, Rule
from arpad.regulations.rating_system import SystemEdition

READING, PROGRAMS = Confidence.INFERRED, Confidence.SECONDARY


@dataclass(frozen=True, slots=True, kw_only=True)
class DwzRules:
    """Everything one edition sets for the computation, with the values of 2002."""

    certain_from: Rule[int] | None = Rule(735, "3.3")
    """From this difference on the table of expectations has 1; None: the normal distribution itself."""
    largest_difference: Rule[int] = Rule(735, "3.3")
    """The difference of a share of 1."""
    age_bounds: Rule[tuple[int, int]] = Rule((20, 25), "3.5")
    """The last year of age of the first and of the second group."""
    brake_below: Rule[int] = Rule(1300, "A 1.2")
    """A lower rating that scores less than expected is braked."""
    brake_all_ages: Rule[bool] = Rule(value=False, article="A 2.4", confidence=READING)

    # development coefficient E, until June 2026
    age_terms: Rule[tuple[int, int, int]] | None = Rule((5, 10, 15), "3.5")
    """J of the three groups."""
    acceleration: Rule[tuple[Fraction, Fraction]] = Rule((Fraction(1, 2), Fraction(1)), "A 1.2")
    """The limits of the factor fB, of the first age group that scores at least what is expected."""
    coefficient_bounds: Rule[tuple[int, int, int]] = Rule((5, 30, 150), "A 1.2")
    """The least E; the largest without and with the brake."""
    coefficient_per_index: Rule[tuple[int, int]] = Rule((5, 5), "A 1.2")
    """At most so much for each index, up to this index."""

    # development factor K, from June 2026
    factors: Rule[tuple[tuple[int, tuple[int, ...]], ...]] = Rule((), "3.5")
    """K0 of the young, of adults and of everybody else: below this rating, for index 1, 2, … and any higher one."""
    brake_shift: Rule[int] = Rule(0, "3.5")
    """u: a braked factor is multiplied by (R0 + u) / (brake_below + u)."""
    extra_young: Rule[tuple[int, int]] = Rule((0, 1), "3.5")
    """The first age group gains (first number - R0) / t."""
    extra_others: Rule[tuple[int, int]] = Rule((0, 0), "3.5")
    """a1 and a2: what the second and third age groups gain below ``brake_below``."""
    factor_most: Rule[int] = Rule(0, "3.5")
    rating_least: Rule[int] | None = None

    # newcomers and performance
    newcomer_games: Rule[int] = Rule(5, "3.4")
    stop: Rule[Fraction] = Rule(Fraction(5, 1000), "3.4.4", READING)
    """The iteration ends when the score is no further from the expectation."""
    extreme: Rule[int] = Rule(677, "4.8", PROGRAMS)
    """How far beyond the opponents' average all or none of the points are."""
    first_low: Rule[tuple[int, int, int]] = Rule((800, 700, 8), "4.7.4", PROGRAMS)
    """Below the first number a first rating is the second plus Ri divided by the third."""
    first_raised: Rule[tuple[int, int, Fraction]] | None = None
    """Instead: below the first number a first rating is raised; the second begins the lower line; the third is r."""
    fictitious_draw: Rule[bool] = Rule(value=False, article="3.4")
    """Whether a newcomer who won every game is given a draw against the average opponent."""
    special_above: Rule[int] | None = None
    """A performance so far above the rating counts for the opponents."""
    rest_years: Rule[int] = Rule(2, "4.1.1")
    entered_index: Rule[int] = Rule(6, "3.2.6")
    """The index of a FIDE or foreign rating."""


DWZ_2002 = DwzRules()
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
