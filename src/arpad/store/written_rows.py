"""The rows that each act wrote: noted while they are written, and sealed with the act.

An act has one row in ``act_rows``. ``lines`` names a row in each line, by its table and its primary key as JSON, as in
``decisions[12]``; ``digests`` has sixteen bytes for each line: the beginning of the SHA-256 of the row as the act left
it, or zeros if the act deleted it. Rows that may say who a player is are named twice: in ``erasable_lines`` with the
digest of all their values, and in ``lines`` with the digest of what an erasure must leave as it is
(``store.declared_tables``). The line ``ledger[12]`` is about the details of the act itself. The ledger's ``rows`` has
the digest of each part; an erasure only ever changes the second part. So the acts, one after the other, say which rows
there must be in every proved table, and what is in them.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from operator import itemgetter
from typing import Any, NamedTuple, TypeAlias

from sqlalchemy import Connection, Select, Table, select, tuple_

from arpad.store.declared_tables import (
    META,
    is_counted,
    is_erasable,
    is_proved,
    lasting_values,
    player_column,
    rows_of,
)
from arpad.system.batches import batches

DIGEST_BYTES = 16
GONE = bytes(DIGEST_BYTES)
"""The digest of a row that is deleted."""

_AT_ONCE = 10_000
"""Rows that become JSON together."""

_ASKED = 200
"""Keys in one query."""

_NOTES = "arpad_written"
BETWEEN_CELLS = "\x1f"
"""JSON escapes this character in texts, so it separates cells and nothing else."""


# ------------------------------------------------------------------------------------------------ digests of rows


def _plain(value: Any) -> dict[str, str]:
    """Return bytes as JSON has them."""
    return {"sha256": sha256(value).hexdigest()}


_JSON = json.JSONEncoder(separators=(BETWEEN_CELLS, ":"), default=_plain)


def json_rows(rows: Sequence[Sequence[Any]]) -> list[bytes]:
    """Return the cells of each row as JSON without the brackets; all rows in one call, which is fast."""
    if not rows:
        return []
    return _JSON.encode(rows).encode()[2:-2].split(f"]{BETWEEN_CELLS}[".encode())


def row_digests(rows: Sequence[Sequence[Any]]) -> list[bytes]:
    """Return the digest of each row; a row has the values of all columns that are proved, in their order."""
    return [sha256(text).digest()[:DIGEST_BYTES] for text in json_rows(rows)]


def row_lines(table: str, keys: Sequence[Sequence[Any]]) -> list[str]:
    """Return the lines that name rows of a table by their primary keys."""
    cells = BETWEEN_CELLS.encode()
    return [f"{table}[{text.replace(cells, b',').decode()}]" for text in json_rows(keys)]


@cache
def proved_columns(table: str) -> tuple[str, ...]:
    """Return the names of the columns whose values are proved."""
    names = (column.name for column in META.tables[table].columns)
    return tuple(name for name in names if name not in rows_of(table).uncovered)


@cache
def key_columns(table: str) -> tuple[str, ...]:
    """Return the names of the columns of the primary key."""
    return tuple(column.name for column in META.tables[table].primary_key.columns)


@cache
def _values_of(names: Sequence[str], wanted: Sequence[str]) -> Callable[[Sequence[Any]], Sequence[Any]]:
    """Return the function that takes the wanted values from a row with the named ones; None for those without."""
    if set(wanted) <= set(names) and len(wanted) > 1:
        return itemgetter(*map(names.index, wanted))
    places = [names.index(name) if name in names else None for name in wanted]
    return lambda row: [None if at is None else row[at] for at in places]


# ------------------------------------------------------------------------------------------------------- the notes


Removed: TypeAlias = Sequence[tuple[int, str]]
"""What an erasure took out of a sequence of hashes: the place of each, before anything was taken out, and the hash."""


def with_removed(hashes: Sequence[bytes], removed: Sequence[Removed]) -> list[bytes]:
    """Return hashes as they were before some erasures, the latest of which comes last."""
    whole = list(hashes)
    for of_erasure in reversed(removed):
        for place, hash_ in sorted(of_erasure):
            whole.insert(place, bytes.fromhex(hash_))
    return whole


class ActRecord(NamedTuple):
    """The rows that an act wrote, as they are stored: a line and a digest for each."""

    lines: str = ""
    digests: bytes = b""
    erasable_lines: str = ""
    """The rows from which an erasure may take something, each with the digest of all its values."""

    erasable_digests: bytes = b""

    def digest(self, erased: Sequence[Removed] = ()) -> str:
        """Return the digest that the ledger has of the record: one of each part.

        ``erased`` is what each erasure took out of the erasable part.
        """
        leaves = with_removed(self.leaves(), erased)
        return record_digest(self.lines, self.digests) + (
            sha256(b"".join(leaves)).hexdigest() if leaves else ""
        )

    def leaves(self) -> list[bytes]:
        """Return a hash for each erasable row."""
        rows = unpack(self.erasable_lines, self.erasable_digests)
        return [
            sha256(line.encode() + b"\0" + digest).digest()[:DIGEST_BYTES] for line, digest in rows.items()
        ]

    def is_whole(self) -> bool:
        """Return whether each line has a digest."""
        parts = ((self.lines, self.digests), (self.erasable_lines, self.erasable_digests))
        return all(
            len(digests) == DIGEST_BYTES * (lines.count("\n") + 1 if lines else 0) for lines, digests in parts
        )


@dataclass(slots=True)
class WrittenRows:
    """The rows that were written in a transaction and belong to no act of the ledger yet."""

    _added: dict[int, dict[str, bytes]] = field(default_factory=dict)
    """Act → line → digest, for rows that name their act."""

    _others: dict[str, bytes] = field(default_factory=dict)
    """Rows that were added without naming an act, or deleted."""

    _changed: dict[str, set[tuple[Any, ...]]] = field(default_factory=dict)
    """Table → keys of rows that were changed; they are read when the act is sealed."""

    _lasting: dict[int, dict[str, bytes]] = field(default_factory=dict)
    """Act → line → digest of the lasting values, for rows of erasable tables; 0 for rows that name no act."""

    _counted: dict[int, Counter[tuple[str, int]]] = field(default_factory=dict)
    """Act → table and player → number of rows, for tables whose keys say who a player is."""

    def add(self, table: str, names: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
        """Note rows that are inserted, each with the values of the named columns in order."""
        names = tuple(names)
        values, key = _values_of(names, proved_columns(table)), _values_of(names, key_columns(table))
        act = names.index("act") if "act" in names else None
        for batch in batches(rows, _AT_ONCE):
            lines = row_lines(table, [key(row) for row in batch])
            whole = [values(row) for row in batch]
            digests = row_digests(whole)
            acts = [0 if act is None else row[act] for row in batch]
            if is_erasable(table):
                self._add_lasting(table, lines, whole, acts)
            if act is None:
                self._others.update(zip(lines, digests, strict=True))
                continue
            for line in self._others.keys() & set(lines) if self._others else ():
                del self._others[line]
            for of_act, line, digest in zip(acts, lines, digests, strict=True):
                self._added.setdefault(of_act, {})[line] = digest

    def _add_lasting(
        self, table: str, lines: Sequence[str], rows: Sequence[Sequence[Any]], acts: Sequence[int]
    ) -> None:
        """Note what an erasure leaves of rows with all columns."""
        if is_counted(table):
            place = player_column(table)
            for act, row in zip(acts, rows, strict=True):
                self.count(act, table, row[place], 1)
            return
        digests = row_digests([lasting_values(table, row) for row in rows])
        for act, line, digest in zip(acts, lines, digests, strict=True):
            self._lasting.setdefault(act, {})[line] = digest

    def count(self, act: int, table: str, player: int, rows: int) -> None:
        """Note that an act inserts rows of a player into a table of which only their number lasts."""
        self._counted.setdefault(act, Counter())[table, player] += rows

    def delete(self, table: str, keys: Sequence[tuple[Any, ...]]) -> None:
        """Note rows that are deleted."""
        self._changed.get(table, set()).difference_update(keys)
        self._others.update(dict.fromkeys(row_lines(table, keys), GONE))

    def change(self, table: str, keys: Iterable[tuple[Any, ...]]) -> None:
        """Note rows that are changed."""
        self._changed.setdefault(table, set()).update(keys)

    def forget_deleted(self) -> frozenset[str]:
        """Forget the rows that were deleted; return the lines of them and of those that were changed."""
        deleted = {
            line for line, digest in self._others.items() if digest == GONE and is_erasable(table_of(line))
        }
        for line in deleted:
            del self._others[line]
        changed = ((table, keys) for table, keys in self._changed.items() if is_erasable(table))
        return frozenset(deleted).union(*(row_lines(table, sorted(keys)) for table, keys in changed))

    def __bool__(self) -> bool:
        """Return whether any row waits for its act."""
        return bool(self._added or self._others or any(self._changed.values()))

    def take(self, connection: Connection, acts: Sequence[int]) -> dict[int, TakenRows]:
        """Return the records of some acts and forget them; rows without an act belong to the last."""
        for table, keys in self._changed.items():
            self._others |= _digests_now(connection, table, keys)
        taken = {act: self._added.pop(act) for act in acts if act in self._added}
        lasting = {act: self._lasting.pop(act) for act in acts if act in self._lasting}
        if self._others:
            last = taken.setdefault(acts[-1], {})
            for rows in taken.values():
                for line in rows.keys() & self._others.keys():
                    del rows[line]
            last |= self._others
            lasting.setdefault(acts[-1], {}).update(self._lasting.pop(0, {}))
        for act in [it for it in self._counted if it in acts]:
            for (table, player), rows_of_player in sorted(self._counted.pop(act).items()):
                lasting.setdefault(act, {})[f"{table}[{player}]"] = count_digest(rows_of_player)
        self._others, self._changed = {}, {}
        return {act: TakenRows(rows, lasting.get(act, {})) for act, rows in taken.items() if rows}


class TakenRows(NamedTuple):
    """The rows of an act: line → digest."""

    rows: Mapping[str, bytes] = {}
    lasting: Mapping[str, bytes] = {}
    """The digests of the lasting values of erasable rows."""

    def record(self, own: Mapping[str, bytes]) -> ActRecord:
        """Return the record of the act, with the line about the act itself."""
        erasable = {line: digest for line, digest in self.rows.items() if is_erasable(table_of(line))}
        others = {line: digest for line, digest in self.rows.items() if line not in erasable}
        return ActRecord(*pack({**own, **others, **self.lasting}), *pack(erasable))

    def tables(self) -> tuple[set[str], set[str]]:
        """Return the tables into which the act wrote, and those from which it deleted."""
        deleted = {table_of(line) for line, digest in self.rows.items() if digest == GONE}
        return {table_of(line) for line, digest in self.rows.items() if digest != GONE}, deleted


@cache
def count_digest(rows: int) -> bytes:
    """Return the digest of a number of rows."""
    return row_digests([(rows,)])[0]


def table_of(line: str) -> str:
    """Return the table of a line."""
    return line[: line.index("[")]


def _digests_now(connection: Connection, table: str, keys: Collection[tuple[Any, ...]]) -> dict[str, bytes]:
    """Return the lines and digests of rows as they are now."""
    ordered = sorted(keys)
    digests = dict.fromkeys(row_lines(table, ordered), GONE)
    for batch in batches(ordered, _ASKED):
        rows = rows_by_key(connection, table, batch)
        digests |= zip(*lines_and_digests(table, rows), strict=True)
    return digests


def rows_by_key(connection: Connection, table: str, keys: Sequence[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Return the proved columns of the rows with some keys."""
    key = tuple_(*META.tables[table].primary_key.columns)
    return [tuple(row) for row in connection.execute(proved_query(table).where(key.in_(keys)))]


@cache
def proved_query(table: str) -> Select[Any]:
    """Return the query for the proved columns of a table."""
    return select(*(META.tables[table].c[name] for name in proved_columns(table)))


def lines_and_digests(table: str, rows: Sequence[Sequence[Any]]) -> tuple[list[str], list[bytes]]:
    """Return the lines and the digests of rows with all proved columns."""
    key = _values_of(proved_columns(table), key_columns(table))
    return row_lines(table, [key(row) for row in rows]), row_digests(rows)


# ---------------------------------------------------------------------------------------------- in a transaction


@contextmanager
def collect_rows(connection: Connection) -> Iterator[None]:
    """Note the rows that a transaction writes, and refuse its end if a row belongs to no act."""
    notes = connection.info[_NOTES] = WrittenRows()
    try:
        yield
        if notes and collected_rows(connection) is notes:
            raise AssertionError("rows of proved tables were written without an act")
    finally:
        end_collecting(connection)


def end_collecting(connection: Connection) -> None:
    """Note nothing more: what was written is undone, or comes with its acts from a backup."""
    connection.info.pop(_NOTES, None)


def collected_rows(connection: Connection) -> WrittenRows | None:
    """Return the notes of a transaction; None if none are taken."""
    notes: WrittenRows | None = connection.info.get(_NOTES)
    return notes


def noted_rows(
    connection: Connection, table: Table, names: Sequence[str], rows: Iterable[Sequence[Any]]
) -> Iterator[Sequence[Any]]:
    """Yield rows that are inserted by the driver's own means; each is noted before it is inserted."""
    notes = open_rows(connection, table.name)
    for batch in batches(rows, _AT_ONCE):
        if notes is not None:
            notes.add(table.name, names, batch)
        yield from batch


def note_statement(
    connection: Connection, statement: Any, many: Sequence[Any], single: Any, _options: object
) -> None:
    """Note the rows of a statement that is about to be executed, if it writes a proved table."""
    if not getattr(statement, "is_dml", False) or not is_proved(statement.table.name):
        return
    name = statement.table.name
    if statement.is_update and _set_columns(statement) <= _unproved(name):
        return
    notes = open_rows(connection, name)
    if notes is None:
        return
    if statement.is_insert:
        rows = many or [single]
        names = tuple(rows[0])
        notes.add(name, names, [tuple(row[column] for column in names) for row in rows])
        return
    keys = select(*statement.table.primary_key.columns)
    if statement.whereclause is not None:
        keys = keys.where(statement.whereclause)
    note = notes.delete if statement.is_delete else notes.change
    note(name, [tuple(row) for row in connection.execute(keys)])


def _set_columns(statement: Any) -> frozenset[str]:
    """Return the columns that an update sets."""
    values = statement._values  # noqa: SLF001  there is no other way to ask
    return frozenset(getattr(column, "name", column) for column in values)


@cache
def _unproved(table: str) -> frozenset[str]:
    return frozenset(rows_of(table).uncovered)


def open_rows(connection: Connection, table: str) -> WrittenRows | None:
    """Return the notes for rows of a table, None if they are not noted; a proved table is only written by an act."""
    if not is_proved(table):
        return None
    notes = collected_rows(connection)
    if notes is None and connection.get_execution_options().get("arpad_noting"):
        raise AssertionError(f"only an act writes to {table}")
    return notes


# -------------------------------------------------------------------------------------------- the record of an act


def pack(rows: Mapping[str, bytes]) -> tuple[str, bytes]:
    """Return the lines and the digests of an act as they are stored."""
    return "\n".join(rows), b"".join(rows.values())


def record_digest(lines: str, digests: bytes) -> str:
    """Return the digest that the ledger has of an act's rows; empty if there are none."""
    return sha256(lines.encode() + b"\0" + digests).hexdigest() if lines else ""


def unpack(lines: str, digests: bytes) -> dict[str, bytes]:
    """Return the rows of an act: line → digest."""
    packed = (digests[at : at + DIGEST_BYTES] for at in range(0, len(digests), DIGEST_BYTES))
    return dict(zip(lines.split("\n") if lines else (), packed, strict=True))
