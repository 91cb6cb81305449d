"""Delete what has expired: sessions, failed sign-ins, links for passwords, places, counts of requests."""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import Connection, delete, or_

from arpad.store.schema import counters, failures, known_places, password_links, sessions


def forget_expired(connection: Connection, now: str, before: Mapping[str, str], first_slot: int) -> int:
    """Delete what has expired; return how many rows.

    ``before`` has the times until which idle sessions, failures and places are deleted, ``first_slot`` is the first
    minute whose counts stay.
    """
    expired = (
        delete(sessions).where(or_(sessions.c.ends < now, sessions.c.seen < before["idle"])),
        delete(failures).where(failures.c.at <= before["failures"]),
        delete(password_links).where(password_links.c.ends < now),
        delete(known_places).where(known_places.c.seen < before["places"]),
        delete(counters).where(counters.c.slot < first_slot),
    )
    return sum(int(connection.execute(query).rowcount) for query in expired)
