"""Many rows at once: plain values, past the layers that a page's few rows can afford.

They are asked for and entered in one statement or, on PostgreSQL, by COPY; millions of them go in batches.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

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
"""Numbers that one question names."""


def id_batches(numbers: Iterable[int]) -> Iterator[list[int]]:
    """Numbers in order, as many at a time as one question names."""
    return batches(sorted(numbers), ASKED)


def fetch_rows(connection: Connection, query: Select[Any]) -> list[Any]:
    """All rows of a question as the driver gives them; for columns of numbers, texts and bytes."""
    with connection.execute(query) as result:
        return list(result.cursor.fetchall()) if result.cursor is not None else []


def in_values(
    connection: Connection, column: ColumnElement[Any], values: Iterable[Any]
) -> ColumnElement[bool]:
    """That a column holds one of thousands of values, which go to the driver as one."""
    if connection.dialect.name == "postgresql":
        return column == any_(literal(list(values), ARRAY(column.type)))
    listed = func.json_each(literal(json.dumps(list(values)), String)).table_valued("value")
    return column.in_(select(listed.c.value))


def texts_in_pairs(connection: Connection, pairs: Iterable[tuple[str, str]]) -> FromClause:
    """Thousands of pairs of texts as a table with the columns ``one`` and ``other``, which go to the driver as one."""
    if connection.dialect.name == "postgresql":
        ones, others = zip(*pairs, strict=True)
        columns = (literal(list(texts), ARRAY(String)) for texts in (ones, others))
        return func.unnest(*columns).table_valued("one", "other").render_derived()
    listed = func.json_each(literal(json.dumps(list(pairs)), String)).table_valued("value")
    one, other = (func.json_extract(listed.c.value, f"$[{place}]") for place in (0, 1))
    return select(one.label("one"), other.label("other")).subquery()


def add_rows(
    connection: Connection, table: Table, names: Sequence[str], rows: Iterable[Sequence[Any]]
) -> None:
    """Enter rows, each with the values of the named columns in order."""
    columns = ", ".join(f'"{name}"' for name in names)
    if connection.dialect.name == "postgresql":
        driver: Any = connection.connection.driver_connection
        with driver.cursor() as cursor, cursor.copy(f"COPY {table.name} ({columns}) FROM STDIN") as copy:
            for row in rows:
                copy.write_row(row)
        return
    filled = [tuple(row) for row in rows]
    if filled:
        marks = ", ".join("?" * len(names))
        connection.exec_driver_sql(f"INSERT INTO {table.name} ({columns}) VALUES ({marks})", filled)  # noqa: S608  names of our own tables
