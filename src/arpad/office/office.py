"""The office as a value, and acts: everything that changes the office is one transaction with one row in the ledger."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy import Connection

from arpad.model.errors import BadInput
from arpad.office.features import load_tables
from arpad.office.parts import add_first_rows, fill_after_migration
from arpad.office.switches import SETTING
from arpad.store import ledger
from arpad.store.bulk import add_numbered, revoke
from arpad.store.database import Store, has_tables, new_store, open_store, refuse_other_tables, schema_version
from arpad.store.declared_tables import DeclaredTable, load_with
from arpad.store.fingerprint import upgrade
from arpad.store.settings import add_first_settings, read_setting
from arpad.store.written_rows import end_collecting
from arpad.system.event_log import log_event


def utc_now(office: Office) -> datetime:
    """Return the present time in UTC."""
    return office.now().astimezone(UTC)


def iso_time(moment: datetime) -> str:
    """Return a time as it is stored."""
    return moment.isoformat(timespec="seconds")


load_with(load_tables)

Clock = Callable[[], datetime]


def wall_clock() -> datetime:
    """Return the moment."""
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class Office:
    """An opened office: its database, its clock, and the author of what is done."""

    store: Store
    now: Clock = wall_clock
    author: str = ""
    rehearsing: bool = False
    """Whether acts are undone before they are stored, to show what they would do."""

    def close(self) -> None:
        """Close the database connections."""
        self.store.engine.dispose()


@dataclass(slots=True)
class ActContext:
    """An act in progress, inside its transaction."""

    connection: Connection
    seq: int
    today: date
    """The day in the federation's time zone."""

    office: Office
    """The office with the author of the act, its clock and its database."""

    details: dict[str, Any] = field(default_factory=dict)
    afterwards: Callable[[Connection], None] | None = None
    """Called in the same transaction once the act is in the ledger."""

    unchanged: bool = False
    """Whether a declared act found that there was nothing to do, so that the ledger gets no row."""

    def record(self, **details: Any) -> None:
        """Add details for the ledger; an act without details is not written to it.

        None leaves an argument of a declared act out, because another detail says the same.
        """
        self.details |= details

    def add(self, table: DeclaredTable, /, **row: Any) -> int:
        """Add a row of this act to a table; return its number."""
        return add_numbered(self.connection, table, {**row, "act": self.seq})

    def revoke(self, revocations: DeclaredTable, number: int) -> None:
        """Add a number to a table of revocations: this act revokes, undoes or removes its row."""
        revoke(self.connection, revocations, number, self.seq)


def init(
    database: str,
    *,
    federation: str = "",
    name: str = "",
    time_zone: str = "UTC",
    numbers: Iterable[str] = (),
    without: Iterable[str] = (),
    now: Clock = wall_clock,
    author: str = "office",
) -> Office:
    """Create an office in an empty database; ``database`` is a path or a URL.

    ``numbers`` are the schemes of players' numbers in reports, as ``fide``: at most one for each discipline.
    ``without`` are the features that the office does without (``office.features.features_left_out``).
    """
    known_zone(time_zone)
    with new_store(database) as store, store.writing() as connection:
        office = Office(store, now, author)
        if has_tables(connection):
            raise BadInput("office-exists", place=office.store.address)
        upgrade(connection)
        values = {"federation": federation, "name": name, "time_zone": time_zone}
        if off := " ".join(without):
            values[SETTING] = off
        add_first_settings(connection, values, 1)
        values |= add_first_rows(connection, {"numbers": list(numbers)})
        ledger.append(connection, utc(now()), author, "init", values, "")
    return office


def open_office(database: str, *, now: Clock = wall_clock, author: str = "") -> Office:
    """Open an office; ``database`` is a path, or a URL of SQLite or PostgreSQL."""
    return Office(open_store(database), now, author)


def migrate(database: str, *, now: Clock = wall_clock, author: str = "office") -> tuple[str, str]:
    """Upgrade an older database to the current schema; return the schema before and after."""
    store = open_store(database, to_migrate=True)
    try:
        with store.writing() as connection:
            refuse_other_tables(store.address, connection)
            return migrate_within(connection, now, author)
    finally:
        store.engine.dispose()


def migrate_within(connection: Connection, now: Clock, author: str) -> tuple[str, str]:
    """Upgrade a database inside the caller's transaction, with an act if its schema changes."""
    before = schema_version(connection)
    upgrade(connection)
    after = schema_version(connection)
    if after.revision != before.revision:
        fill_after_migration(connection)
        details = {"from": before.revision, "to": after.revision}
        ledger.append(connection, utc(now()), author, "migrate", details, "")
    return before.revision, after.revision


@contextmanager
def record_act(
    office: Office, verb: str, reason: str = "", *, reason_needed: bool = False
) -> Iterator[ActContext]:
    """Open a transaction that ends with one row in the ledger: everything inside is stored, or nothing.

    In an office that is rehearsing nothing is stored; the caller still returns what the act would have done.
    """
    author = signed_by(office)
    if reason_needed:
        require_reason(verb, reason)
    moment = office.now()
    with office.store.writing() as connection:
        act = ActContext(connection, ledger.next_seq(connection), local_day(connection, moment), office)
        yield act
        if office.rehearsing:
            end_collecting(connection)
            connection.rollback()
        elif act.details:
            ledger.append(connection, utc(moment), author, verb, act.details, reason.strip())
            if act.afterwards is not None:
                act.afterwards(connection)
    if act.details and not office.rehearsing:
        log_event("act", seq=act.seq, verb=verb)


def signed_by(office: Office) -> str:
    """Return the author; raise if there is none, since every act has one."""
    if not office.author.strip():
        raise BadInput("author-missing")
    return office.author.strip()


def require_reason(verb: str, reason: str) -> None:
    """Raise if an act that needs a reason has none."""
    if not reason.strip():
        raise BadInput("reason-missing", option="reason", verb=verb)


def today(office: Office, connection: Connection) -> date:
    """Return today's date in the federation's time zone."""
    return local_day(connection, office.now())


def local_day(connection: Connection, moment: datetime | str) -> date:
    """Return the date of a moment, perhaps as it is stored, in the federation's time zone."""
    return local_moment(connection, moment).date()


def local_moment(connection: Connection, moment: datetime | str) -> datetime:
    """Return a moment, perhaps as it is stored, in the federation's time zone."""
    at = datetime.fromisoformat(moment) if isinstance(moment, str) else moment
    return at.astimezone(known_zone(read_setting(connection, "time_zone") or "UTC"))


def utc(moment: datetime) -> str:
    """Return a moment as the ledger writes it, in UTC."""
    return moment.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def known_zone(name: str) -> ZoneInfo:
    """Return a time zone by its name; raise if there is none."""
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        raise BadInput("time-zone", option="time_zone", given=name) from None
