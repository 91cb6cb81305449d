"""The editions of the Wertungsordnung, by the last day of an event.

No text of 2026 was read: its values are those on which public programs agree, confirmed by the figures of one event.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from fractions import Fraction

from arpad.model.rules import Confidence, Rule
from arpad.regulations.dwz.rules import DwzRules
from arpad.regulations.rating_system import SystemEdition

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

_READ_IN_PARTS = "Wertungsordnung des Deutschen Schachbundes, in Teilen gelesen"
EDITIONS = tuple(
    SystemEdition(id=name, applies_from=day, source=source, rules=rules)
    for name, day, source, rules in (
        ("dwz-2002", date(2002, 5, 9), "veröffentlichte Auswertungen von 1995 bis 2010", DWZ_2002),
        ("dwz-2014", date(2014, 5, 30), _READ_IN_PARTS, DWZ_2014),
        ("dwz-2016", date(2016, 8, 1), _READ_IN_PARTS, DWZ_2016),
        ("dwz-2022", date(2022, 1, 1), f"{_READ_IN_PARTS}, Kapitel 2 bis 4 und 6", DWZ_2022),
        ("dwz-2026", date(2026, 6, 8), "öffentliche Programme; der Text wurde nicht gelesen", DWZ_2026),
    )
)
