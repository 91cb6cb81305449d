"""Arbiters and deadlines as documents, for the command line and the API."""

from __future__ import annotations

from typing import Any

from arpad.model.arbiters import Arbiter
from arpad.office.registrations.deadlines import DatedDeadline, EventDeadlines


def arbiter_document(arbiter: Arbiter) -> dict[str, Any]:
    """Return an arbiter with all licences."""
    return {
        "arbiter": arbiter.id,
        "name": arbiter.name,
        "fide": arbiter.fide or None,
        "federation": arbiter.federation,
        "title": arbiter.title,
        "licences": [
            {"from": str(item.since), "until": str(item.until) if item.until else None}
            for item in arbiter.licences
        ],
    }


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
