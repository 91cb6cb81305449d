"""Patterns of numbers, declarations, and the scheme of a report's column."""

from dataclasses import replace
from datetime import date

import pytest

from arpad.model.errors import BadInput
from arpad.reports.number_schemes import (
    NumberScheme,
    SourceRule,
    column_scheme,
    fits,
    national_numbers,
    refuse_scheme,
)
from arpad.reports.report import Entrant, NationalEntry
from tests.builders.chess import event


@pytest.mark.parametrize(
    ("pattern", "number", "expected"),
    [
        ("9{1-5}", "268", True),
        ("9{1-5}", "2500035", False),
        ("9{1-5}", "26a", False),
        ("A9{5}", "Z04211", True),
        ("A9{5}", "04211", False),
        ("X{5}-9{3-4}", "1010A-1001", True),
        ("X{5}-9{3-4}", "1010A1001", False),
        ("9{20}", "9" * 5000, False),
    ],
)
def test_a_number_fits_a_pattern(pattern: str, number: str, expected: bool) -> None:
    assert fits(pattern, number) is expected


@pytest.mark.parametrize(
    "pattern",
    ["", "9{0}", "9{5-1}", "9{21}", "9{15}9{15}", "(9{1-5})+", "9*", ".*", "[0-9]+", "9{1-5", "a" * 300],
)
def test_a_pattern_that_is_not_one_is_refused(pattern: str) -> None:
    with pytest.raises(BadInput, match="scheme-pattern"):
        refuse_scheme(NumberScheme("icu", "Irish Chess Union", pattern))


@pytest.mark.parametrize(
    ("scheme", "code"),
    [
        (NumberScheme("fide", "Mine", "9"), "scheme-built-in"),
        (NumberScheme("i", "Mine", "9"), "scheme-code"),
        (NumberScheme("icu;", "Mine", "9"), "scheme-code"),
        (NumberScheme("icu", " ", "9"), "scheme-name"),
        (NumberScheme("icu", "Mine", "9", frozenset({"moon"})), "scheme-shown"),
    ],
)
def test_a_declaration_that_is_not_one_is_refused(scheme: NumberScheme, code: str) -> None:
    with pytest.raises(BadInput, match=code):
        refuse_scheme(scheme)


RULES = [
    SourceRule("discipline", "chess", "fide"),
    SourceRule("federation", "IRL", "icu"),
    SourceRule("program", "vega", "zps"),
    SourceRule("arbiter", "ia rossi", "ffe"),
]
REPORT = event("Open", "1 2000 | 2w1\n2 1900 | 1b0", date(2018, 1, 1))


@pytest.mark.parametrize(
    ("federation", "program", "arbiter", "expected"),
    [
        ("ITA", "", "", "fide"),
        ("IRL", "", "", "icu"),
        ("IRL", "Vega", "", "zps"),
        ("IRL", "Vega", "Rossi IA", "ffe"),
    ],
)
def test_the_arbiter_then_the_program_then_the_federation_say_the_scheme(
    federation: str, program: str, arbiter: str, expected: str
) -> None:
    header = replace(REPORT.header, federation=federation, pairing_program=program, chief_arbiter=arbiter)

    assert column_scheme(replace(REPORT, header=header), RULES, "chess") == expected
    assert column_scheme(replace(REPORT, header=header), [], "chess") == ""


def test_national_records_have_the_scheme_of_their_federation_and_the_column_does_not() -> None:
    header = replace(REPORT.header, federation="IRL", chief_arbiter="")
    national = (
        NationalEntry("IRL", Entrant(2, "X", id="268")),
        NationalEntry("NED", Entrant(1, "Y", id="7")),
    )
    report = replace(REPORT, header=header, national=national)

    assert national_numbers(report, RULES) == {2: (("icu", "268"),)}
    assert column_scheme(report, RULES, "chess") == "fide"
    knsb = SourceRule("national", "NED", "knsb")
    assert national_numbers(report, [*RULES, knsb])[1] == (("knsb", "7"),)
