"""Very many rows at once: plain tuples in and out, past the layers that a page's few rows can afford."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, TypeVar

from sqlalchemy import Connection, Select, Table

T = TypeVar("T")

ROWS = 20_000
"""Rows that are sent to the database together."""

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


def added(connection: Connection, table: Table, rows: Iterable[Sequence[Any]]) -> None:
    """Enter rows whose values stand in the order of the table's columns."""
    names = ", ".join(f'"{column.name}"' for column in table.columns)
    if connection.dialect.name == "postgresql":
        cursor = connection.connection.cursor()
        with cursor.copy(f'COPY "{table.name}" ({names}) FROM STDIN') as copy:  # type: ignore[attr-defined]
            for row in rows:
                copy.write_row(row)
        return
    marks = ", ".join("?" * len(table.columns))
    statement = f'INSERT INTO "{table.name}" ({names}) VALUES ({marks})'  # noqa: S608  our own tables
    rest = iter(rows)
    while some := list(islice(rest, ROWS)):
        connection.exec_driver_sql(statement, [tuple(row) for row in some])
