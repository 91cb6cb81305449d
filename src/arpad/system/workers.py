"""Workers that run tasks: in this process, or in processes of this machine.

The caller does not know which. A value that all tasks need is broadcast once; results come back in the order of the
tasks; a task that is lost with its process is repeated in this one. A worker that dies costs time and nothing else.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing.connection import wait
from pathlib import Path
from typing import Any, Self, TypeVar

from arpad.system.batches import run_ahead

Task = TypeVar("Task")
Result = TypeVar("Result")

QUEUED = 4
"""Tasks that wait for each worker, so that none is idle and not all are under way at once."""

MOST_CRASHES = 3
"""After this number of broken pools all tasks run in this process."""


@contextmanager
def open_workers(jobs: int = 1) -> Iterator[InProcess | Processes]:
    """Open ``jobs`` processes of this machine; one job needs no other process."""
    if jobs > 1:
        with Processes(jobs) as processes:
            yield processes
    else:
        yield InProcess()


class InProcess:
    """Run all tasks in the caller's process."""

    count = 1

    @contextmanager
    def broadcast(self, value: Any) -> Iterator[Any]:
        """Return the value itself."""
        yield value

    def map(
        self, work: Callable[[Any, Task], Result], shared: Any, tasks: Iterable[Task]
    ) -> Iterator[Result]:
        """Run one task after the other."""
        return (work(shared, task) for task in tasks)


# ------------------------------------------------------------------------------------- processes of this machine


class Processes:
    """Run tasks in processes of this machine; a broadcast value goes through a file that each of them reads once."""

    def __init__(self, count: int) -> None:
        self.count = count
        self._folder = tempfile.TemporaryDirectory(prefix="arpad-")
        self._pool: ProcessPoolExecutor | None = None
        self._files = 0
        self._crashes = 0

    def __enter__(self) -> Self:
        """Return itself; the processes start with the first task."""
        return self

    def __exit__(self, *_: object) -> None:
        """End the processes."""
        self._stop()
        self._folder.cleanup()

    def _stop(self) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)
            self._pool = None

    @contextmanager
    def broadcast(self, value: Any) -> Iterator[tuple[Any, Path]]:
        """Write the value to a file; the value itself is kept for tasks that are lost."""
        self._files += 1
        file = Path(self._folder.name) / f"{self._files}"
        file.write_bytes(pickle.dumps(value, protocol=pickle.HIGHEST_PROTOCOL))
        try:
            yield value, file
        finally:
            file.unlink(missing_ok=True)

    def map(
        self, work: Callable[[Any, Task], Result], shared: Any, tasks: Iterable[Task]
    ) -> Iterator[Result]:
        """Run several tasks at a time; after a crash the lost ones run here, and the next one starts new processes."""
        value, file = shared

        def start(task: Task) -> tuple[ProcessPoolExecutor | None, Future[Result] | None]:
            if self._crashes >= MOST_CRASHES:
                return None, None
            if self._pool is None:
                self._pool = spawned_pool(self.count)
            try:
                return self._pool, self._pool.submit(_run_in_worker, work, str(file), task)
            except BrokenProcessPool:
                return self._pool, None

        def finish(task: Task, started: tuple[ProcessPoolExecutor | None, Future[Result] | None]) -> Result:
            pool, future = started
            try:
                if future is not None:
                    return future.result()
            except BrokenProcessPool:
                pass
            if pool is not None and pool is self._pool:  # the other tasks of a broken pool are lost with it
                self._crashes += 1
                self._stop()
            return work(value, task)

        return run_ahead(tasks, start, finish, self.count * QUEUED)


def spawned_pool(count: int) -> ProcessPoolExecutor:
    """Return a pool of new processes that end with this one.

    They are not forked: a copy of a process with threads may hang, and one made during a transaction may disturb it.
    """
    return ProcessPoolExecutor(count, multiprocessing.get_context("spawn"), _begin_worker)


def can_fork() -> bool:
    """Return whether this process can be copied: it runs no threads whose locks the copy would wait for.

    Polars starts threads of its own at its first work on columns.
    """
    if threading.active_count() > 1 or "fork" not in multiprocessing.get_all_start_methods():
        return False
    try:
        names = [path.read_text() for path in Path("/proc/self/task").glob("*/comm")]
    except OSError:
        return False
    return bool(names) and not any(name.startswith("polars-") and name[7:8].isdigit() for name in names)


_broadcast: dict[str, Any] = {}
"""In a worker: the value that was broadcast last, by its file."""


def _run_in_worker(work: Callable[[Any, Any], Any], file: str, task: Any) -> Any:
    if file not in _broadcast:
        _broadcast.clear()
        _broadcast[file] = pickle.loads(Path(file).read_bytes())  # noqa: S301  written by the parent for us
    return work(_broadcast[file], task)


def _begin_worker() -> None:
    """Let Polars use one thread, since there is a process for each core, and end with the parent."""
    os.environ.setdefault("POLARS_MAX_THREADS", "1")
    end_with_parent()


def end_with_parent() -> None:
    """End this worker process when its parent ends, even if the parent is killed."""
    threading.Thread(target=_wait_for_parent, daemon=True).start()


def _wait_for_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)
