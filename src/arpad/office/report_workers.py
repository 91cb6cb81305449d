"""Prepare many reports in parallel processes, while others are being stored."""

from __future__ import annotations

import multiprocessing
import os
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, TypeVar

from sqlalchemy import Connection

from arpad.model.errors import BadInput
from arpad.office.office import Office
from arpad.office.prepare_reports import BatchOptions, Outcome, PreparedBatch, ReportFile
from arpad.reports.name_candidates import load_packages
from arpad.store.bulk import map_file
from arpad.store.database import Store, open_store
from arpad.store.register_names import RegisterNames, adopt_names, load_names
from arpad.system.batches import batches, gc_paused
from arpad.system.workers import can_fork, end_with_parent

if TYPE_CHECKING:
    from arpad.store.register_numbers import RegisterNumbers

Progress = Callable[[int], None]
"""Called with the number of reports that are stored."""

T = TypeVar("T", ReportFile, int)
Prepare = Callable[[Connection, Sequence[T], BatchOptions], PreparedBatch]

REPORTS_PER_TASK = 120
"""Reports that a process prepares together, at most."""

_FEWEST_PER_TASK = 20
_TASKS = 4
"""Tasks for each process at least: so all end at nearly the same time."""

FEW_REPORTS = 60
"""Up to this number of reports, no other processes are started."""


def number_of_processes(requested: int | None, reports: int) -> int:
    """Return how many processes to use: those requested, else one for each core; one for few reports."""
    if requested is not None and requested < 1:
        raise BadInput("bad-form", option="processes", value=str(requested), accepted="1, 2, 3 …")
    return 1 if reports <= FEW_REPORTS else requested or os.cpu_count() or 1


def prepare_in_order(
    office: Office,
    prepare: Prepare[T],
    items: Iterable[T],
    options: BatchOptions,
    processes: int,
    count: int,
) -> Generator[tuple[T, Outcome, int], None, None]:
    """Prepare items in order: yield each with its outcome and the last act known to it; only a few are in progress.

    ``count`` is the number of items.
    """
    per_task = min(REPORTS_PER_TASK, max(_FEWEST_PER_TASK, count // (_TASKS * processes)))
    waiting: deque[tuple[list[T], Future[PreparedBatch] | None]] = deque()

    def finish_first() -> Iterator[tuple[T, Outcome, int]]:
        batch, future = waiting.popleft()
        prepared = _result(future) or _prepare_inline(office, prepare, batch, options)
        for item, outcome in zip(batch, prepared.outcomes, strict=True):
            yield item, outcome, prepared.last_act

    with ExitStack() as stack:
        pool = stack.enter_context(_pool(office, options, processes)) if processes > 1 else None
        for batch in batches(items, per_task):
            waiting.append((batch, _start(pool, prepare, batch)))
            if pool is None or len(waiting) > 2 * processes:
                yield from finish_first()
        while waiting:
            yield from finish_first()


def _prepare_inline(
    office: Office, prepare: Prepare[T], batch: Sequence[T], options: BatchOptions
) -> PreparedBatch:
    with office.store.reading() as connection, gc_paused():
        return prepare(connection, batch, options)


def _start(
    pool: ProcessPoolExecutor | None, prepare: Prepare[T], batch: Sequence[T]
) -> Future[PreparedBatch] | None:
    try:
        return pool.submit(prepare_in_worker, prepare, batch) if pool is not None else None
    except BrokenProcessPool:
        return None


def _result(future: Future[PreparedBatch] | None) -> PreparedBatch | None:
    """Return what another process prepared; None if it died: then the work is done here."""
    try:
        return future.result() if future is not None else None
    except BrokenProcessPool:
        return None


@contextmanager
def _pool(office: Office, options: BatchOptions, processes: int) -> Iterator[ProcessPoolExecutor]:
    """Start processes; forked, to share the loaded modules and columns of the register, unless threads are running.

    No connection may be open meanwhile: SQLite's locks do not survive a fork.
    """
    register = None
    if forked := can_fork():
        from arpad.store.register_numbers import load_numbers

        with office.store.reading() as connection, gc_paused():
            register = load_names(connection), load_numbers(connection)
    office.store.engine.dispose()
    load_packages()
    url = office.store.engine.url.render_as_string(hide_password=False)
    context = multiprocessing.get_context("fork" if forked else "spawn")
    pool = ProcessPoolExecutor(processes, context, _start_worker, (url, options, register))
    try:
        yield pool
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


# ----------------------------------------------------------------------------------------- in another process

_worker: list[tuple[Store, BatchOptions]] = []
"""In a worker process: the database and the options of all its tasks."""


def _start_worker(
    url: str, options: BatchOptions, register: tuple[RegisterNames, RegisterNumbers | None] | None
) -> None:
    """Open the database in a new process, which ends with its parent, and keep what it has loaded of the register."""
    end_with_parent()
    store = open_store(url)
    if register is not None:
        from arpad.store.register_numbers import adopt_numbers

        names, numbers = register
        adopt_names(store.engine, names)
        adopt_numbers(store.engine, numbers)
    _worker[:] = [(store, options)]


def prepare_in_worker(prepare: Prepare[T], batch: Sequence[T]) -> PreparedBatch:
    """Prepare some reports in a worker process."""
    store, options = _worker[0]
    with store.reading() as connection, gc_paused():
        map_file(connection)
        return prepare(connection, batch, options)
