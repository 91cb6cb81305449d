"""Read and add rows as columns: half a million of them without a value of Python for each cell or row."""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future
from contextlib import contextmanager, suppress
from functools import lru_cache
from hashlib import sha256
from typing import Any
from weakref import WeakKeyDictionary

import polars as pl
from sqlalchemy import Connection, Select, Table, cast, func, literal, select
from sqlalchemy.types import String

from arpad.model.names import DIVIDER
from arpad.store.bulk import fetch_rows, insert_rows
from arpad.store.declared_tables import is_counted, is_erasable, lasting_columns
from arpad.store.written_rows import BETWEEN_CELLS, DIGEST_BYTES, key_columns, open_rows, proved_columns
from arpad.system.text_columns import change_some, joined_lines


def fetch_columns(
    connection: Connection,
    query: Select[Any],
    schema: Mapping[str, Any],
    values: Mapping[str, Any] | None = None,
) -> pl.DataFrame:
    """Return the rows of a query as columns with these names and types; for columns without nulls.

    ``values`` are those of the query's parameters.
    The database joins each column to one text. Half a million players come in a quarter of the time of rows, since no
    value of Python is made for each cell.
    """
    count, *texts = connection.execute(_joined_columns(query, connection.dialect.name), values).one()
    if not count:
        return pl.DataFrame(schema=schema)
    joined = pl.DataFrame([texts], schema=dict.fromkeys(schema, pl.String), orient="row")
    cells = [pl.col(name).str.split(DIVIDER).explode().cast(kind) for name, kind in schema.items()]
    with suppress(pl.exceptions.ShapeError):
        table = joined.select(cells)
        if table.height == count:
            return table
    # a text contains the separator
    return pl.DataFrame(fetch_rows(connection, query, values), schema=schema, orient="row")


def fetch_joined(
    connection: Connection, query: Select[Any], values: Mapping[str, Any] | None = None
) -> tuple[int, list[str]]:
    """Return the number of rows of a query, and each column as one text, divided by ``DIVIDER``; none may be null.

    ``values`` are those of the query's parameters. No value of Python is made for a row, and no thread is started. A
    divider in a text becomes a blank.
    """
    count, *texts = connection.execute(_joined_columns(query, connection.dialect.name), values).one()
    if not count or all(text.count(DIVIDER) == count - 1 for text in texts):
        return count, [text or "" for text in texts]
    columns = zip(*fetch_rows(connection, query, values), strict=True)
    return count, [DIVIDER.join(str(cell).replace(DIVIDER, " ") for cell in column) for column in columns]


@lru_cache(maxsize=64)
def _joined_columns(query: Select[Any], dialect: str) -> Select[Any]:
    """Return the query for the number of rows, and for each column of a query as one text."""
    columns = query.subquery().columns
    if dialect == "postgresql":
        joined = [func.string_agg(cast(column, String), literal(DIVIDER)) for column in columns]
    else:
        joined = [func.group_concat(column, DIVIDER) for column in columns]
    return select(func.count(), *joined)


# -------------------------------------------------------------------------------------------------------- reading once

_READ_COLUMNS: WeakKeyDictionary[Connection, dict[Hashable, pl.DataFrame | Future[pl.DataFrame]]] = (
    WeakKeyDictionary()
)


def is_reading(connection: Connection) -> bool:
    """Return whether a transaction only reads, so that what it has read stays right."""
    return bool(connection.get_execution_options().get("arpad_reading"))


def memoized(connection: Connection, key: Hashable, read: Callable[[], pl.DataFrame]) -> pl.DataFrame:
    """Return what ``read`` returns; a reading transaction calls it only once for a key."""
    if not is_reading(connection):
        return read()
    columns = _READ_COLUMNS.setdefault(connection, {})
    if key not in columns:
        columns[key] = read()
    found = columns[key]
    return found if isinstance(found, pl.DataFrame) else found.result()


def memoized_in_thread(
    connection: Connection, key: Hashable, read: Callable[[], pl.DataFrame], beside: Executor
) -> None:
    """Begin to call ``read`` beside other work of a reading transaction; ``memoized`` returns what it returns."""
    columns = _READ_COLUMNS.setdefault(connection, {})
    if key not in columns:
        columns[key] = beside.submit(read)


# -------------------------------------------------------------------------------------------------------------- adding


def add_columns(
    connection: Connection, table: Table, rows: pl.DataFrame, order: Sequence[str] = (), **same: Any
) -> None:
    """Add rows as ``add_rows`` does, from columns of numbers and texts; those of a proved table have no nulls.

    ``same`` has the values that all rows share. With ``act`` among them the rows are noted, as they come. ``order`` are
    the columns by which they are sorted before they are inserted: in the order of its key a table is filled faster.
    """
    rows = rows.with_columns(**{name: pl.lit(value) for name, value in same.items()})
    if (notes := open_rows(connection, table.name)) is not None:
        for part in rows.iter_slices(_NOTED):
            notes.add_packed(same["act"], *packed_rows(table.name, part), packed_lasting(table.name, part))
            if is_counted(table.name):
                for player, count in part["player"].value_counts().iter_rows():
                    notes.count(same["act"], table.name, player, count)
    rows = rows.sort(order) if order else rows
    insert_rows(connection, table, rows.columns, rows.iter_rows())


_NOTED = 20_000
"""Rows whose texts are made at once."""


@contextmanager
def indexes_rebuilt(connection: Connection, table: Table, rows: int) -> Iterator[None]:
    """Make the indexes of a table again after adding rows, if these are at least as many as it has.

    SQLite sorts a whole index in half the time of filling it row by row, in a tenth if its order is another one.
    PostgreSQL would lock the readers out.
    """
    some = select(literal(1)).select_from(table).limit(rows + 1).subquery()
    count = select(func.count()).select_from(some)
    short = connection.dialect.name == "sqlite" and connection.execute(count).scalar_one() <= rows
    indexes = sorted(table.indexes, key=str) if short else ()
    for index in indexes:
        index.drop(connection)
    yield
    for index in indexes:
        index.create(connection)


def packed_rows(table: str, rows: pl.DataFrame) -> tuple[str, bytes]:
    """Return the lines and digests of rows as ``store.written_rows`` packs them, all values as JSON at once."""
    cells = _as_cells(rows, proved_columns(table))
    begin = f"{table}["
    keys = joined_lines(cells, key_columns(table), ",", f"]\n{begin}", before=begin.encode()).decode()
    return keys.removesuffix(f"\n{begin}"), _digests(cells)


def packed_lasting(table: str, rows: pl.DataFrame) -> bytes:
    """Return the digests of what an erasure leaves of rows; empty if it takes nothing from their table."""
    if not is_erasable(table) or is_counted(table):
        return b""
    return _digests(_as_cells(rows, lasting_columns(table)))


def _as_cells(rows: pl.DataFrame, names: Sequence[str]) -> pl.DataFrame:
    """Return columns as JSON has their values."""
    cells = rows.select(names)
    return cells.with_columns(_as_json(texts) for texts in cells if texts.dtype == pl.String)


def _digests(cells: pl.DataFrame) -> bytes:
    values = joined_lines(cells, separator=BETWEEN_CELLS).split(b"\n")[:-1]
    return b"".join([sha256(it).digest()[:DIGEST_BYTES] for it in values])


def _as_json(texts: pl.Series) -> pl.Series:
    """Return texts as JSON has them."""
    odd = ~texts.str.contains(_PLAIN_TEXT)
    quoted = ('"' + texts + '"').alias(texts.name)
    return change_some(quoted, odd, lambda text: json.dumps(text[1:-1]))


_PLAIN_TEXT = r"^[ !#-\[\]-~]*$"
"""Texts that JSON only puts in quotes: ASCII without quotes, backslashes and control characters."""
