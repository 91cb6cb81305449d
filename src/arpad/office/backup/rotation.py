"""Which nightly backups are kept, and on which day one is rehearsed."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date
from pathlib import Path
from typing import NamedTuple

from arpad.model.errors import BadInput

KEEP = "ARPAD_BACKUPS_KEEP"
"""The environment variable with the numbers of backups to keep, as ``7,5,12``."""


class Kept(NamedTuple):
    """How many backups are kept: the last of so many days, weeks and months."""

    daily: int = 7
    weekly: int = 5
    monthly: int = 12


def parse_kept(text: str) -> Kept:
    """Return the numbers of a text such as ``7,5,12``; the default if it is empty."""
    if not text:
        return Kept()
    if not re.fullmatch(r"\d{1,4},\d{1,4},\d{1,4}", text) or not any(map(int, text.split(","))):
        raise BadInput("bad-form", option="keep", value=text[:40], accepted="7,5,12")
    return Kept(*map(int, text.split(",")))


WEEK = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


def parse_day_of_week(text: str) -> int:
    """Return the number of a day of the week, Monday is 0."""
    if text.strip().lower() not in WEEK:
        raise BadInput("rehearsal-day", value=text[:20])
    return WEEK.index(text.strip().lower())


def days_kept(days: Iterable[date], kept: Kept) -> set[date]:
    """Return the days whose backups are kept: the last of each of the latest days, weeks and months that have one."""
    newest_first = sorted(days, reverse=True)
    chosen: set[date] = set()
    periods = ((kept.daily, date.toordinal), (kept.weekly, _week), (kept.monthly, _month))
    for most, period_of in periods:
        last_of_period: dict[object, date] = {}
        for day in newest_first:
            last_of_period.setdefault(period_of(day), day)
        chosen |= set(list(last_of_period.values())[:most])
    return chosen


def _week(day: date) -> tuple[int, int]:
    return day.isocalendar()[:2]


def _month(day: date) -> tuple[int, int]:
    return day.year, day.month


def newest_backup(folder: str) -> date | None:
    """Return the day of the newest nightly backup in a folder; None without a folder or a backup."""
    names = (path.stem.removeprefix("arpad-") for path in Path(folder).glob("arpad-*.zip")) if folder else ()
    return max((date.fromisoformat(name) for name in names if _DAY.fullmatch(name)), default=None)


_DAY = re.compile(r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d)")
