"""How what comes and goes is written: short transactions outside the ledger, moments as they are kept."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

from sqlalchemy import Connection

from arpad.office.office import Office


@contextmanager
def unlogged_transaction(office: Office) -> Iterator[Connection]:
    """A short transaction outside the ledger, which waits for other writers only a moment."""
    with office.store.noting() as connection:
        yield connection


def utc_now(office: Office) -> datetime:
    """Now."""
    return office.now().astimezone(UTC)


def iso_time(when: datetime) -> str:
    """A moment as it is kept."""
    return when.isoformat(timespec="seconds")
