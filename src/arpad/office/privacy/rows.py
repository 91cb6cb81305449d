"""Every row of the database that names a player by number: found by the schema, so that no table is left out."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from sqlalchemy import Column, Connection, or_, select

from arpad.office.register.tables import name_keys, players
from arpad.store.declared_tables import whole_schema


def _naming(table_columns: Iterator[Column[Any]]) -> list[Column[Any]]:
    """Return the columns that contain a player's number: references to the register, and columns of that name."""
    return [
        column
        for column in table_columns
        if column.name == "player" or any(key.column is players.c.id for key in column.foreign_keys)
    ]


def rows_naming(connection: Connection, numbers: Collection[int]) -> dict[str, list[dict[str, Any]]]:
    """Return the rows that name some players, by table, each as its columns; tables without such rows are left out."""
    found = {"players": _rows(connection, select(players).where(players.c.id.in_(numbers)))}
    for table in whole_schema().sorted_tables:
        columns = _naming(iter(table.c))
        if columns and table.name != name_keys.name:
            query = select(table).where(or_(*(column.in_(numbers) for column in columns)))
            found[table.name] = _rows(connection, query.order_by(*table.primary_key.columns))
    return {name: rows for name, rows in found.items() if rows}


def _rows(connection: Connection, query: Any) -> list[dict[str, Any]]:
    return [dict(row) for row in connection.execute(query).mappings()]
