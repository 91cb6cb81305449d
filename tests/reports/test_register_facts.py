"""A report with the register's facts: what changes, what stays."""

from dataclasses import replace
from datetime import date

import pytest

from arpad.model.people import Birth, Person
from arpad.reports.register_facts import with_register_facts
from tests.builders.chess import report

REPORT = report("1 2000 | 2w1\n2 1900 | 1b0\n")
SAME = [
    Person(number, f"Player {number}", "ITA", identifiers=(("fide", str(9000 + number)),))
    for number in (1, 2)
]


def test_equal_facts_change_nothing() -> None:
    assert with_register_facts(REPORT, SAME) == (REPORT, ())


def test_each_differing_fact_is_listed() -> None:
    other = Person(1, "Rossi, Maria", "FRA", "F", 1990, women_title="WIM", identifiers=(("icu", "7"),))
    corrected, changes = with_register_facts(REPORT, [other, SAME[1]], [2010, 1900])
    assert [(change.field, change.reported, change.registered) for change in changes] == [
        ("name", "Player 1", "Rossi, Maria"),
        ("federation", "ITA", "FRA"),
        ("sex", "", "w"),
        ("title", "", "WIM"),
        ("born", "", "1990"),
        ("id", "9001", ""),
        ("rating", "2000", "2010"),
    ]
    assert corrected.entrants[0].name == "Rossi, Maria"
    assert corrected.rounds == REPORT.rounds


@pytest.mark.parametrize(
    ("reported", "registered", "result"),
    [
        (date(1990, 5, 17), 1990, date(1990, 5, 17)),
        (date(1990, 5, 17), 1991, 1991),
        (1990, date(1990, 5, 17), date(1990, 5, 17)),
        (1990, None, 1990),
        (None, 1990, 1990),
    ],
)
def test_a_reported_day_of_birth_stays_if_the_register_has_its_year(
    reported: Birth, registered: Birth, result: Birth
) -> None:
    entrants = (replace(REPORT.entrants[0], born=reported), REPORT.entrants[1])
    people = [replace(SAME[0], born=registered), SAME[1]]
    corrected, _ = with_register_facts(replace(REPORT, entrants=entrants), people)
    assert corrected.entrants[0].born == result
