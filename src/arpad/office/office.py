"""The office as a value, and what every act has in common: one transaction, one row of the ledger."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy import Connection

from arpad.model.errors import BadInput
from arpad.store import ledger
from arpad.store.database import Store, has_tables, new_store, open_store, schema_revision
from arpad.store.settings import add_settings, load_setting

Clock = Callable[[], datetime]


def _wall_clock() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class Office:
    """An opened office: the database, the clock, and who is at the desk."""

    store: Store
    now: Clock = _wall_clock
    author: str = ""

    def close(self) -> None:
        """Leave the database; what was done is kept."""
        self.store.engine.dispose()


@dataclass(slots=True)
class ActContext:
    """An act under way."""

    connection: Connection
    seq: int
    today: date
    """In the federation's time zone."""

    details: dict[str, Any] = field(default_factory=dict)

    def record(self, **details: Any) -> None:
        """What the ledger will say of it; an act that records nothing has done nothing."""
        self.details |= details


def init(
    place: str,
    *,
    federation: str = "",
    name: str = "",
    time_zone: str = "UTC",
    now: Clock = _wall_clock,
    author: str = "office",
) -> Office:
    """Make a new office in an empty database."""
    from arpad.store.migrate import upgrade

    known_zone(time_zone)
    with new_store(place) as store, store.writing() as connection:
        office = Office(store, now, author)
        if has_tables(connection):
            raise BadInput("office-exists", place=office.store.place)
        upgrade(connection)
        about = {"federation": federation, "name": name, "time_zone": time_zone}
        add_settings(connection, about, act=1)
        ledger.append(connection, utc(now()), author, "init", about, "")
    return office


def open_office(place: str, *, now: Clock = _wall_clock, author: str = "") -> Office:
    """The office in a database: a path, or a URL of SQLite or PostgreSQL."""
    return Office(open_store(place), now, author)


def migrate(place: str, *, now: Clock = _wall_clock, author: str = "office") -> tuple[str, str]:
    """Bring an older database to the present schema; gives the schema before and after."""
    from arpad.store.migrate import upgrade

    store = open_store(place, to_migrate=True)
    try:
        with store.writing() as connection:
            before = schema_revision(connection) or ""
            upgrade(connection)
            after = schema_revision(connection) or ""
            if after != before:
                details = {"from": before, "to": after}
                ledger.append(connection, utc(now()), author, "migrate", details, "")
    finally:
        store.engine.dispose()
    return before, after


@contextmanager
def record_act(
    office: Office, verb: str, reason: str = "", *, reason_needed: bool = False
) -> Iterator[ActContext]:
    """Do something that stays: everything inside, and its row of the ledger, or nothing."""
    author = signed_by(office)
    if reason_needed and not reason.strip():
        raise BadInput("reason-missing", verb=verb)
    moment = office.now()
    with office.store.writing() as connection:
        doing = ActContext(connection, ledger.next_seq(connection), local_day(connection, moment))
        yield doing
        if doing.details:
            ledger.append(connection, utc(moment), author, verb, doing.details, reason.strip())


def signed_by(office: Office) -> str:
    """Who is at the desk; nothing is done without a name."""
    if not office.author.strip():
        raise BadInput("author-missing")
    return office.author.strip()


def today(office: Office, connection: Connection) -> date:
    """The day in the federation's time zone."""
    return local_day(connection, office.now())


def local_day(connection: Connection, moment: datetime) -> date:
    """A moment's day in the federation's time zone."""
    return moment.astimezone(known_zone(load_setting(connection, "time_zone") or "UTC")).date()


def utc(moment: datetime) -> str:
    """A moment as the ledger writes it."""
    return moment.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def known_zone(name: str) -> ZoneInfo:
    """A time zone by its name."""
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        raise BadInput("time-zone", given=name) from None
