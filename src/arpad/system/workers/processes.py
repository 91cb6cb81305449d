"""Parts done in processes of this machine."""

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
from typing import Any, Self

from arpad.system.workers import AHEAD, Done, Task, in_flight

DEATHS = 3
"""After so many pools that broke, everything is done here."""

_loaded: dict[str, Any] = {}
"""In a worker: what was shared last, by its file."""


def _in_worker(work: Callable[[Any, Any], Any], file: str, task: Any) -> Any:
    if file not in _loaded:
        _loaded.clear()
        _loaded[file] = pickle.loads(Path(file).read_bytes())  # noqa: S301  written by the parent for us
    return work(_loaded[file], task)


def end_with_parent() -> None:
    """In a worker: end when the process that began it does, however that came about."""
    threading.Thread(target=_wait_for_parent, daemon=True).start()


def _wait_for_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


class Processes:
    """Some processes of this machine; what is shared goes through a file that each of them reads once."""

    def __init__(self, count: int) -> None:
        self.count = count
        self._folder = tempfile.TemporaryDirectory(prefix="arpad-")
        self._pool: ProcessPoolExecutor | None = None
        self._files = 0
        self._deaths = 0

    def __enter__(self) -> Self:
        """Ready; the processes start with the first part."""
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
    def sharing(self, value: Any) -> Iterator[tuple[Any, Path]]:
        """A file of our own; the value itself stays at hand for parts that are lost."""
        self._files += 1
        file = Path(self._folder.name) / f"{self._files}"
        file.write_bytes(pickle.dumps(value, protocol=pickle.HIGHEST_PROTOCOL))
        try:
            yield value, file
        finally:
            file.unlink(missing_ok=True)

    def each(self, work: Callable[[Any, Task], Done], shared: Any, tasks: Iterable[Task]) -> Iterator[Done]:
        """Several at a time; after a death the lost parts are done here, and new processes start with the next."""
        value, file = shared

        def begin(task: Task) -> tuple[ProcessPoolExecutor | None, Future[Done] | None]:
            if self._deaths >= DEATHS:
                return None, None
            if self._pool is None:
                # not forked: a copy of a process with threads, such as those that read ahead, may hang
                spawned = multiprocessing.get_context("spawn")
                self._pool = ProcessPoolExecutor(self.count, spawned, end_with_parent)
            try:
                return self._pool, self._pool.submit(_in_worker, work, str(file), task)
            except BrokenProcessPool:
                return self._pool, None

        def end(task: Task, begun: tuple[ProcessPoolExecutor | None, Future[Done] | None]) -> Done:
            pool, future = begun
            try:
                if future is not None:
                    return future.result()
            except BrokenProcessPool:
                pass
            if pool is not None and pool is self._pool:  # the others of a broken pool are lost with it
                self._deaths += 1
                self._stop()
            return work(value, task)

        return in_flight(tasks, begin, end, self.count * AHEAD)
