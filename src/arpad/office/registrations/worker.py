"""Tell officers of deadlines that come near, or have just passed."""

from __future__ import annotations

from datetime import date

from arpad.office.mails import mail_is_set_up, queue_for_user
from arpad.office.office import Office, today
from arpad.office.registrations.deadlines import DatedDeadline, DeadlineState, EventDeadlines, event_deadlines
from arpad.store.jobs import Job
from arpad.store.mails import active_choices

NEAR_DAYS = 3
OFFICER = "officer"


def near_deadlines(events: list[EventDeadlines], now: date) -> list[tuple[EventDeadlines, DatedDeadline]]:
    """Return the tournaments whose next deadline is at most some days away, each with it."""
    near = []
    for event in events:
        waiting = event.next
        if waiting is None or waiting.state is not DeadlineState.OPEN:
            continue
        if 0 <= (waiting.day - now).days <= NEAR_DAYS:
            near.append((event, waiting))
    return near


def queue_deadlines(office: Office, _job: Job) -> None:
    """Queue one mail to each officer for each deadline that is near, once for each deadline."""
    with office.store.reading() as connection:
        now = today(office, connection)
        if not mail_is_set_up(connection):
            return
    near = near_deadlines(event_deadlines(office), now)
    with office.store.unlogged_writing() as connection:
        for choice in active_choices(connection, [OFFICER]):
            for event, deadline in near:
                queue_for_user(
                    connection, choice, "deadline", path="/desk/events", event=event.name, day=str(deadline.day),
                    deadline=str(deadline.what), key=f"deadline-{event.event}-{deadline.day}-{choice.user}",
                )  # fmt: skip
