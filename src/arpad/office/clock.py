"""The present time, and times as the account tables store them."""

from __future__ import annotations

from datetime import UTC, datetime

from arpad.office.office import Office


def utc_now(office: Office) -> datetime:
    """Return the present time in UTC."""
    return office.now().astimezone(UTC)


def iso_time(moment: datetime) -> str:
    """Return a time as it is stored."""
    return moment.isoformat(timespec="seconds")
