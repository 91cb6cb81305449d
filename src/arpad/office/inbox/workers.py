"""Prepare many reports in parallel processes, while others are being stored."""

import gc
import multiprocessing
import os
import signal
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import chain, islice, repeat
from typing import Self, TypeVar

from sqlalchemy import Connection

from arpad.model.errors import BadInput
from arpad.office.inbox.prepare_reports import BatchOptions, Outcome, PreparedBatch, ReportFile
from arpad.office.office import Office
from arpad.office.register.name_rows import RegisterNames, adopt_names, load_names
from arpad.reports.name_candidates import load_packages
from arpad.store.bulk import map_file
from arpad.store.database import Store, open_store
from arpad.system.batches import gc_paused, run_ahead
from arpad.system.workers import can_fork, end_with_parent

T = TypeVar("T", ReportFile, int)
Prepare = Callable[[Connection, Sequence[T], BatchOptions], PreparedBatch]

REPORTS_PER_TASK = 500
"""Reports that a process prepares together, at most."""

_FEWEST_PER_TASK = 100
"""Fewer reports are not worth a task more: each task reads the rules of the office and blocks of the reference list."""

_IN_PROGRESS = 3
"""Tasks for each process that are not stored yet: so none waits for a task while a transaction is stored."""

_LESS_URGENT = 10
"""How much these processes give way to the one that stores, and to other programs of the machine."""

FEW_REPORTS = 60
"""Up to this number of reports, no other processes are started."""


def number_of_processes(requested: int | None, reports: int) -> int:
    """Return how many processes to use: those requested, else one for each core; one for few reports."""
    if requested is not None and requested < 1:
        raise BadInput("bad-form", option="processes", value=str(requested), accepted="1, 2, 3 …")
    return 1 if reports <= FEW_REPORTS else requested or os.cpu_count() or 1


class ReportWorkers:
    """Processes that prepare reports: they start with the first task and end with the context; if one, this process."""

    def __init__(self, office: Office, processes: int) -> None:
        """Start nothing yet."""
        self.office, self.processes = office, processes
        self._pool: ProcessPoolExecutor | None = None
        self._nothing_frozen = False

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """End the processes; tasks that none of them has begun are dropped."""
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)
            if self._nothing_frozen:  # a server has frozen what it loaded, and it stays so
                gc.unfreeze()

    def start(
        self, prepare: Prepare[T], batch: Sequence[T], options: BatchOptions
    ) -> Future[PreparedBatch] | None:
        """Start a task in another process; None if there is none, or if one has died."""
        if self.processes == 1:
            return None
        if self._pool is None:
            self._nothing_frozen = not gc.get_freeze_count()  # Python counts them all: only where it matters
            # The first task forks the processes, to share the loaded modules and the names of the register. No
            # connection may be open then: SQLite's locks do not survive a fork. If threads are running, they are not
            # forked; Polars starts some at its first work on columns, so nothing here may read columns.
            names = _load_names(self.office.store) if can_fork() else None
            self.office.store.engine.dispose()
            url = self.office.store.engine.url.render_as_string(hide_password=False)
            gc.freeze()  # or the collector of each process goes through all loaded modules, which copies their pages
            context = multiprocessing.get_context("fork" if can_fork() else "spawn")
            self._pool = ProcessPoolExecutor(self.processes, context, _start_worker, (url, names))
        try:
            return self._pool.submit(prepare_in_worker, prepare, batch, options)
        except BrokenProcessPool:
            return None

    def prepare_here(self, prepare: Prepare[T], batch: Sequence[T], options: BatchOptions) -> PreparedBatch:
        """Prepare some reports in this process."""
        with self.office.store.reading() as connection, gc_paused():
            return prepare(connection, batch, options)


def prepare_in_order(
    workers: ReportWorkers, prepare: Prepare[T], items: Iterable[T], options: BatchOptions, count: int
) -> Iterator[tuple[T, Outcome, int]]:
    """Prepare items in order: return each with its outcome and the last act known to it; only a few are in progress.

    ``count`` is the number of items. The first tasks are started by this call.
    """
    rest, sizes = iter(items), chain(_task_sizes(count, workers.processes), repeat(REPORTS_PER_TASK))
    tasks = iter(lambda: list(islice(rest, next(sizes))), [])
    most = _IN_PROGRESS * workers.processes + 1 if workers.processes > 1 else 1

    def finish(batch: list[T], future: Future[PreparedBatch] | None) -> Iterator[tuple[T, Outcome, int]]:
        prepared = _result(future) or workers.prepare_here(prepare, batch, options)
        pairs = zip(batch, prepared.outcomes, strict=True)
        return ((item, outcome, prepared.last_act) for item, outcome in pairs)

    with gc_paused():  # while processes are forked
        parts = run_ahead(tasks, lambda batch: workers.start(prepare, batch, options), finish, most)
    return chain.from_iterable(parts)


def _task_sizes(count: int, processes: int) -> Iterator[int]:
    """Yield how many reports each task has: fewer towards the end, so that all processes end at about the same time."""
    fewest = min(_FEWEST_PER_TASK, -(-count // processes))
    while count > 0:
        size = max(fewest, count // (2 * processes))
        if count - size < fewest // 2:
            size = count
        size = min(size, REPORTS_PER_TASK)
        yield size
        count -= size


def _result(future: Future[PreparedBatch] | None) -> PreparedBatch | None:
    """Return what another process prepared; None if it died: then the work is done here."""
    try:
        return future.result() if future is not None else None
    except BrokenProcessPool:
        return None


def _load_names(store: Store) -> RegisterNames:
    """Load the names of the register, and the modules that compare them."""
    load_packages()
    with gc_paused(), store.reading() as connection:
        map_file(connection)
        return load_names(connection)


_worker: list[Store] = []
"""In a worker process: the database."""


def _start_worker(url: str, names: RegisterNames | None) -> None:
    """Open the database in a new process, which ends with its parent, and keep the names that it has loaded."""
    end_with_parent()
    os.nice(_LESS_URGENT)
    os.environ["POLARS_MAX_THREADS"] = "1"  # there is a process for each core
    gc.enable()  # the parent pauses it when it forks
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # it may come while an officer is asked; the parent ends
    store = open_store(url)
    if names is not None:
        adopt_names(store.engine, names)
    _worker[:] = [store]


def prepare_in_worker(prepare: Prepare[T], batch: Sequence[T], options: BatchOptions) -> PreparedBatch:
    """Prepare some reports in a worker process."""
    with _worker[0].reading() as connection, gc_paused():
        map_file(connection)
        return prepare(connection, batch, options)
