"""Tournaments registered before they start."""

from collections.abc import Collection
from datetime import date
from typing import Any, NamedTuple

from sqlalchemy import Connection, func, select

from arpad.model.rules import ListName
from arpad.office.parts import Choice
from arpad.office.registrations.tables import event_changes
from arpad.office.reports.tables import REGISTERED, events, report_statuses, reports
from arpad.store.bulk import cached_until_act, fetch_rows


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


REFUSED, CANCELLED = "refused", "cancelled"

_LATEST_CHANGE = (
    select(event_changes.c.event, func.max(event_changes.c.id).label("latest"))
    .group_by(event_changes.c.event)
    .subquery()
)
_NOW = {
    name: func.coalesce(event_changes.c[name], events.c[name]).label(name)
    for name in ("name", "city", "federation", "first_day", "last_day", "facts", "act")
} | {"state": func.coalesce(event_changes.c.state, REGISTERED).label("state")}
"""The columns of a registration as they are now."""

_EVENTS = (
    select(events.c.id, events.c.registered, *_NOW.values())
    .outerjoin(_LATEST_CHANGE, _LATEST_CHANGE.c.event == events.c.id)
    .outerjoin(event_changes, event_changes.c.id == _LATEST_CHANGE.c.latest)
)


def registered_event(connection: Connection, number: int) -> dict[str, Any] | None:
    """Return a registration as it is now; None if there is none with this number."""
    row = connection.execute(_EVENTS.where(events.c.id == number)).mappings().first()
    return dict(row) if row else None


def registered_events(connection: Connection, days: Collection[str] | None = None) -> list[dict[str, Any]]:
    """Return the registrations as they are now, with their states, only those that begin on some days if given."""
    query = _EVENTS.order_by(events.c.id)
    query = query if days is None else query.where(_NOW["first_day"].in_(days))
    return [dict(row) for row in connection.execute(query).mappings()]


def tournament_choices(reading: Any, text: str) -> list[Choice]:
    """Return the registered tournaments of the reader's federations with a number or a name, the newest first."""
    return [
        Choice(str(it["id"]), it["name"], ", ".join(filter(None, (it["city"], it["first_day"]))))
        for it in reversed(registered_events(reading.connection))
        if text == str(it["id"]) or text.casefold() in it["name"].casefold()
        if reading.caller.officer_of(it["federation"])
    ]


@cached_until_act
def upcoming_events(connection: Connection, day: date, most: int) -> list[dict[str, Any]]:
    """Return the registrations in force that end on a day or later, those that begin first at the beginning."""
    query = _EVENTS.where(_NOW["last_day"] >= str(day), _NOW["state"] == REGISTERED)
    query = query.order_by(_NOW["first_day"], events.c.id)
    return [dict(row) for row in connection.execute(query.limit(most)).mappings()]


def federations_of(connection: Connection, kind: str) -> dict[int, str]:
    """Return the federation of each registered tournament."""
    return (
        {event["id"]: event["federation"] for event in registered_events(connection)}
        if kind == "event"
        else {}
    )
