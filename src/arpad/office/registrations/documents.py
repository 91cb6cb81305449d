"""Deadlines as documents, for the command line and the API."""

from __future__ import annotations

from typing import Any

from arpad.office.registrations.deadlines import DatedDeadline, EventDeadlines


def event_document(event: EventDeadlines) -> dict[str, Any]:
    """Return a registered tournament with its deadlines."""
    return {
        "event": event.event,
        "name": event.name,
        "city": event.city,
        "federation": event.federation,
        "first_day": str(event.first_day),
        "last_day": str(event.last_day),
        "state": event.state,
        "reason": event.reason,
        "schedule": list(event.schedule),
        "reports": list(event.reports),
        "deadlines": [_deadline_document(item) for item in event.deadlines],
    }


def _deadline_document(item: DatedDeadline) -> dict[str, Any]:
    return {
        "what": str(item.deadline.kind),
        "day": str(item.deadline.day),
        "article": item.deadline.article,
        "state": str(item.state),
        "done": str(item.done) if item.done else None,
    }
