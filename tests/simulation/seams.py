"""The seams: where Arpad meets the system, the simulated world takes its place.

Time, threads and chance come from the scheduler; every SQL statement, commit, file and network command is a place
where a task gives way, fails or is killed. Nothing in Arpad knows of it.
"""

import fcntl
import os
import secrets
import smtplib
import sqlite3
import ssl
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime, tzinfo
from functools import partial
from typing import Any, Self
from unittest.mock import patch

from sqlalchemy import Engine, event
from sqlalchemy.engine.default import DefaultDialect
from sqlalchemy.pool import Pool

from arpad.office.drafts import publish
from arpad.office.lists import page_rows as rating_counts
from arpad.office.register import name_rows as register_names
from arpad.office.webhooks import worker as webhooks
from arpad.store import database, ledger
from arpad.system import atomic_files
from arpad.worker import kinds, loop
from tests.simulation.faults import Faults
from tests.simulation.network import Network, SimulatedMailSession
from tests.simulation.scheduler import Scheduler, SimulatedEvent, SimulatedLock, SimulatedThread

POLL_SECONDS = 15.0
UNLIMITED_PAGES = 1 << 30


class Seams:
    """The database, the files and the ledger, as tasks reach them."""

    def __init__(self, scheduler: Scheduler, faults: Faults, network: Network) -> None:
        self.scheduler = scheduler
        self.faults = faults
        self.network = network
        self.committed: list[str] = []
        """The digests of the ledger's rows in the order of their commits."""

        self.after_commit: list[Callable[[], None]] = []
        """Work of a planted defect after the next commit."""

        self._writer: tuple[sqlite3.Connection, Any] | None = None

    # ---------------------------------------------------------------------------------------------------- database

    def connected(self, connection: sqlite3.Connection, _record: object) -> None:
        connection.execute("PRAGMA synchronous = OFF")  # a kill does not lose what the system has
        task = self.scheduler.current()
        if task is not None:
            task.process.connections.append(connection)

    def connecting(self, *_: object) -> None:
        if self.scheduler.current() is not None:
            self.scheduler.pause("connect")
            self.faults.refuse_database()

    def executing(self, connection: Any, _cursor: object, statement: str, *_: object) -> None:
        if self.scheduler.current() is None:
            return
        self.scheduler.pause("statement")
        self.faults.refuse_database()
        if statement == "BEGIN IMMEDIATE":
            raw = connection.connection.dbapi_connection
            self._wait_for_writer(connection)
            self._limit_pages(raw)
            task = self.scheduler.current()
            assert task is not None
            task.rows.clear()
            self._writer = (raw, task.process)

    def _wait_for_writer(self, connection: Any) -> None:
        """Wait for the other writer as SQLite does, and then say that the database is locked."""
        noting = connection.get_execution_options().get("arpad_noting", False)
        seconds = database.NOTE_WAIT_SECONDS if noting else database.WAIT_SECONDS
        until = self.scheduler.monotonic + seconds
        while not self._is_free():
            left = until - self.scheduler.monotonic
            if left <= 0:
                raise sqlite3.OperationalError("database is locked")
            self.scheduler.wait(self._is_free, left, "writer")
        self.faults.refuse_database()

    def _is_free(self) -> bool:
        if self._writer is None:
            return True
        connection, process = self._writer
        try:
            return not process.alive or not connection.in_transaction
        except sqlite3.ProgrammingError:  # closed since
            return True

    def _limit_pages(self, connection: sqlite3.Connection) -> None:
        """Let the file not grow while the disk is full: SQLite itself then says so."""
        most = UNLIMITED_PAGES
        if self.faults.disk_is_full:
            ((most,),) = connection.execute("PRAGMA page_count").fetchall()
        connection.execute(f"PRAGMA max_page_count = {most}").fetchall()

    def commit(self, original: Callable[..., None], dialect: object, connection: Any) -> None:
        """Commit; a process can be killed before or after, and the answer can be lost with the database."""
        task = self.scheduler.current()
        if task is None:
            original(dialect, connection)
            return
        self.scheduler.pause("commit")
        self.faults.refuse_database()
        original(dialect, connection)
        self.committed += task.rows
        task.rows.clear()
        self.scheduler.pause("committed")
        self.faults.refuse_database()
        later, self.after_commit = self.after_commit, []
        for work in later:
            work()

    def roll_back(self, original: Callable[..., None], dialect: object, connection: Any) -> None:
        """Roll back; the next commit, perhaps of a reading transaction, does not store these acts."""
        original(dialect, connection)
        task = self.scheduler.current()
        if task is not None:
            task.rows.clear()

    def seal_act(
        self, original: Callable[..., tuple[int | str, ...]], writer: ledger.LedgerWriter, *act: Any
    ) -> tuple[int | str, ...]:
        row = original(writer, *act)
        task = self.scheduler.current()
        if task is not None:
            task.rows.append(str(row[-1]))
        return row

    # ------------------------------------------------------------------------------------------------------- files

    def fsync(self, original: Callable[[int], None], handle: int) -> None:
        if self.scheduler.current() is not None:
            self.scheduler.pause("fsync")
            self.faults.refuse_file()
        original(handle)

    def replace(self, original: Callable[..., None], source: Any, target: Any, **more: Any) -> None:
        inside = self.scheduler.current() is not None
        if inside:
            self.scheduler.pause("replace")
            self.faults.refuse_file()
        original(source, target, **more)
        if inside:
            self.scheduler.pause("replaced")

    def flock(self, original: Callable[[int, int], None], handle: int, operation: int) -> None:
        original(handle, operation)
        task = self.scheduler.current()
        if task is not None and operation & fcntl.LOCK_EX:  # a file that is being written
            task.process.locked_files.append((handle, os.fstat(handle).st_ino))


class _AtOnce:
    """An executor that does its work at once."""

    def __init__(self, _workers: int = 1) -> None:
        pass

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def submit(self, work: Callable[..., Any], *arguments: Any) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            future.set_result(work(*arguments))
        except Exception as error:  # noqa: BLE001  whoever asks for the result gets it
            future.set_exception(error)
        return future


def simulated_datetime(scheduler: Scheduler) -> type[datetime]:
    """Return a class like ``datetime`` whose present time is the scheduler's."""

    class AnyDatetime(type):
        def __instancecheck__(cls, value: object) -> bool:
            return isinstance(value, datetime)

    class SimulatedDatetime(datetime, metaclass=AnyDatetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> datetime:  # type: ignore[override]
            return scheduler.now().astimezone(tz or UTC)

    return SimulatedDatetime


@contextmanager
def installed(scheduler: Scheduler, faults: Faults, network: Network) -> Iterator[Seams]:
    """Put the simulated world in the place of the system until the end of the block."""
    seams = Seams(scheduler, faults, network)
    chance = scheduler.random
    with ExitStack() as stack:

        def put(place: Any, name: str, value: Any) -> None:
            stack.enter_context(patch.object(place, name, value))

        def around(place: Any, name: str, method: Callable[..., Any]) -> None:
            original = getattr(place, name)
            put(place, name, lambda *given, **more: method(original, *given, **more))

        clock = simulated_datetime(scheduler)
        for name, module in sorted(sys.modules.items()):
            if name.startswith("arpad.") and getattr(module, "datetime", None) is datetime:
                put(module, "datetime", clock)
        for module in (secrets, atomic_files):
            put(module, "token_hex", lambda size=32: chance.randbytes(size).hex())
        put(loop, "Thread", partial(SimulatedThread, scheduler))
        for module in (loop, kinds):
            put(module, "Event", partial(SimulatedEvent, scheduler))
            put(module, "monotonic", lambda: scheduler.monotonic)
        put(loop, "Lock", partial(SimulatedLock, scheduler))
        put(loop, "POLL_SECONDS", POLL_SECONDS)
        put(rating_counts._LAST_COUNTS, "_lock", SimulatedLock(scheduler))
        put(register_names, "_LOCK", SimulatedLock(scheduler))
        put(publish, "ThreadPoolExecutor", _AtOnce)
        put(smtplib, "SMTP", partial(SimulatedMailSession, network))
        put(ssl, "create_default_context", lambda: None)  # the simulated server speaks no TLS
        put(webhooks, "post", network.post)
        for owner, name, seam in (
            (os, "fsync", seams.fsync),
            (os, "replace", seams.replace),
            (fcntl, "flock", seams.flock),
            (DefaultDialect, "do_commit", seams.commit),
            (DefaultDialect, "do_rollback", seams.roll_back),
            (ledger.LedgerWriter, "_sealed", seams.seal_act),
        ):
            around(owner, name, seam)
        for target, name, listener in (
            (Pool, "connect", seams.connected),
            (Engine, "do_connect", seams.connecting),
            (Engine, "before_cursor_execute", seams.executing),
        ):
            event.listen(target, name, listener)
            stack.callback(event.remove, target, name, listener)
        yield seams
