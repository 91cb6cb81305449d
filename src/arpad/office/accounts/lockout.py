"""Lock-out after repeated failures, and the count of requests that all workers share."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import timedelta

from arpad.model.errors import BadInput
from arpad.model.retention import amount_of
from arpad.office.office import Office, iso_time, utc_now
from arpad.store import accounts as rows

log = logging.getLogger("arpad.security")

MOST_FAILURES = 5
MOST_FAILURES_PER_ADDRESS = 30
LOCKED_MINUTES = amount_of("failures")


@contextmanager
def limit_attempts(office: Office, key: str, address: str = "") -> Iterator[None]:
    """Allow one attempt at a password or code; it has failed if the body raises.

    The attempt is recorded before the password is verified, so that parallel attempts cannot exceed the limit. A
    successful attempt clears the failures of its key, and of its address only itself.
    """
    limits, at = count_attempt(office, key, address)
    yield
    with office.store.unlogged_writing() as connection:
        rows.clear_failures(connection, key, limits.keys(), at)


def count_attempt(office: Office, key: str, address: str = "") -> tuple[Mapping[str, int], str]:
    """Record an attempt; raise if there were too many. Return the limits that it counts for, and its time."""
    limits = {key: MOST_FAILURES}
    if address:
        limits[f"place {address}"] = MOST_FAILURES_PER_ADDRESS
    _refuse_locked(office, limits)
    at = utc_now(office).isoformat(timespec="microseconds")
    with office.store.unlogged_writing() as connection:
        rows.add_failures(connection, limits, at, _counted_since(office))
    _refuse_locked(office, limits, own_attempts=1)
    return limits, at


def _counted_since(office: Office) -> str:
    return iso_time(utc_now(office) - timedelta(minutes=LOCKED_MINUTES))


def _refuse_locked(office: Office, limits: Mapping[str, int], own_attempts: int = 0) -> None:
    since = _counted_since(office)
    with office.store.reading() as connection:
        for key, limit in limits.items():
            if rows.count_failures(connection, key, since) - own_attempts >= limit:
                log.warning("sign-in locked", extra={"key": key})
                raise BadInput("locked-out", minutes=LOCKED_MINUTES)
