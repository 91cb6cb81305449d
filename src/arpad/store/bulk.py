"""Read and write rows: many in one statement or, on PostgreSQL, by COPY.

The driver's plain values are used, without SQLAlchemy's row objects, which cost too much for millions of rows.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Any
from weakref import WeakKeyDictionary

from sqlalchemy import (
    ARRAY,
    ColumnElement,
    Connection,
    FromClause,
    Select,
    Table,
    any_,
    func,
    literal,
    select,
)
from sqlalchemy.types import String

from arpad.system.batches import batches

ASKED = 500
"""Numbers in one query."""

PARAMETERS = 500
"""Values in one statement that inserts rows; SQLite may be built to take no more than 999."""

FEW = 20
"""Up to this number, values are bound one by one, so that the database refuses a number that is too large."""


def id_batches(numbers: Iterable[int]) -> Iterator[list[int]]:
    """Yield numbers in order, as many at a time as one query takes."""
    return batches(sorted(numbers), ASKED)


def fetch_rows(connection: Connection, query: Select[Any]) -> list[Any]:
    """Return all rows of a query as the driver gives them; for columns of numbers, texts and bytes."""
    with connection.execute(query) as result:
        return list(result.cursor.fetchall()) if result.cursor is not None else []


def in_values(
    connection: Connection, column: ColumnElement[Any], values: Iterable[Any]
) -> ColumnElement[bool]:
    """Return the condition that a column has one of these values; more than a few are bound as one parameter."""
    values = list(values)
    if len(values) <= FEW:
        return column.in_(values)
    if connection.dialect.name == "postgresql":
        return column == any_(literal(values, ARRAY(column.type)))
    listed = func.json_each(literal(json.dumps(values), String)).table_valued("value")
    return column.in_(select(listed.c.value))


def texts_in_pairs(connection: Connection, pairs: Iterable[tuple[str, str]]) -> FromClause:
    """Return pairs of texts as a table with the columns ``first_text`` and ``second_text``, bound as one parameter."""
    if connection.dialect.name == "postgresql":
        first_texts, second_texts = zip(*pairs, strict=True)
        columns = (literal(list(texts), ARRAY(String)) for texts in (first_texts, second_texts))
        return func.unnest(*columns).table_valued("first_text", "second_text").render_derived()
    listed = func.json_each(literal(json.dumps(list(pairs)), String)).table_valued("value")
    first, second = (func.json_extract(listed.c.value, f"$[{index}]") for index in (0, 1))
    return select(first.label("first_text"), second.label("second_text")).subquery()


def add_rows(
    connection: Connection, table: Table, names: Sequence[str], rows: Iterable[Sequence[Any]]
) -> None:
    """Insert rows, each with the values of the named columns in order."""
    columns = ", ".join(f'"{name}"' for name in names)
    if connection.dialect.name == "postgresql":
        driver: Any = connection.connection.driver_connection
        with driver.cursor() as cursor, cursor.copy(f"COPY {table.name} ({columns}) FROM STDIN") as copy:
            for row in rows:
                copy.write_row(row)
        return
    for size, groups in _grouped(rows, PARAMETERS // len(names)):
        marks = ", ".join(["(" + ", ".join("?" * len(names)) + ")"] * size)
        connection.exec_driver_sql(f"INSERT INTO {table.name} ({columns}) VALUES {marks}", groups)  # noqa: S608  names of our own tables


def _grouped(rows: Iterable[Sequence[Any]], size: int) -> Iterator[tuple[int, list[tuple[Any, ...]]]]:
    """Yield the rows in their order: first joined in groups of a size, then each of the rest alone.

    SQLite inserts a narrow row in two thirds of the time if many come in one statement.
    """
    filled = list(rows)
    joined = len(filled) - len(filled) % size
    if joined:
        groups = (filled[start : start + size] for start in range(0, joined, size))
        yield size, [tuple(chain.from_iterable(group)) for group in groups]
    if filled[joined:]:
        yield 1, [tuple(row) for row in filled[joined:]]


def next_id(connection: Connection, table: Any) -> int:
    """Return the next number of a table whose rows are counted from one."""
    return (connection.execute(select(func.max(table.c.id))).scalar() or 0) + 1


_READ: WeakKeyDictionary[Connection, dict[Select[Any], list[Any]]] = WeakKeyDictionary()


def read_once(connection: Connection, query: Select[Any]) -> list[Any]:
    """Return the rows of a query; a reading transaction sees one moment, so it executes a query only once."""
    if not connection.get_execution_options().get("arpad_reading"):
        return list(connection.execute(query))
    read = _READ.setdefault(connection, {})
    if query not in read:
        read[query] = list(connection.execute(query))
    return read[query]
