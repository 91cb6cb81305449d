"""List dates (7.1, 7.11, 7.13, 9.1): each list follows the edition of its own day."""

from dataclasses import replace
from datetime import date, timedelta

import pytest

from arpad.model.rules import ListName, Rule
from arpad.regulations.calendar import (
    closes_year,
    due_list,
    first_list_for,
    half_year_end,
    is_in_time,
    is_list_day,
    list_after,
    list_in_force,
)
from arpad.regulations.editions import by_date, chess_edition, in_turn, rules_by_day

STANDARD = ListName.STANDARD


def test_monthly_lists_begin_with_the_edition_of_2012() -> None:
    """Two months apart until May 2012; July is in both calendars; from then on every month has a list (7.11, 7.3)."""
    rules = rules_by_day(by_date(STANDARD), STANDARD)
    days = [date(2012, 1, 1)]
    while days[-1] < date(2012, 9, 1):
        days.append(list_after(days[-1], rules))
    assert [day.month for day in days] == [1, 3, 5, 7, 8, 9]
    assert list_in_force(date(2012, 6, 30), rules) == date(2012, 5, 1)
    assert list_in_force(date(2012, 8, 31), rules) == date(2012, 8, 1)
    assert list_after(date(2012, 7, 31), rules) == date(2012, 8, 1)


def test_a_calendar_that_changes_is_that_of_each_lists_own_day() -> None:
    """Lists of April and October from 2020 on, every month before: after December 2019 comes April 2020."""
    old = chess_edition("fide-2017")
    half_years = replace(old.on(STANDARD), list_months=Rule((4, 10), "own 1"))
    new = replace(old, id="half-years", effective=date(2020, 1, 1), lists={STANDARD: half_years})
    rules = rules_by_day(in_turn(STANDARD, [old, new]), STANDARD)
    assert list_after(date(2019, 12, 1), rules) == date(2020, 4, 1)
    assert list_in_force(date(2020, 3, 15), rules) == date(2019, 12, 1)


@pytest.mark.parametrize("year", [2010, 2012])
@pytest.mark.parametrize(
    ("published", "until"),
    [(1, (2, 0)), (3, (4, 30)), (5, (6, 30)), (7, (8, 31)), (9, (10, 31)), (11, (12, 31))],
)
def test_each_list_of_7_11_holds_for_its_two_months(
    year: int, published: int, until: tuple[int, int]
) -> None:
    """The table as printed: the list of 1 January from 1 January to 28 (29) February, and so on."""
    rules = chess_edition("fide-2009").on(STANDARD)
    month, day = until
    last = date(year, month, day or (29 if year == 2012 else 28))
    out = date(year, published, 1)
    assert list_in_force(out, rules) == list_in_force(last, rules) == out
    assert list_in_force(last + timedelta(days=1), rules) == last + timedelta(days=1)


def test_from_2012_a_list_holds_for_its_month() -> None:
    """As 7.3 of 2009 announced, and 7.1 and 7.11 of 2017 have it."""
    for edition in ("fide-2012", "fide-2017"):
        rules = chess_edition(edition).on(STANDARD)
        assert list_in_force(date(2017, 7, 1), rules) == date(2017, 7, 1)
        assert list_in_force(date(2017, 7, 31), rules) == date(2017, 7, 1)
        assert list_in_force(date(2017, 8, 1), rules) == date(2017, 8, 1)


def test_the_first_list_that_takes_a_tournament() -> None:
    """Six lists a year in 2009; a tournament goes into the first list whose cut-off it meets."""
    rules = chess_edition("fide-2009").on(STANDARD)
    assert first_list_for(date(2009, 8, 25), rules) == date(2009, 9, 1)
    assert first_list_for(date(2009, 8, 26), rules) == date(2009, 11, 1)
    assert first_list_for(date(2009, 8, 31), rules, official=True) == date(2009, 9, 1)
    assert first_list_for(date(2009, 9, 1), rules, official=True) == date(2009, 11, 1)
    monthly = chess_edition("fide-2017").on(STANDARD)
    assert first_list_for(date(2017, 8, 29), monthly) == date(2017, 9, 1)
    assert first_list_for(date(2017, 8, 30), monthly) == date(2017, 10, 1)
    assert first_list_for(date(2017, 8, 31), monthly, official=True) == date(2017, 9, 1)
    assert first_list_for(date(2017, 9, 1), monthly, official=True) == date(2017, 10, 1)
    assert first_list_for(date(2017, 12, 29), monthly) == date(2018, 1, 1)


def test_the_last_day_for_the_list_of_march_2025() -> None:
    """Case 35 of the text of 2024: 26 February; 28 February for official events."""
    rules, march = chess_edition("fide-2024").on(STANDARD), date(2025, 3, 1)
    assert first_list_for(date(2025, 2, 26), rules) == march
    assert first_list_for(date(2025, 2, 27), rules) == date(2025, 4, 1)
    assert first_list_for(date(2025, 2, 28), rules, official=True) == march


@pytest.mark.parametrize(
    ("last", "due"),
    [
        (date(2025, 3, 25), date(2025, 4, 1)),
        (date(2025, 3, 26), date(2025, 5, 1)),
        (date(2025, 2, 22), date(2025, 3, 1)),
        (date(2025, 2, 23), date(2025, 4, 1)),
        (date(2024, 2, 24), date(2024, 4, 1)),
        (date(2025, 12, 31), date(2026, 2, 1)),
    ],
)
def test_the_list_for_which_a_report_is_due(last: date, due: date) -> None:
    """Case 36 of the text of 2024: five days or fewer to the end of the month put it off by a list (9.1)."""
    rules = chess_edition("fide-2024").on(STANDARD)
    assert rules.report_due_days is not None
    assert due_list(last, rules.report_due_days.value, rules) == due


def test_a_later_list_can_be_meant() -> None:
    rules = replace(chess_edition("fide-2009").on(STANDARD), list_months=Rule((1, 3, 5), "own 1"))
    assert list_after(date(2009, 12, 31), rules) == date(2010, 1, 1)
    assert list_after(date(2010, 1, 1), rules) == date(2010, 3, 1)
    assert list_after(date(2010, 1, 1), rules, 3) == date(2011, 1, 1)


def test_a_list_comes_out_only_on_the_first_of_its_months() -> None:
    rules = chess_edition("fide-2009").on(STANDARD)
    assert [
        day for day in (date(2010, 1, 1), date(2010, 1, 2), date(2010, 2, 1)) if is_list_day(day, rules)
    ] == [date(2010, 1, 1)]


def test_the_cut_off_of_a_list() -> None:
    """Seven days before the list in 2009, three in 2017; official events until the day before it (7.13)."""
    for edition, days in (("fide-2009", 7), ("fide-2017", 3)):
        rules, out = chess_edition(edition).on(STANDARD), date(2018, 5, 1)
        assert is_in_time(out - timedelta(days=days), out, rules)
        assert not is_in_time(out - timedelta(days=days - 1), out, rules)
        assert is_in_time(out - timedelta(days=1), out, rules, official=True)
        assert not is_in_time(out, out, rules, official=True)


@pytest.mark.parametrize(
    ("day", "after", "half"),
    [
        (date(2025, 6, 29), False, date(2025, 6, 30)),
        (date(2025, 6, 30), False, date(2025, 6, 30)),
        (date(2025, 6, 30), True, date(2025, 12, 31)),
        (date(2025, 12, 31), True, date(2026, 6, 30)),
    ],
)
def test_draughts_lists_come_out_at_the_end_of_a_half_year(day: date, *, after: bool, half: date) -> None:
    assert half_year_end(day, after=after) == half


def test_the_end_of_a_half_year_itself_counts_unless_a_later_one_is_meant() -> None:
    assert half_year_end(date(2025, 6, 30)) == date(2025, 6, 30)
    assert half_year_end(date(2025, 6, 30), after=True) == date(2025, 12, 31)


@pytest.mark.parametrize(
    ("day", "closes"),
    [
        (date(2025, 12, 31), True),
        (date(2025, 12, 30), False),
        (date(2025, 6, 30), False),
        (date(2025, 10, 31), False),
    ],
)
def test_the_list_of_december_closes_the_draughts_year(day: date, *, closes: bool) -> None:
    assert closes_year(day) is closes
