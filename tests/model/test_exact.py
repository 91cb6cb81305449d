"""Exact numbers: where halves go, and how a number is written."""

from fractions import Fraction

import pytest

from arpad.model.exact import (
    decimal_text,
    fractional_score,
    from_hundredths,
    half_away_from_zero,
    half_up,
    points,
    read_number,
)


@pytest.mark.parametrize(
    ("value", "up", "away"),
    [
        ("0", 0, 0),
        ("0.49", 0, 0),
        ("0.5", 1, 1),
        ("2.5", 3, 3),
        ("-0.49", 0, 0),
        ("-0.5", 0, -1),
        ("-0.51", -1, -1),
        ("-2.5", -2, -3),
        ("-17.5", -17, -18),
        ("7", 7, 7),
        ("-7", -7, -7),
    ],
)
def test_where_a_half_goes(value: str, up: int, away: int) -> None:
    assert (half_up(Fraction(value)), half_away_from_zero(Fraction(value))) == (up, away)


def test_scores_and_expectations() -> None:
    assert [points(score) for score in (0, 1, 2, 13)] == [0, Fraction(1, 2), 1, Fraction(13, 2)]
    assert from_hundredths(236) == Fraction("2.36")


@pytest.mark.parametrize(
    ("score", "games", "p"),
    [(0, 9, 0), (2, 9, 11), (4, 9, 22), (8, 9, 44), (12, 9, 67), (18, 9, 100), (2, 8, 13), (6, 8, 38)],
)
def test_fractional_scores_go_to_the_nearest_row(score: int, games: int, p: int) -> None:
    """The p column of the example in 8.58; one point of eight is .125, half up (docs/readings.md, 16)."""
    assert fractional_score(score, games) == p


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("0", "0"),
        ("12", "12"),
        ("-12", "-12"),
        ("0.5", "0.5"),
        ("-0.05", "-0.05"),
        ("0.43", "0.43"),
        ("1/8", "0.125"),
        ("1/40", "0.025"),
        ("1/5", "0.2"),
        ("1/25", "0.04"),
        ("1/125", "0.008"),
        ("13105/6", "2184.17"),
        ("1/3", "0.33"),
        ("-2/3", "-0.67"),
        ("1/700", "0.00"),
        ("-1/700", "0.00"),
    ],
)
def test_a_number_in_decimals(value: str, text: str) -> None:
    assert decimal_text(Fraction(value)) == text


def test_a_number_in_so_many_decimals_and_with_its_sign() -> None:
    assert decimal_text(Fraction("2.345"), places=2) == "2.35"
    assert decimal_text(Fraction("-2.345"), places=2) == "-2.35"
    assert decimal_text(Fraction("2.5"), places=0) == "3"
    assert decimal_text(7, places=2) == "7.00"
    assert decimal_text(Fraction("0.04"), places=1, signed=True) == "+0.0"
    assert [decimal_text(n, signed=True) for n in (3, 0, -3)] == ["+3", "+0", "-3"]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("12", Fraction(12)),
        (" 0.5 ", Fraction(1, 2)),
        ("0,5", Fraction(1, 2)),
        (".5", Fraction(1, 2)),
        ("25/2", Fraction(25, 2)),
        ("-1.25", Fraction(-5, 4)),
        ("", None),
        ("1/0", None),
        ("1,5/2", None),
        ("1.2.3", None),
        ("1_000", None),
        ("٣", None),
        ("1e2", None),
        ("1e999999999", None),
        ("1" * 10, None),
        ("0." + "1" * 10, None),
    ],
)
def test_a_number_as_people_write_it(text: str, value: Fraction | None) -> None:
    assert read_number(text) == value
