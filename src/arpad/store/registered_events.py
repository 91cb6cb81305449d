"""Tournaments registered before they start."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from sqlalchemy import Connection, insert, select

from arpad.store.bulk import next_id
from arpad.store.schema import events


def add_event(connection: Connection, row: Mapping[str, Any]) -> int:
    """Append an event; return its number."""
    number = next_id(connection, events)
    connection.execute(insert(events), {**row, "id": number})
    return number


def registered_events(connection: Connection, days: Collection[str] | None = None) -> list[dict[str, Any]]:
    """Return the registered events, only those that begin on some days if given."""
    query = select(events).order_by(events.c.id)
    if days is not None:
        query = query.where(events.c.first_day.in_(days))
    return [dict(row) for row in connection.execute(query).mappings()]
