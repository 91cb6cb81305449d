"""Thousands of rows at once: values go to the driver as they are, in one statement or, on PostgreSQL, by COPY."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import Connection, Table


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
