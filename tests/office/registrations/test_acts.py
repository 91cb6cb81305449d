"""Registrations of tournaments (0.2): with a schedule, changed, refused, cancelled, and in force again."""

from collections.abc import Callable
from datetime import date
from functools import partial

import pytest

from arpad.model.errors import BadInput
from arpad.office.office import Office
from arpad.office.registrations.acts import (
    cancel_registration,
    change_registration,
    refuse_registration,
    register_event,
    reinstate_registration,
)
from arpad.office.registrations.deadlines import event_deadlines
from tests.builders.chess import event
from tests.builders.offices import WIN, Desk, listed
from tests.builders.verbs import accept, ledger, report_detail, verify

FIRST, LAST = date(2018, 5, 5), date(2018, 5, 6)


@pytest.fixture
def office(desk: Desk) -> Office:
    """An office with a registration of two days, on each database."""
    desk.list(date(2018, 1, 1), listed(1, 2000), listed(2, 1900))
    desk.on(date(2018, 4, 1))
    register_event(
        desk.office, "Open", first_day=FIRST, last_day=LAST, federation="ITA",
        schedule=["2018-05-05 15:00", "2018-05-06 9:30 14:30"],
    )  # fmt: skip
    return desk.office


def codes(office: Office, report: int) -> set[str]:
    return {finding.code for finding in report_detail(office, report).findings}


def test_a_registration_has_a_schedule_and_changes(office: Office) -> None:
    (present,) = event_deadlines(office)
    assert present.schedule == ("2018-05-05 15:00", "2018-05-06 09:30 14:30")
    later = partial(
        change_registration, office, 1, name="Open 2018", first_day=LAST, schedule=["2018-05-06 3"]
    )
    later(reason="the hall is taken")
    (shown,) = event_deadlines(office, everything=True)
    assert (shown.name, shown.first_day, shown.schedule) == ("Open 2018", LAST, ("2018-05-06 3",))
    assert shown.reason == "the hall is taken"
    assert {str(it.what): it.done for it in shown.deadlines}["registration"] == date(2018, 4, 1)
    acts = len(list(ledger(office)))
    later()  # nothing differs
    assert len(list(ledger(office))) == acts
    assert verify(office).intact


@pytest.mark.parametrize(
    ("schedule", "code"),
    [
        (["2018-05-07 1"], "schedule-outside"),
        (["2018-05-06 1", "2018-05-05 1"], "schedule-order"),
        (["2018-05-05 25:00"], "facts-value"),
        (["2018-05-05"], "facts-value"),
        (["2018-05-05 0"], "facts-value"),
        (["2018-05-05 15:00 14:00"], "facts-value"),
        (["tomorrow 2"], "facts-value"),
    ],
)
def test_a_wrong_schedule_is_refused(office: Office, schedule: list[str], code: str) -> None:
    with pytest.raises(BadInput, match=code):
        register_event(office, "Other", first_day=FIRST, last_day=LAST, schedule=schedule)
    with pytest.raises(BadInput, match=code):
        change_registration(office, 1, schedule=schedule)


def test_a_report_is_compared_with_the_schedule_as_it_is_now(desk: Desk, office: Office) -> None:
    report = desk.send(event("Open", WIN, FIRST, LAST)).report  # one round
    assert "schedule-rounds" in codes(office, report)
    change_registration(office, 1, schedule=["2018-05-05 1"])
    assert {"schedule-days"} == {code for code in codes(office, report) if code.startswith("schedule")}
    change_registration(office, 1, schedule=[""])
    assert not {code for code in codes(office, report) if code.startswith("schedule")}


@pytest.mark.parametrize(
    ("end", "code"),
    [(refuse_registration, "registration-refused"), (cancel_registration, "registration-cancelled")],
)
def test_a_refused_or_cancelled_registration_counts_no_more(
    desk: Desk, office: Office, end: Callable[..., object], code: str
) -> None:
    report = desk.send(event("Open", WIN, FIRST, LAST)).report
    end(office, 1, reason="no arbiter")
    (shown,) = event_deadlines(office, everything=True)
    assert (shown.state, shown.reason, shown.deadlines) == (
        code.removeprefix("registration-"),
        "no arbiter",
        (),
    )
    assert event_deadlines(office) == []
    assert code in codes(office, report)
    with pytest.raises(BadInput, match="report-has-errors"):
        accept(office, report)
    with pytest.raises(BadInput, match="event-not-in-force"):
        end(office, 1, reason="again")
    with pytest.raises(BadInput, match="event-not-in-force"):
        change_registration(office, 1)
    reinstate_registration(office, 1, reason="an arbiter was found")
    assert code not in codes(office, report)
    assert event_deadlines(office)[0].state == "registered"
    with pytest.raises(BadInput, match="event-in-force"):
        reinstate_registration(office, 1, reason="again")
    accept(office, report)
    assert verify(office).intact


def test_a_new_report_finds_the_registration_that_is_in_force(desk: Desk, office: Office) -> None:
    register_event(office, "Open", first_day=FIRST, last_day=LAST, federation="ITA")
    cancel_registration(office, 2, reason="entered twice")
    report = desk.send(event("Open", WIN, FIRST, LAST)).report
    assert "registration-cancelled" not in codes(office, report)
    assert event_deadlines(office)[0].reports == (report,)


def test_a_report_with_the_new_first_day_is_linked(desk: Desk, office: Office) -> None:
    change_registration(office, 1, first_day=date(2018, 6, 2), last_day=date(2018, 6, 3), schedule=[""])
    report = desk.send(event("Open", WIN, date(2018, 6, 2), date(2018, 6, 3))).report
    assert event_deadlines(office)[0].reports == (report,)
    assert "registration-unknown" not in codes(office, report)
