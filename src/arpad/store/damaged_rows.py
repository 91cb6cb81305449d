"""Find rows that do not have the form in which Arpad writes them, and rows that do not follow from others as they must.

The database's own tools, or a failing disk, can put anything into a cell. The other modules rely on the form, so
verifying checks the form of all rows first: types by the database itself, days, lists and JSON one by one. Its queries
are texts: there are some 200, each asked once, and SQLAlchemy would take 0.1 s to write them.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import polars as pl
from sqlalchemy import Column, Connection, Integer, LargeBinary, Table, exists, select

from arpad.model.rules import Alteration, derived_row
from arpad.store.bulk import fetch_rows
from arpad.store.declared_tables import (
    META,
    Check,
    Kind,
    all_tables,
    kept_tables,
    owned_tables,
    rows_of,
    whole_schema,
)
from arpad.store.proved_rows import MOST_NAMED, shown_values

_WRONG = (ValueError, TypeError, LookupError, ArithmeticError, RecursionError, AttributeError)


def _damaged(table: str, key: Iterable[Any], column: str) -> Alteration:
    return Alteration("row-damaged", {"table": table, "row": shown_values(key), "column": column})


def damaged_cells(connection: Connection) -> Iterator[Alteration]:
    """Yield the cells of all tables with a value that their column cannot have."""
    for table in whole_schema().sorted_tables:
        misshapen = list(_wrong_types(connection, table))
        yield from misshapen
        if not misshapen:
            yield from _wrong_forms(connection, table, rows_of(table.name).forms)


def _wrong_types(connection: Connection, table: Table) -> Iterator[Alteration]:
    """Yield the cells of another type; PostgreSQL allows none."""
    if connection.dialect.name != "sqlite":
        return
    tests = [_not_of_type(column) for column in table.columns]
    keys = _names(table.primary_key.columns or table.columns)
    query = (
        f'SELECT {", ".join(tests)}, {keys} FROM "{table.name}" WHERE {" OR ".join(tests)} LIMIT {MOST_NAMED}'  # noqa: S608  names of the schema
    )
    for row in connection.exec_driver_sql(query):
        for column, wrong in zip(table.columns, row[: len(tests)], strict=True):
            if wrong:
                yield _damaged(table.name, row[len(tests) :], column.name)


def _not_of_type(column: Column[Any]) -> str:
    """Return the condition that SQLite names another type for a cell than its column has."""
    bytes_or_text = "blob" if isinstance(column.type, LargeBinary) else "text"
    kind = "integer" if isinstance(column.type, Integer) else bytes_or_text
    kinds = f"'{kind}', 'null'" if column.nullable else f"'{kind}'"
    return f'typeof("{column.name}") NOT IN ({kinds})'


def _names(columns: Iterable[Column[Any]]) -> str:
    return ", ".join(f'"{column.name}"' for column in columns)


def _wrong_forms(connection: Connection, table: Table, forms: Mapping[str, Check]) -> Iterator[Alteration]:
    """Yield the cells whose text cannot be read; a text that many rows share is checked once."""
    named = 0
    for column, check in forms.items():
        readable: set[object] = set()
        query = f'SELECT "{column}", {_names(table.primary_key.columns)} FROM "{table.name}"'  # noqa: S608  names of the schema
        for value, *key in connection.exec_driver_sql(query):
            if value in readable:
                continue
            try:
                check(value)
            except _WRONG:
                yield _damaged(table.name, key, column)
                named += 1
                if named >= MOST_NAMED:
                    return
            else:
                if len(readable) < _REMEMBERED:
                    readable.add(value)


_REMEMBERED = 100_000


# ----------------------------------------------------------------------------------- how rows refer to each other


def missing_rows(connection: Connection, *, ledger: bool) -> Iterator[Alteration]:
    """Yield the missing rows to which others refer; those of the ``ledger`` only if it is intact."""
    for name in kept_tables():
        for column in META.tables[name].columns:
            for key in column.foreign_keys:
                parent = key.column.table.name
                if parent == "ledger" and not ledger:
                    continue
                query = (
                    f'SELECT DISTINCT c."{column.name}" FROM "{name}" c WHERE c."{column.name}" IS NOT NULL AND '  # noqa: S608  names of the schema
                    f'NOT EXISTS (SELECT 1 FROM "{parent}" p WHERE p."{key.column.name}" = c."{column.name}") '
                    f"LIMIT {MOST_NAMED}"
                )
                for row in connection.exec_driver_sql(query):
                    yield Alteration("row-missing", {"table": parent, "row": shown_values(row), "by": name})


def backward_rows(connection: Connection) -> Iterator[Alteration]:
    """Yield the rows that refer to a later row of their own table."""
    for name in all_tables():
        table = META.tables[name]
        for column in rows_of(name).earlier:
            query = select(table.c.id).where(table.c[column] >= table.c.id).limit(MOST_NAMED)
            for key in fetch_rows(connection, query):
                yield _damaged(name, key, column)


def differing_rows(
    connection: Connection, table: str, among: Mapping[str, Any], expected: Iterable[tuple[Any, ...]]
) -> list[str]:
    """Return the keys of the rows of a table, among those with some values, that are not those expected.

    An expected row has the columns in their order.
    """
    stored = META.tables[table]
    query = select(stored).where(*(stored.c[name] == value for name, value in among.items()))
    rows = {tuple(row) for row in fetch_rows(connection, query)}
    places = [list(stored.columns).index(column) for column in stored.primary_key.columns]
    keys = {tuple(row[place] for place in places) for row in rows ^ set(expected)}
    return [shown_values(key) for key in sorted(keys, key=repr)[:MOST_NAMED]]


def orphaned_rows(connection: Connection) -> Iterator[Alteration]:
    """Yield the rows that belong to a list, a draft or a live list that does not exist."""
    for name, owner in owned_tables(Kind.DERIVED).items():
        table = META.tables[name]
        # the key of an owner comes first in the keys of its rows
        own = zip(table.primary_key.columns, META.tables[owner].primary_key.columns, strict=False)
        query = select(*table.primary_key.columns).where(
            ~exists().where(*(column == of for column, of in own))
        )
        for key in connection.execute(query.limit(MOST_NAMED)):
            yield derived_row(name, shown_values(key))


def only_in_one(stored: pl.DataFrame, expected: pl.DataFrame) -> list[str]:
    """Return the first rows that are in one of two tables with the same two columns."""
    names = stored.columns
    both = pl.concat([
        stored.join(expected, on=names, how="anti"),
        expected.join(stored, on=names, how="anti"),
    ])  # fmt: skip
    return [f"{first}, {second}" for first, second in both.sort(names).head(MOST_NAMED).iter_rows()]
