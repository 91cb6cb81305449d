"""All tables with all their rows, for backup, restore and export."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, LargeBinary, MetaData, Table, func, insert, select

from arpad.store.declared_tables import META, all_tables
from arpad.store.fingerprint import VERSION_TABLE, stored_schema, tables_of_no_feature


def columns(table: str, *, binary: bool) -> tuple[str, ...]:
    """Return the names of the columns that hold bytes, or of all others."""
    return _columns(META.tables[table], binary=binary)


def _columns(table: Table, *, binary: bool) -> tuple[str, ...]:
    return tuple(column.name for column in table.columns if isinstance(column.type, LargeBinary) == binary)


class StoredTable:
    """A table as a database has it, which may be of an older schema."""

    def __init__(self, table: Table) -> None:
        """Read the names of its columns."""
        self.name = table.name
        self.binary, self.others = (_columns(table, binary=is_binary) for is_binary in (True, False))
        self._insert = insert(table)

    def add(self, connection: Connection, values: Sequence[Mapping[str, Any]]) -> None:
        """Insert rows."""
        connection.execute(self._insert, values)


def stored_tables(connection: Connection) -> list[StoredTable]:
    """Return the tables of a database, in an order that their foreign keys allow."""
    tables = stored_schema(connection).sorted_tables
    return [StoredTable(table) for table in tables if table.name != VERSION_TABLE]


def rows(
    connection: Connection, table: str, names: Sequence[str] = (), *, schema: MetaData = META
) -> Iterator[dict[str, Any]]:
    """Yield all rows by primary key, with all columns or those named."""
    stored = schema.tables[table]
    query = select(*(stored.c[name] for name in names)) if names else select(stored)
    query = query.order_by(*stored.primary_key.columns)
    result = connection.execute(query, execution_options={"yield_per": 1000})
    yield from (dict(row) for row in result.mappings())


def whole_tables(connection: Connection) -> Iterator[tuple[str, Iterator[dict[str, Any]]]]:
    """Yield each table with all its rows, also those of features that this installation does not have."""
    schema = stored_schema(connection)
    for table in (*all_tables(), *tables_of_no_feature(schema)):
        yield table, rows(connection, table, schema=schema)


def count(connection: Connection, table: str) -> int:
    """Return how many rows a table has."""
    return connection.execute(select(func.count()).select_from(META.tables[table])).scalar_one()
