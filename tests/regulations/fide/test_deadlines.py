"""The deadlines of a tournament, each day by hand."""

from datetime import date

import pytest

from arpad.model.rules import ListName
from arpad.regulations.editions import CHESS_EDITIONS, in_force
from arpad.regulations.fide.deadlines import deadlines_of

STANDARD, RAPID = ListName.STANDARD, ListName.RAPID


def told(
    first: date, last: date, on_list: ListName = STANDARD, *, norms: bool = False
) -> list[tuple[str, date, str]]:
    rules = in_force(CHESS_EDITIONS, on_list, first).on(on_list)
    return [
        (str(item.kind), item.day, item.article) for item in deadlines_of(first, last, rules, norms=norms)
    ]


def test_an_event_of_2018_has_days_for_arbiter_and_federation() -> None:
    days = told(date(2018, 5, 10), date(2018, 5, 13), norms=True)
    assert days == [
        ("norms", date(2018, 4, 10), "0.2"),
        ("registration", date(2018, 5, 3), "0.2"),
        ("arbiter-report", date(2018, 5, 20), "9.1"),
        ("federation-report", date(2018, 6, 12), "9.1"),
    ]


@pytest.mark.parametrize(
    ("last", "due"),
    [
        (date(2024, 5, 20), date(2024, 5, 31)),
        (date(2024, 5, 26), date(2024, 6, 30)),
        (date(2024, 5, 25), date(2024, 5, 31)),
    ],
)
def test_an_event_of_2024_is_due_for_a_list(last: date, due: date) -> None:
    days = told(date(2024, 5, 18), last)
    assert ("due-list", due, "9.1") in days
    # the third list after the end is that of August: its last day in time is 31 July
    assert days[-1] == ("last-list", date(2024, 7, 31), "9.1")
    assert days[0][0] == "registration"


def test_a_rapid_event_is_registered_three_days_before() -> None:
    assert told(date(2024, 5, 18), date(2024, 5, 18), RAPID)[0][:2] == ("registration", date(2024, 5, 15))
