"""A list comes out on the next day of its calendar; on another day only as a special list, with a reason."""

from datetime import date

import pytest

from arpad.model.errors import BadInput
from arpad.model.rules import ListName
from arpad.office.drafts.procedures import next_list_day
from tests.builders.chess import event
from tests.builders.offices import STANDARD, WIN, Desk, listed
from tests.builders.verbs import draft, ledger, publications, publish, verify

JAN, FEB, MAR = (date(2025, month, 1) for month in (1, 2, 3))
MISTYPED = date(2027, 2, 1)


@pytest.fixture
def begun(sqlite_desk: Desk) -> Desk:
    """An office with the list of January 2025, taken over, in February."""
    sqlite_desk.list(JAN, listed(1, 2000), listed(2, 1900))
    sqlite_desk.on(date(2025, 2, 1))
    return sqlite_desk


def test_a_mistyped_year_is_refused_and_closes_nothing(begun: Desk) -> None:
    acts = ledger(begun.office)

    with pytest.raises(BadInput, match="not-next-list") as refused:
        publish(begun.office, STANDARD, MISTYPED)
    assert refused.value.facts["following"] == FEB
    assert draft(begun.office, STANDARD, MISTYPED).special

    assert ledger(begun.office) == acts
    assert publish(begun.office, STANDARD, FEB).number == 2


def test_a_month_is_skipped_only_by_a_special_list(begun: Desk) -> None:
    begun.on(MAR)
    with pytest.raises(BadInput, match="not-next-list"):
        publish(begun.office, STANDARD, MAR)
    with pytest.raises(BadInput, match="reason-missing"):
        publish(begun.office, STANDARD, MAR, special=True)

    publish(begun.office, STANDARD, MAR, special=True, reason="no list in February: office moved")

    act = ledger(begun.office)[-1]
    assert (act.verb, act.facts["special"]) == ("publish", True)
    assert act.reason == "no list in February: office moved"
    assert verify(begun.office).intact


def test_a_special_list_may_come_out_on_any_day_and_the_calendar_goes_on(begun: Desk) -> None:
    begun.report(event("Match", WIN, date(2025, 1, 5)))
    special = publish(begun.office, STANDARD, date(2025, 1, 20), special=True, reason="Olympiad")
    # 2000 beats 1900 with K 20: 0.36 x 20 = 7.2, so 2007; cut-off of seven days before 20 January is kept
    assert begun.rating(1, date(2025, 1, 20)) == 2007
    assert special.number == 2
    assert publish(begun.office, STANDARD, FEB).number == 3
    assert "special" not in ledger(begun.office)[-1].facts
    assert verify(begun.office).intact


def test_the_first_list_has_any_day_of_the_calendar_up_to_the_next(sqlite_desk: Desk) -> None:
    sqlite_desk.on(date(2025, 1, 20))
    with pytest.raises(BadInput, match="not-next-list"):
        publish(sqlite_desk.office, STANDARD, MISTYPED)
    assert not draft(sqlite_desk.office, STANDARD, date(2024, 11, 1)).special
    assert not draft(sqlite_desk.office, STANDARD, FEB).special


def test_the_calendar_is_that_of_the_edition_in_force(sqlite_desk: Desk) -> None:
    """Every two months until July 2012, every month since (7.11 of 2009, 7.3 of July 2012)."""
    sqlite_desk.list(date(2012, 3, 1), listed(1, 2000), listed(2, 1900))
    for day in (date(2012, 5, 1), date(2012, 7, 1), date(2012, 8, 1)):
        with pytest.raises(BadInput, match=r"not-next-list|off-calendar"):
            publish(sqlite_desk.office, STANDARD, day.replace(month=day.month + 1))
        publish(sqlite_desk.office, STANDARD, day)


def test_draughts_lists_have_any_day_up_to_the_next_half_year(sqlite_desk: Desk) -> None:
    """The lists of 30 June and 31 December are the regular ones; the one of December closes the year."""
    sqlite_desk.on(date(2025, 2, 3))
    italiana = ListName.ITALIANA
    for day in (date(2025, 12, 31), MISTYPED):
        with pytest.raises(BadInput, match="not-next-list"):
            publish(sqlite_desk.office, italiana, day)
    publish(sqlite_desk.office, italiana, date(2025, 1, 31), empty=True, reason="new office")
    publish(sqlite_desk.office, italiana, date(2025, 6, 30))
    publish(sqlite_desk.office, italiana, date(2025, 12, 31), special=True, reason="season ended")
    assert [p.day.month for p in publications(sqlite_desk.office)] == [1, 6, 12]


def test_the_draughts_list_that_comes_next_follows_the_last_one(sqlite_desk: Desk) -> None:
    """The form must not leave out a year's end because nobody published for two years."""
    sqlite_desk.on(date(2025, 1, 2))
    publish(sqlite_desk.office, ListName.ITALIANA, date(2024, 12, 31), empty=True, reason="new office")
    (last,) = publications(sqlite_desk.office)
    with sqlite_desk.office.store.reading() as connection:
        following = next_list_day(connection, ListName.ITALIANA, last, date(2026, 11, 15))
    assert following == date(2025, 6, 30)
