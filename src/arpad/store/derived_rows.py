"""Find the rows of a table that follow from others, and are not those that do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import polars as pl
from sqlalchemy import Connection, exists, select

from arpad.store.bulk import fetch_rows
from arpad.store.declared_tables import META, Kind, owned_tables
from arpad.store.proved_rows import MOST_NAMED, shown_values


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


def orphaned_rows(connection: Connection) -> Iterator[tuple[str, str]]:
    """Yield table and key of the rows that belong to a list, a draft or a live list that does not exist."""
    for name, owner in owned_tables(Kind.DERIVED).items():
        table = META.tables[name]
        # the key of an owner comes first in the keys of its rows
        own = zip(table.primary_key.columns, META.tables[owner].primary_key.columns, strict=False)
        query = select(*table.primary_key.columns).where(
            ~exists().where(*(column == of for column, of in own))
        )
        for key in connection.execute(query.limit(MOST_NAMED)):
            yield name, shown_values(key)


def only_in_one(stored: pl.DataFrame, expected: pl.DataFrame) -> list[str]:
    """Return the first rows that are in one of two tables with the same two columns."""
    names = stored.columns
    both = pl.concat([
        stored.join(expected, on=names, how="anti"),
        expected.join(stored, on=names, how="anti"),
    ])  # fmt: skip
    return [f"{first}, {second}" for first, second in both.sort(names).head(MOST_NAMED).iter_rows()]
