"""The values that rules are made of: notices, months, bounds; what holds where an edition says nothing more."""

from datetime import date
from fractions import Fraction

import pytest

from arpad.regulations.fide.rules import FirstControl, Notice, OneOffAdjustment, TimeBounds, add_months


@pytest.mark.parametrize(
    ("day", "months", "expected"),
    [
        (date(2023, 1, 31), 1, date(2023, 2, 28)),
        (date(2024, 1, 31), 1, date(2024, 2, 29)),
        (date(2024, 5, 31), -1, date(2024, 4, 30)),
        (date(2024, 3, 30), -1, date(2024, 2, 29)),
        (date(2024, 12, 15), 1, date(2025, 1, 15)),
        (date(2025, 1, 15), -1, date(2024, 12, 15)),
        (date(2024, 7, 31), 0, date(2024, 7, 31)),
        (date(2024, 2, 29), 12, date(2025, 2, 28)),
    ],
)
def test_months_later_or_earlier(day: date, months: int, expected: date) -> None:
    assert add_months(day, months) == expected


@pytest.mark.parametrize(
    ("notice", "expected"),
    [
        ({}, date(2024, 3, 31)),
        ({"days": 7}, date(2024, 3, 24)),
        ({"months": 1}, date(2024, 2, 29)),
        ({"days": 3, "months": 1}, date(2024, 2, 26)),
    ],
)
def test_the_last_day_that_is_in_time(notice: dict[str, int], expected: date) -> None:
    assert Notice(**notice).deadline(date(2024, 3, 31)) == expected


@pytest.mark.parametrize(
    ("bounds", "held"),
    [
        (TimeBounds(10, False, 60, False), (False, True, True, False)),
        (TimeBounds(10, True, 60, False), (True, True, True, False)),
        (TimeBounds(10, False, 60, True), (False, True, True, True)),
    ],
)
def test_minutes_within_bounds(bounds: TimeBounds, held: tuple[bool, ...]) -> None:
    """2017 A.1: more than 10 minutes, less than 60."""
    minutes = (Fraction(10), Fraction(21, 2), Fraction(119, 2), Fraction(60))
    assert tuple(map(bounds.hold, minutes)) == held
    assert not bounds.hold(Fraction(19, 2))
    assert not bounds.hold(Fraction(121, 2))


def test_what_is_not_said_is_not_asked() -> None:
    assert FirstControl(40).or_more is False
    lift = OneOffAdjustment(date(2024, 3, 1))
    assert (lift.below, lift.share, lift.standard_minus) == (None, Fraction(0), None)
