"""Many values at once: in batches, several ahead, in threads, and without the cyclic garbage collector."""

import gc
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from itertools import islice
from typing import Any, TypeVar

T = TypeVar("T")
Result = TypeVar("Result")

BATCH = 5_000


def batches(items: Iterable[T], size: int = BATCH) -> Iterator[list[T]]:
    """Yield the items in lists of ``size``."""
    rest = iter(items)
    while batch := list(islice(rest, size)):
        yield batch


def run_ahead(
    items: Iterable[T], start: Callable[[T], Any], finish: Callable[[T, Any], Result], most: int
) -> Iterator[Result]:
    """Return ``finish(item, start(item))`` in order, with at most ``most`` items started and not finished.

    The first items are started by this call, so that they run while the caller does something else.
    """
    rest = iter(items)
    started = deque((item, start(item)) for item in islice(rest, most))

    def finished() -> Iterator[Result]:
        while started:
            yield finish(*started.popleft())
            started.extend((item, start(item)) for item in islice(rest, 1))

    return finished()


class InlineExecutor(Executor):
    """An executor for little work: it does the work when it is given, since a thread would take longer to start."""

    def submit(self, fn: Callable[..., Result], /, *args: Any, **kwargs: Any) -> Future[Result]:
        """Do a piece of work; return it as done."""
        done: Future[Result] = Future()
        done.set_result(fn(*args, **kwargs))
        return done


def thread_if(*, much: bool) -> Executor:
    """Return an executor that works in a thread if there is much to do, else at once."""
    return table_threads(1) if much else InlineExecutor()


def table_threads(count: int) -> ThreadPoolExecutor:
    """Return threads that work with tables.

    Polars loads NumPy when it first needs it, and two threads that make it do so at once may fail: it is made to here.
    """
    with suppress(ImportError):  # without NumPy, Polars does not need it
        import numpy as np
        import polars as pl

        pl.Series(np.empty(0))
    return ThreadPoolExecutor(count)


@contextmanager
def gc_paused() -> Iterator[None]:
    """Pause the cyclic garbage collector while creating millions of acyclic rows.

    It would go through all of them again and again: a quarter of the time of a long list.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
