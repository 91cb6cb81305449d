"""Deadlines that come near: those of the next days, not those that are met, overdue or far."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from arpad.office.deadlines import DatedDeadline, DeadlineState, EventDeadlines
from arpad.regulations.chess.deadlines import Deadline, DeadlineKind
from arpad.worker.deadline_mails import near_deadlines

NOW = date(2026, 11, 16)


def event(days: int, state: DeadlineState) -> EventDeadlines:
    day = NOW + timedelta(days=days)
    done = NOW if state in (DeadlineState.MET, DeadlineState.LATE) else None
    deadline = DatedDeadline(Deadline(DeadlineKind.ARBITER_REPORT, day, "9.1"), state, done)
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
