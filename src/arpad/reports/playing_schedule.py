"""The playing schedule with which a tournament is registered (0.2): days, rounds and the times at which they start."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from itertools import pairwise

from arpad.model.errors import BadInput
from arpad.model.people import YEARS

MOST_DAYS = 200
MOST_ROUNDS = 30
"""Rounds of one day."""

EXAMPLE = "2026-03-01 15:00 19:30"
_TIME = re.compile(r"([01]?\d|2[0-3]):[0-5]\d", re.ASCII)
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)


@dataclass(frozen=True, slots=True)
class ScheduleDay:
    """A day of the schedule: how many rounds are played, and when they start if that is known."""

    day: date
    rounds: int
    times: tuple[str, ...] = ()

    @classmethod
    def read(cls, text: str) -> ScheduleDay:
        """Read a day and its times, as ``2026-03-01 15:00 19:30``, or its number of rounds, as ``2026-03-01 2``."""
        first, *rest = text.split() or [""]
        counted = len(rest) == 1 and rest[0].isascii() and rest[0].isdecimal() and len(rest[0]) <= 2  # noqa: PLR2004  at most MOST_ROUNDS
        times = () if counted else tuple(time.zfill(5) for time in rest)
        rounds = int(rest[0]) if counted else len(times)
        try:
            day = date.fromisoformat(first) if _DAY.fullmatch(first) else None
        except ValueError:
            day = None
        if (
            day is None
            or day.year not in YEARS
            or not 1 <= rounds <= MOST_ROUNDS
            or not all(map(_TIME.fullmatch, times))
            or list(times) != sorted(set(times))
        ):
            raise BadInput(
                "facts-value", option="schedule", key="schedule", value=text[:60],
                accepted=f"{EXAMPLE}, 2026-03-02 2",
            )  # fmt: skip
        return cls(day, rounds, times)

    def __str__(self) -> str:
        """Return the day as it is written in the facts."""
        return " ".join([str(self.day), *(self.times or [str(self.rounds)])])


def read_schedule(texts: Iterable[str]) -> tuple[ScheduleDay, ...]:
    """Return the days of a schedule; refuse a day that is no such text, and days that do not follow each other."""
    days = tuple(ScheduleDay.read(text) for text in texts if text.strip())
    for before, after in pairwise(days):
        if after.day <= before.day:
            raise BadInput("schedule-order", option="schedule", day=after.day, before=before.day)
    if len(days) > MOST_DAYS:
        raise BadInput("schedule-long", option="schedule", most=MOST_DAYS)
    return days


def schedule_within(texts: Iterable[str], first: date, last: date) -> tuple[str, ...]:
    """Return a schedule as the facts write it; refuse a day before the first or after the last of the tournament."""
    days = read_schedule(texts)
    for item in days:
        if not first <= item.day <= last:
            raise BadInput("schedule-outside", option="schedule", day=item.day, first=first, last=last)
    return tuple(map(str, days))
