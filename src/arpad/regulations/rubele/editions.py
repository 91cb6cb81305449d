"""Elo-Rubele, edition by edition, for both disciplines of the Italian draughts federation.

The annexes updated to January 2008 are our source document. Of the change of 2021 only the notice is known:
the bonus of the first event is abolished, Q is added at every event; the day it took effect is not verified.
"""

from dataclasses import replace
from datetime import date
from fractions import Fraction

from arpad.model.exact import half_up
from arpad.model.rules import Edition, ListName, Rule
from arpad.regulations.rubele.rules import DraughtsRules
from arpad.regulations.tables import TABLE_19

ITALIANA, INTERNAZIONALE = ListName.ITALIANA, ListName.INTERNAZIONALE
CHECKED = date(2026, 11, 15)
ART_6 = "Capo VI art. 6"

ITALIANA_2008 = DraughtsRules(
    promotions=Rule((1000, 2000, 3000, 3900), "Tab. 12"),
    starting_capital=Rule(300, "Tab. 12"),
    minimum_capital=Rule(100, ART_6),
    s_thresholds=Rule((3000, 3900), "Tab. 17"),
    s_coefficients=Rule((150, 100, 50), "Tab. 17"),
    rounding=Rule(half_up, ART_6),
    bonus=Rule(10, "Tab. 18a"),
    quota=None,
    floor_before_added=Rule(value=True, article=ART_6),
    malus=Rule(50, "Tab. 18b"),
    malus_limit=Rule(450, "Tab. 18b"),
    malus_limit_per_absence=Rule(value=False, article="Tab. 18b"),
    expectation_table=Rule(TABLE_19, "Tab. 19"),
    debut=Rule(
        (
            ("gmi", 2700),
            ("mi", 2700),
            ("mf", 2300),
            ("maestro", 2000),
            ("candidato-maestro", 1500),
            ("nazionale", 1000),
            ("regionale", 300),
            ("provinciale", 300),
        ),
        "Tab. 21",
    ),
    fmjd_factors=None,
    foreign_idle_years=Rule(2, "Tab. 22"),
    group_numbers=Rule((2, 6), "Tab. 24"),
    first_group_rounds=Rule(3, "Tab. 23"),
    critical_rounds=Rule(4, "Tab. 23"),
    group_minimums=Rule(((5, 8), (6, 10), (7, 10), (8, 12), (9, 12), (10, 14)), "Tab. 23"),
)

INTERNAZIONALE_2008 = replace(
    ITALIANA_2008,
    promotions=Rule((1700, 2500, 3300, 3800), "Tab. 11"),
    starting_capital=Rule(500, "Tab. 11"),
    s_thresholds=Rule((2000, 3000), "Tab. 17"),
    s_coefficients=Rule((240, 160, 80), "Tab. 17"),
    debut=Rule(
        (
            ("maestro", 2500),
            ("candidato-maestro", 1700),
            ("nazionale", 1000),
            ("regionale", 500),
            ("provinciale", 500),
        ),
        "Tab. 20",
    ),
    fmjd_factors=Rule(
        ((1, Fraction(9, 5)), (2001, Fraction(11, 5)), (2201, Fraction(12, 5)), (2301, Fraction(5, 2))),
        "Tab. 22",
    ),
)

RUBELE_2008 = Edition(
    id="rubele-2008",
    body="fid",
    effective=date(2008, 1, 1),
    source="Regolamento Tecnico FID, Capo XIV, tabelle 11-24, aggiornato al gennaio 2008",
    checked=CHECKED,
    lists={ITALIANA: ITALIANA_2008, INTERNAZIONALE: INTERNAZIONALE_2008},
)


def _with_quota(rules: DraughtsRules, points: int) -> DraughtsRules:
    return replace(rules, bonus=None, quota=Rule(points, "CTF 2021"))


RUBELE_2021 = replace(
    RUBELE_2008,
    id="rubele-2021",
    base="rubele-2008",
    effective=date(2021, 1, 1),
    source="comunicato CTF del 2021, visto in parte",
    lists={ITALIANA: _with_quota(ITALIANA_2008, 10), INTERNAZIONALE: _with_quota(INTERNAZIONALE_2008, 15)},
)

EDITIONS: tuple[Edition[DraughtsRules], ...] = (RUBELE_2008, RUBELE_2021)
NEWEST = EDITIONS[-1]
PROCEDURES = (half_up,)
