"""Deadlines that come near: those of the next days, not those that are met, overdue or far."""

from datetime import UTC, date, datetime, timedelta

import pytest

from arpad.office.mail.worker import write_mail
from arpad.office.registrations.acts import near_deadlines, queue_deadlines, register_event
from arpad.office.registrations.deadlines import DatedDeadline, DeadlineState, EventDeadlines
from arpad.office.users import Role
from arpad.regulations.fide.deadlines import DeadlineKind
from arpad.store.jobs import Job, JobState
from tests.builders.offices import Desk
from tests.builders.verbs import all_settings
from tests.office.mail.mail_office import add_person, mails_of, set_up_mail

NOW = date(2026, 11, 16)
MOMENT = datetime(2026, 11, 16, tzinfo=UTC)
ANY_JOB = Job("deadline-mails", "nightly", {}, JobState.RUNNING, MOMENT, 1, 1, "", "", MOMENT)


def event(days: int, state: DeadlineState) -> EventDeadlines:
    day = NOW + timedelta(days=days)
    done = NOW if state in (DeadlineState.MET, DeadlineState.LATE) else None
    deadline = DatedDeadline(DeadlineKind.ARBITER_REPORT, day, "9.1", state, done)
    return EventDeadlines(1, "Open", "", "", NOW, NOW, (), (deadline,))


@pytest.mark.parametrize(
    ("days", "state", "is_near"),
    [
        (0, DeadlineState.OPEN, True),
        (3, DeadlineState.OPEN, True),
        (4, DeadlineState.OPEN, False),
        (-1, DeadlineState.OVERDUE, False),
        (2, DeadlineState.MET, False),
    ],
)
def test_only_open_deadlines_of_the_next_days_are_near(
    days: int, state: DeadlineState, is_near: bool
) -> None:
    assert bool(near_deadlines([event(days, state)], NOW)) == is_near


def test_an_officer_is_told_once_which_deadline_comes_near(sqlite_desk: Desk) -> None:
    office = sqlite_desk.office
    set_up_mail(office, 25)
    add_person(office, "anna", Role.OFFICER)
    add_person(office, "ugo")
    sqlite_desk.on(date(2018, 4, 29))
    register_event(office, "Open", first_day=date(2018, 5, 5), last_day=date(2018, 5, 6), federation="ITA")
    sqlite_desk.on(date(2018, 5, 12))
    for _ in range(2):
        queue_deadlines(office, ANY_JOB)
    (mail,) = mails_of(office)
    message = write_mail(office, mail.payload, mail.key, all_settings(office))
    assert (message["To"], message["Subject"]) == ("anna@example.org", "Deadline on 13 May 2018: Open")
    text = message.get_body(("plain",))
    assert text is not None
    assert text.get_content().startswith("Open: report by the arbiter, by 13 May 2018.")
