"""Where work that falls into parts is done: here, in processes of this machine, or on a cluster (Dask).

Whoever hands out the parts does not know which. What all parts need is shared once; results come back in the order of
the parts; a part that is lost with its process is done again here. A worker that dies costs time and nothing else.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any, Protocol, TypeVar

Task = TypeVar("Task")
Done = TypeVar("Done")

AHEAD = 4
"""Parts that wait for each worker, so that none is idle and not all are under way at once."""


class Workers(Protocol):
    """A place where parts are done."""

    @property
    def count(self) -> int:
        """How many parts can be done at a time."""

    def sharing(self, value: Any) -> AbstractContextManager[Any]:
        """Bring what all parts need to the workers; what it gives is handed to ``each``."""

    def each(self, work: Callable[[Any, Task], Done], shared: Any, tasks: Iterable[Task]) -> Iterator[Done]:
        """``work(what is shared, task)`` for each task, in the order of the tasks."""


class InProcess:
    """In one process, the caller's own."""

    count = 1

    @contextmanager
    def sharing(self, value: Any) -> Iterator[Any]:
        """Nothing to be brought anywhere."""
        yield value

    def each(self, work: Callable[[Any, Task], Done], shared: Any, tasks: Iterable[Task]) -> Iterator[Done]:
        """One after the other."""
        return (work(shared, task) for task in tasks)


def in_flight(
    tasks: Iterable[Task], begin: Callable[[Task], Any], end: Callable[[Task, Any], Done], most: int
) -> Iterator[Done]:
    """Begin so many tasks ahead of the one whose end is waited for."""
    waiting: deque[tuple[Task, Any]] = deque()
    for task in tasks:
        waiting.append((task, begin(task)))
        if len(waiting) >= most:
            yield end(*waiting.popleft())
    while waiting:
        yield end(*waiting.popleft())


@contextmanager
def workers_of(jobs: int = 1, cluster: str | None = None) -> Iterator[Workers]:
    """The caller's process, so many others, or the cluster of an address."""
    if cluster is not None:
        from arpad.system.workers.cluster import connected  # Dask is slow to load, and an extra

        with connected(cluster) as workers:
            yield workers
    elif jobs > 1:
        from arpad.system.workers.processes import Processes

        with Processes(jobs) as processes:
            yield processes
    else:
        yield InProcess()
