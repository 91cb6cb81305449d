"""Very many rows read at once: plain tuples, past the layers that a page's few rows can afford."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from sqlalchemy import Connection, Select

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
