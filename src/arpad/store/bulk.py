"""Very many rows read at once: plain tuples, past the layers that a page's few rows can afford."""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from typing import Any

from sqlalchemy import Connection, Select


@contextmanager
def uncollected() -> Iterator[None]:
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


ASKED = 500
"""Numbers that one question names."""


def fetched(connection: Connection, query: Select[Any]) -> list[Any]:
    """All rows of a question as the driver gives them; for columns of numbers, texts and bytes."""
    with connection.execute(query) as result:
        return list(result.cursor.fetchall()) if result.cursor is not None else []


def asked(numbers: Iterable[int], size: int = ASKED) -> Iterator[list[int]]:
    """Numbers, so many at a time, in order."""
    rest = iter(sorted(numbers))
    while some := list(islice(rest, size)):
        yield some
