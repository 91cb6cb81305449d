"""Tournaments registered before they start."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import date
from typing import Any, NamedTuple

from sqlalchemy import Connection, func, select

from arpad.model.rules import ListName
from arpad.store.bulk import add_numbered, fetch_rows
from arpad.store.schema import events, report_statuses, reports


def add_event(connection: Connection, row: Mapping[str, Any]) -> int:
    """Append an event; return its number."""
    return add_numbered(connection, events, row)


class EventReport(NamedTuple):
    """A report of a registered tournament, as far as deadlines ask about it."""

    report: int
    received: date
    list: ListName
    status: str


_LATEST = (
    select(report_statuses.c.report, func.max(report_statuses.c.id).label("latest"))
    .group_by(report_statuses.c.report)
    .subquery()
)
_REPORTS = (
    select(reports.c.event, reports.c.id, reports.c.received, reports.c.list, report_statuses.c.status)
    .join(_LATEST, _LATEST.c.report == reports.c.id)
    .join(report_statuses, report_statuses.c.id == _LATEST.c.latest)
    .where(reports.c.event.is_not(None))
    .order_by(reports.c.id)
)


def reports_of_events(connection: Connection) -> dict[int, list[EventReport]]:
    """Return the reports of all registered tournaments, by tournament."""
    by_event: dict[int, list[EventReport]] = {}
    for event, number, received, its_list, status in fetch_rows(connection, _REPORTS):
        report = EventReport(number, date.fromisoformat(received), ListName(its_list), status)
        by_event.setdefault(event, []).append(report)
    return by_event


def registered_events(connection: Connection, days: Collection[str] | None = None) -> list[dict[str, Any]]:
    """Return the registered events, only those that begin on some days if given."""
    query = select(events).order_by(events.c.id)
    query = query if days is None else query.where(events.c.first_day.in_(days))
    return [dict(row) for row in connection.execute(query).mappings()]


def upcoming_events(connection: Connection, day: date, most: int) -> list[dict[str, Any]]:
    """Return the registered events that end on a day or later, those that begin first at the beginning."""
    query = select(events).where(events.c.last_day >= str(day)).order_by(events.c.first_day, events.c.id)
    return [dict(row) for row in connection.execute(query.limit(most)).mappings()]
