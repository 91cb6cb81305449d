"""Editions in turn and the days of lists: each list is asked of the edition of its own day."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

import pytest

from arpad.model.rules import CHESS_LISTS, ListName, Rule
from arpad.regulations.calendar import always, by_date, editions_in, following_list, in_turn, list_in_force
from arpad.regulations.editions import CHESS, chess_edition, dated, in_force

STANDARD = ListName.STANDARD


@pytest.mark.parametrize("on_list", CHESS_LISTS)
def test_by_date_is_the_edition_in_force(on_list: ListName) -> None:
    editions = by_date(on_list)
    begins = [one.starts(on_list) for one in dated(CHESS, on_list)]
    for day in (day + timedelta(more) for day in begins for more in (0, 1, 40)):
        assert editions(day) is in_force(CHESS, on_list, day)
    assert editions(begins[0] - timedelta(1)) is editions(begins[0])  # before the first, the first


def test_an_edition_takes_its_turn_on_the_day_it_begins_for_the_list() -> None:
    first, second = chess_edition("fide-2014"), chess_edition("fide-2017")
    late = replace(second, begins={STANDARD: Rule(date(2018, 1, 1), "own 1")})
    assert in_turn(STANDARD, [late, first])(date(2017, 12, 31)) is first
    assert in_turn(STANDARD, [late, first])(date(2018, 1, 1)) is late
    assert in_turn(ListName.RAPID, [late, first])(date(2017, 12, 31)) is late


def test_the_editions_that_take_turns() -> None:
    edition = chess_edition("fsi-2012")
    assert editions_in(always(edition)) == (edition,)
    assert always(edition)(date(1990, 1, 1)) is edition
    assert editions_in(by_date(STANDARD)) == tuple(dated(CHESS, STANDARD))
    assert editions_in(lambda _: edition) == ()


def test_monthly_lists_begin_with_the_edition_of_2012() -> None:
    """Two months apart until May 2012; July is in both calendars; from then on every month has a list (7.11, 7.3)."""
    editions = by_date(STANDARD)
    days = [date(2012, 1, 1)]
    while days[-1] < date(2012, 9, 1):
        days.append(following_list(days[-1], STANDARD, editions))
    assert [day.month for day in days] == [1, 3, 5, 7, 8, 9]
    assert list_in_force(date(2012, 6, 30), STANDARD, editions) == date(2012, 5, 1)
    assert list_in_force(date(2012, 8, 31), STANDARD, editions) == date(2012, 8, 1)
    assert following_list(date(2012, 7, 31), STANDARD, editions) == date(2012, 8, 1)


def test_a_calendar_that_changes_is_that_of_each_lists_own_day() -> None:
    """Lists of April and October from 2020 on, every month before: after December 2019 comes April 2020."""
    old = chess_edition("fide-2017")
    rules = replace(old.on(STANDARD), list_months=Rule((4, 10), "own 1"))
    new = replace(old, id="half-years", effective=date(2020, 1, 1), lists={STANDARD: rules})
    editions = in_turn(STANDARD, [old, new])
    assert following_list(date(2019, 12, 1), STANDARD, editions) == date(2020, 4, 1)
    assert list_in_force(date(2020, 3, 15), STANDARD, editions) == date(2019, 12, 1)
