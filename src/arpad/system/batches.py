"""Many values at once: in batches, and without the cyclic garbage collector."""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from typing import TypeVar

T = TypeVar("T")


BATCH = 5_000


@contextmanager
def gc_paused() -> Iterator[None]:
    """While millions of rows are made, none of which refers to itself, nobody looks for rings among them.

    The collector would go through all of them again and again: a quarter of the time of a long list.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def batches(items: Iterable[T], size: int = BATCH) -> Iterator[list[T]]:
    """The items, so many at a time."""
    rest = iter(items)
    while batch := list(islice(rest, size)):
        yield batch
