"""Copies in columns of tables whose rows are only added: half a million rows are read in a tenth of the time.

A part has the rows of consecutive acts; the rows of later acts are read from the table itself. All tables are copied
up to the same act. Parts can be made again at any time. An erasure, which is the only change of such a row, deletes
them. ``verify`` reads the tables, and compares the parts with them. ``store.register_names`` and
``store.register_numbers`` keep parts in forms of their own here, under names that are no table's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from io import BytesIO
from typing import Any, NamedTuple

import polars as pl
from sqlalchemy import Connection, Select, Table, bindparam, delete, func, select

from arpad.store.bulk import add_rows, fetch_rows
from arpad.store.columns import fetch_columns
from arpad.store.ledger import next_seq
from arpad.store.schema import column_parts

ENOUGH = 5_000
"""Rows from which on parts are added; fewer are read as fast from their tables."""

_ROWS = 100_000
"""Rows of a part."""


@dataclass(frozen=True, eq=False)
class GrowingTable:
    """A table whose rows are only added, with the columns that are read of it."""

    table: Table
    columns: Mapping[str, tuple[str, Any]]
    """Name of the column in the result → its name in the database, and its type. ``act`` is among them."""

    @property
    def schema(self) -> dict[str, Any]:
        """The types of the columns."""
        return {name: kind for name, (_, kind) in self.columns.items()}

    @cached_property
    def all_rows(self) -> Select[Any]:
        """The query for all rows."""
        return select(*(self.table.c[name] for name, _ in self.columns.values()))

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
    return sha256(f"{name} {part} {act}\n".encode() + data).hexdigest()


def read_growing(connection: Connection, growing: GrowingTable) -> pl.DataFrame:
    """Return all rows of a table: those of its parts, and the later ones."""
    return read_growing_later(connection, growing)()


def read_growing_later(connection: Connection, growing: GrowingTable) -> Callable[[], pl.DataFrame]:
    """Read the bytes of a table; return a function for its rows, which any thread may call."""
    parts = parts_of(connection, growing.table.name)
    if not parts or not all(part.is_intact() for part in parts):
        rows = fetch_columns(connection, growing.all_rows, growing.schema)
        return lambda: rows
    later = fetch_columns(connection, growing.later_rows, growing.schema, {"after": parts[-1].act})
    return lambda: pl.concat([*(pl.read_ipc_stream(part.data) for part in parts), later], rechunk=True)


def parts_of(connection: Connection, name: str) -> list[Part]:
    """Return the parts of a name in their order."""
    stored = fetch_rows(connection, _PARTS, {"of": name})
    return [Part(name, number, act, bytes(data), digest) for name, number, act, data, digest in stored]


_PARTS = (
    select(*(column_parts.c[name] for name in Part._fields))
    .where(column_parts.c.name == bindparam("of"))
    .order_by(column_parts.c.part)
)


# ------------------------------------------------------------------------------------------------------- writing


def add_parts(connection: Connection, tables: Sequence[GrowingTable], enough: int = ENOUGH) -> None:
    """Add the rows that no part has yet, if they are enough. All acts so far must be complete."""
    last = _last_part(connection, tables)
    after = {"after": last.act}
    if sum(connection.execute(growing.later_count, after).scalar_one() for growing in tables) < enough:
        return
    act = next_seq(connection) - 1
    for growing in tables:
        rows = fetch_columns(connection, growing.later_rows, growing.schema, after)
        pieces = [*rows.iter_slices(_ROWS)] or [rows]
        store_parts(connection, growing.table.name, act, map(_bytes_of, pieces), first=last.part + 1)


def store_parts(
    connection: Connection, name: str, act: int, data: Iterable[bytes], *, first: int = 0
) -> None:
    """Store parts of a name, numbered from ``first`` on, with the last act whose rows they have."""
    parts = (
        Part(name, number, act, it, _digest(name, number, act, it))
        for number, it in enumerate(data, start=first)
    )
    add_rows(connection, column_parts, Part._fields, parts)


def has_parts(connection: Connection, tables: Sequence[GrowingTable]) -> bool:
    """Return whether tables are copied, so that they have many rows."""
    return _last_part(connection, tables).part >= 0


def _last_part(connection: Connection, tables: Sequence[GrowingTable]) -> Part:
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
    connection: Connection, tables: Sequence[GrowingTable], other_names: Sequence[str] = ()
) -> list[str]:
    """Return the keys of the parts that do not have the rows of their table, or that are of no table.

    The parts of ``other_names`` are not compared.
    """
    last = _last_part(connection, tables)
    others = column_parts.c.name.not_in([*(growing.table.name for growing in tables), *other_names])
    query = select(column_parts.c.name, column_parts.c.part).where(others)
    differing = [(name, number) for name, number in connection.execute(query)]
    if last.part >= 0:
        differing += [
            (growing.table.name, number)
            for growing in tables
            for number in _differing(connection, growing, last.act)
        ]
    return [f"{name}, {number}" for name, number in differing]


def _differing(connection: Connection, growing: GrowingTable, act: int) -> list[int]:
    """Return the numbers of the parts of a table that do not have its rows up to an act; 0 if there are none."""
    parts = parts_of(connection, growing.table.name)
    if altered := [part.part for part in parts if not part.is_intact()]:
        return altered
    rows = fetch_columns(connection, growing.all_rows, growing.schema).filter(pl.col("act") <= act)
    try:
        copied = pl.concat([pl.read_ipc_stream(part.data) for part in parts]) if parts else rows.clear()
        same = copied.schema == rows.schema and copied.sort(pl.all()).equals(rows.sort(pl.all()))
    except (pl.exceptions.PolarsError, OSError):
        same = False
    if parts and same and parts[-1].act == act:
        return []
    return [part.part for part in parts] or [0]
