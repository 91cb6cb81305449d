"""How often somebody may guess a password or a code: too often, and the door stays shut for a while."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import timedelta

from sqlalchemy import delete, func, insert, select

from arpad.accounts.tables import failures
from arpad.accounts.transactions import iso_time, unlogged_transaction, utc_now
from arpad.model.errors import BadInput
from arpad.office.office import Office

log = logging.getLogger("arpad.security")

MOST_FAILURES = 5
MOST_FAILURES_FROM_ONE_PLACE = 30
LOCKED_MINUTES = 15


@contextmanager
def limit_attempts(office: Office, whose: str, place: str = "") -> Iterator[None]:
    """One guess; it is wrong if the body raises, right if it ends.

    It counts before anybody looks whether it is right, so that many at the same moment get no further than one after
    the other. A right one is not held against anybody, and clears the login; of the place only itself.
    """
    most = {whose: MOST_FAILURES}
    if place:
        most[f"place {place}"] = MOST_FAILURES_FROM_ONE_PLACE
    _refuse_locked(office, most)
    at = utc_now(office).isoformat(timespec="microseconds")
    with unlogged_transaction(office) as connection:
        connection.execute(delete(failures).where(failures.c.at <= _counted_since(office)))
        connection.execute(insert(failures), [{"key": key, "at": at} for key in most])
    _refuse_locked(office, most, mine=1)
    yield
    with unlogged_transaction(office) as connection:
        this = (failures.c.key.in_(most)) & (failures.c.at == at)
        connection.execute(delete(failures).where((failures.c.key == whose) | this))


def _counted_since(office: Office) -> str:
    return iso_time(utc_now(office) - timedelta(minutes=LOCKED_MINUTES))


def _refuse_locked(office: Office, most: Mapping[str, int], mine: int = 0) -> None:
    since = _counted_since(office)
    with office.store.reading() as connection:
        for key, bound in most.items():
            query = select(func.count()).where(failures.c.key == key, failures.c.at > since)
            if (connection.execute(query).scalar() or 0) - mine >= bound:
                log.warning("sign-in locked", extra={"key": key})
                raise BadInput("locked-out", minutes=LOCKED_MINUTES)
