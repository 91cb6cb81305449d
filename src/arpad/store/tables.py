"""All tables with all their rows, for backup, restore and export."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, LargeBinary, Table, func, insert, select

from arpad.store.fingerprint import VERSION_TABLE, stored_schema
from arpad.store.schema import META

TABLES = tuple(table.name for table in META.sorted_tables)
"""The names of all tables, in an order that their foreign keys allow."""


def columns(table: str, *, binary: bool) -> tuple[str, ...]:
    """Return the names of the columns that hold bytes, or of all others."""
    return column_names(META.tables[table], binary=binary)


def column_names(table: Table, *, binary: bool) -> tuple[str, ...]:
    """Return the names of a table's columns that hold bytes, or of all others."""
    return tuple(column.name for column in table.columns if isinstance(column.type, LargeBinary) == binary)


def stored_tables(connection: Connection) -> list[Table]:
    """Return the tables that a database has, which may be of an older schema, in an order that their keys allow."""
    return [table for table in stored_schema(connection).sorted_tables if table.name != VERSION_TABLE]


def rows(connection: Connection, table: str, names: Sequence[str] = ()) -> Iterator[dict[str, Any]]:
    """Yield all rows by primary key, with all columns or those named."""
    stored = META.tables[table]
    query = select(*(stored.c[name] for name in names)) if names else select(stored)
    query = query.order_by(*stored.primary_key.columns)
    result = connection.execute(query, execution_options={"yield_per": 1000})
    yield from (dict(row) for row in result.mappings())


def add(connection: Connection, table: Table, values: Sequence[Mapping[str, Any]]) -> None:
    """Insert rows."""
    connection.execute(insert(table), values)


def count(connection: Connection, table: str) -> int:
    """Return how many rows a table has."""
    return connection.execute(select(func.count()).select_from(META.tables[table])).scalar_one()
