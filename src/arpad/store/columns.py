"""Read and add rows as columns: half a million of them without a value of Python for each cell or row.

Tables whose rows are only added are also copied in columns, which are read in a tenth of the time. A part of such a
copy has the rows of consecutive acts; the rows of later acts are read from the table itself. All tables are copied up
to the same act. Parts can be made again at any time. An erasure, which is the only change of such a row, deletes them.
``verify`` reads the tables, and compares the parts with them. ``office.register.name_rows`` keeps parts in a form of
its own here, under a name that is no table's.
"""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from hashlib import sha256
from io import BytesIO
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import polars as pl
from sqlalchemy import Connection, Select, Table, bindparam, cast, delete, func, literal, select
from sqlalchemy.types import String

from arpad.model.names import DIVIDER
from arpad.store.bulk import add_rows, fetch_rows, insert_rows
from arpad.store.ledger import next_seq
from arpad.store.schema import column_parts
from arpad.store.written_rows import open_rows


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
    """Add rows as ``add_rows`` does, from columns of numbers and texts.

    ``same`` has the values that all rows share. The rows are noted as they come. ``order`` are the columns by which
    they are sorted before they are inserted: in the order of its key a table is filled faster.
    """
    rows = rows.with_columns(**{name: pl.lit(value) for name, value in same.items()})
    if (notes := open_rows(connection, table.name)) is not None:
        notes.add(table.name, rows.columns, rows.iter_rows())
    rows = rows.sort(order) if order else rows
    insert_rows(connection, table, rows.columns, rows.iter_rows())


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


ENOUGH = 5_000
"""Rows from which on parts are added; fewer are read as fast from their tables."""

_ROWS = 100_000
"""Rows of a part."""


@dataclass(frozen=True, eq=False)
class Snapshot:
    """A table whose rows are only added, with the columns that are read of it."""

    table: Table
    schema: Mapping[str, Any]
    """The names of the columns in the result, and their types. ``act`` is among them."""

    renamed: Mapping[str, str] = field(default_factory=dict)
    """The names in the database that are others."""

    @cached_property
    def all_rows(self) -> Select[Any]:
        """The query for all rows."""
        return select(*(self.table.c[self.renamed.get(name, name)] for name in self.schema))

    @cached_property
    def later_rows(self) -> Select[Any]:
        """The query for the rows of the acts after one."""
        return self.all_rows.where(self.table.c.act > bindparam("after"))

    @cached_property
    def later_count(self) -> Select[int]:
        """The query for the number of the rows of the acts after one."""
        return select(func.count()).where(self.table.c.act > bindparam("after"))


class Part(NamedTuple):
    """Rows of consecutive acts."""

    name: str
    part: int
    act: int
    """The last act whose rows it has."""

    data: bytes
    digest: str

    def is_intact(self) -> bool:
        """Return whether the data are those that were stored."""
        return _digest(self.name, self.part, self.act, self.data) == self.digest


def _digest(name: str, part: int, act: int, data: bytes) -> str:
    digest = sha256(f"{name} {part} {act}\n".encode())
    digest.update(data)
    return digest.hexdigest()


def read_snapshot(connection: Connection, growing: Snapshot) -> Callable[[], pl.DataFrame]:
    """Read the bytes of a table; return a function for its rows, which any thread may call.

    They are the rows of its parts, and the later ones.
    """
    parts = parts_of(connection, growing.table.name)
    if not parts or not all(part.is_intact() for part in parts):
        rows = fetch_columns(connection, growing.all_rows, growing.schema)
        return lambda: rows
    later = fetch_columns(connection, growing.later_rows, growing.schema, {"after": parts[-1].act})
    return lambda: pl.concat([*(pl.read_ipc_stream(part.data) for part in parts), later], rechunk=True)


def parts_of(connection: Connection, name: str) -> list[Part]:
    """Return the parts of a name in their order."""
    return _parts(connection, _PARTS, name)


def _parts(connection: Connection, query: Select[Any], names: str | Sequence[str]) -> list[Part]:
    return list(map(Part._make, fetch_rows(connection, query, {"names": names})))


_ALL_PARTS = select(*(column_parts.c[name] for name in Part._fields)).order_by(
    column_parts.c.name, column_parts.c.part
)
_PARTS = _ALL_PARTS.where(column_parts.c.name == bindparam("names"))
_OTHER_PARTS = _ALL_PARTS.where(column_parts.c.name.not_in(bindparam("names", expanding=True)))


# ------------------------------------------------------------------------------------------------------- writing


def later_rows(
    connection: Connection, tables: Sequence[Snapshot], enough: int, added: Sequence[pl.DataFrame] = ()
) -> list[pl.DataFrame] | None:
    """Return the rows of each table that no part has yet; None if they are not enough. All acts must be complete.

    ``added`` are rows that an act has just added to the tables: if no others came since, none are read.
    """
    after = {"after": _last_part(connection, tables).act}
    counts = [connection.execute(growing.later_count, after).scalar_one() for growing in tables]
    if sum(counts) < enough:
        return None
    if counts == [rows.height for rows in added]:
        return [rows.cast(pl.Schema(growing.schema)) for growing, rows in zip(tables, added, strict=True)]
    return [fetch_columns(connection, growing.later_rows, growing.schema, after) for growing in tables]


def add_parts(
    connection: Connection,
    tables: Sequence[Snapshot],
    later: Sequence[pl.DataFrame],
    others: Mapping[str, bytes],
) -> None:
    """Add the rows of each table that no part has yet (``later_rows``), and parts of other names made from them."""
    first, act = _last_part(connection, tables).part + 1, next_seq(connection) - 1
    data = {name: [data] for name, data in others.items()}
    for growing, rows in zip(tables, later, strict=True):
        pieces = [*rows.iter_slices(_ROWS)] or [rows]
        data[growing.table.name] = [_bytes_of(piece) for piece in pieces]
    parts = [
        Part(name, number, act, it, _digest(name, number, act, it))
        for name, pieces in data.items()
        for number, it in enumerate(pieces, start=first)
    ]
    add_rows(connection, column_parts, Part._fields, parts)


def has_parts(connection: Connection, tables: Sequence[Snapshot]) -> bool:
    """Return whether tables are copied, so that they have many rows."""
    return _last_part(connection, tables).part >= 0


def _last_part(connection: Connection, tables: Sequence[Snapshot]) -> Part:
    """Return the highest number of a part of some tables and the last act that the parts have."""
    names = [growing.table.name for growing in tables]
    part, act = connection.execute(_LAST_PART, {"names": names}).one()
    return Part("", -1 if part is None else part, act or 0, b"", "")


_LAST_PART = select(func.max(column_parts.c.part), func.max(column_parts.c.act)).where(
    column_parts.c.name.in_(bindparam("names", expanding=True))
)


def _bytes_of(rows: pl.DataFrame) -> bytes:
    out = BytesIO()
    rows.write_ipc_stream(out, compression="zstd", compat_level=pl.CompatLevel.oldest())
    return out.getvalue()


def delete_parts(connection: Connection) -> None:
    """Delete all parts; they are made again when they are needed."""
    connection.execute(delete(column_parts))


# ----------------------------------------------------------------------------------------------------- comparing


def differing_parts(
    connection: Connection,
    tables: Mapping[Snapshot, pl.DataFrame],
    others: Callable[[int, int], Mapping[str, bytes]],
) -> list[str]:
    """Return the keys of the parts that do not have the rows of their tables, or whose name is unknown.

    ``tables`` have all their rows; ``others`` returns the parts of other names with the rows of the acts after one and
    up to another.
    """
    last = _last_part(connection, [*tables])
    differing = []
    for growing, rows in tables.items() if last.part >= 0 else ():
        numbers = _differing(connection, growing, rows.filter(pl.col("act") <= last.act), last.act)
        differing += [(growing.table.name, number) for number in numbers]
    expected: dict[tuple[int, int], Mapping[str, bytes]] = {}
    after: dict[str, int] = {}
    for part in _parts(connection, _OTHER_PARTS, [growing.table.name for growing in tables]):
        acts = after.get(part.name, 0), part.act
        if acts not in expected:
            expected[acts] = others(*acts)
        if not part.is_intact() or part.data != expected[acts].get(part.name):
            differing.append((part.name, part.part))
        after[part.name] = part.act
    return [f"{name}, {number}" for name, number in differing]


def _differing(connection: Connection, growing: Snapshot, rows: pl.DataFrame, act: int) -> list[int]:
    """Return the numbers of the parts of a table that do not have its rows up to an act; 0 if there are none."""
    parts = parts_of(connection, growing.table.name)
    if altered := [part.part for part in parts if not part.is_intact()]:
        return altered
    try:
        copied = pl.concat([pl.read_ipc_stream(part.data) for part in parts]) if parts else rows.clear()
        same = copied.schema == rows.schema and copied.sort(pl.all()).equals(rows.sort(pl.all()))
    except (pl.exceptions.PolarsError, OSError):
        same = False
    if parts and same and parts[-1].act == act:
        return []
    return [part.part for part in parts] or [0]
