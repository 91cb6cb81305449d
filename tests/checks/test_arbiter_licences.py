"""The arbiters of a report against the register: found by number or name, licensed on all days."""

from dataclasses import replace
from datetime import date

import pytest

from arpad.checks.arbiter_licences import check_licences, find_arbiter
from arpad.model.people import Arbiter, Licence
from arpad.reports.report import Report
from tests.builders.chess import report

YEAR = Licence(date(2018, 1, 1), date(2018, 12, 31))
ROSSI = Arbiter(1, "Rossi, Mario", "800123", "ITA", "IA", (YEAR,))
BIANCHI = Arbiter(2, "Bianchi, Anna", "", "ITA", "FA", (Licence(date(2018, 1, 1), date(2018, 5, 5)),))
NEVER = Arbiter(3, "Verdi, Luca", "800999")
ARBITERS = (ROSSI, BIANCHI, NEVER)


@pytest.mark.parametrize(
    ("text", "arbiter"),
    [
        ("IA Mario Rossi (800123)", ROSSI),
        ("800123", ROSSI),
        ("Rossi Mario", ROSSI),
        ("IA ROSSI, Mario", ROSSI),
        ("FA Anna Bianchi", BIANCHI),
        ("Somebody Else (800123)", ROSSI),
        ("Rossi, Maria", None),
        ("18001234", None),
        ("", None),
    ],
)
def test_an_arbiter_is_found_by_number_or_name(text: str, arbiter: Arbiter | None) -> None:
    assert find_arbiter(text, ARBITERS) == arbiter


def test_a_name_that_two_arbiters_have_finds_nobody() -> None:
    assert find_arbiter("Rossi Mario", (replace(ROSSI, fide=""), replace(ROSSI, id=9, fide=""))) is None


def played(chief: str, *deputies: str, last: date = date(2018, 5, 6)) -> Report:
    made = report("1 2000 | 2w1\n2 1900 | 1b0\n", first_day=date(2018, 5, 5), last_day=last)
    return replace(made, header=replace(made.header, chief_arbiter=chief, deputies=deputies))


@pytest.mark.parametrize(
    ("chief", "deputies", "codes", "licensed"),
    [
        ("Rossi, Mario", (), [], True),
        ("Rossi, Mario", ("Anna Bianchi",), ["arbiter-licence-ended"], False),
        ("Verdi, Luca", (), ["arbiter-licence-missing"], False),
        ("Rossi, Mario", ("Neri, Ugo",), ["arbiter-not-registered"], None),
        ("Verdi, Luca", ("Neri, Ugo",), ["arbiter-licence-missing", "arbiter-not-registered"], False),
        ("", (), [], None),
    ],
)
def test_every_arbiter_of_a_report_needs_a_licence_on_all_days(
    chief: str, deputies: tuple[str, ...], codes: list[str], licensed: bool | None
) -> None:
    findings, result = check_licences(played(chief, *deputies), ARBITERS)
    assert [finding.code for finding in findings] == codes
    assert result is licensed


def test_a_licence_that_ended_yesterday_is_named_with_its_day() -> None:
    (finding,), _ = check_licences(played("Anna Bianchi"), ARBITERS)
    assert finding.facts["until"] == date(2018, 5, 5)
    assert finding.facts["day"] == date(2018, 5, 6)
    assert check_licences(played("Anna Bianchi", last=date(2018, 5, 5)), ARBITERS) == ([], True)


def test_without_a_register_nothing_is_said() -> None:
    assert check_licences(played("Rossi, Mario"), ()) == ([], None)
