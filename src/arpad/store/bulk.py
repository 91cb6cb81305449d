"""Read and write rows: many in one statement or by COPY, and what changes only with an act once until the next.

The driver's plain values are used, without SQLAlchemy's row objects, which cost too much for millions of rows.

A page needs dozens of values that change only with an act (settings, editions, clubs, hidden players), and each costs a
query. So the site keeps them until the next act of any process: the seal of the last act identifies the state of the
office, and a value is valid while a transaction sees the same seal. Commands keep nothing between two transactions, so
that ``office verify`` reads what is stored. A writing transaction sees its own rows, so it always reads.
"""

import json
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from datetime import date
from functools import lru_cache, wraps
from itertools import chain
from typing import Any, Concatenate, ParamSpec, TypeVar
from weakref import WeakKeyDictionary

from sqlalchemy import (
    ARRAY,
    ColumnElement,
    Connection,
    Engine,
    FromClause,
    Select,
    Table,
    any_,
    bindparam,
    func,
    insert,
    literal,
    select,
)
from sqlalchemy.types import String, TypeEngine

from arpad.store.schema import ledger
from arpad.store.written_rows import noted_rows
from arpad.system.batches import batches

BOUND = 800
"""Values in one statement: 80 rows of ten values are inserted in half the time of 80 statements."""

INSERT_MANY = "INSERT OR FAIL INTO"
"""How SQLite inserts many rows: if one is refused, the others stay until the transaction is taken back, as ours are.

To take back a statement alone, SQLite would copy every page that it changes into a temporary file.
"""

_WIDE_KIB = 96 * 1024

_MAPPED = 1 << 34
"""Bytes of a file that may be mapped; SQLite maps no more than it allows."""

LOG_STAYS = "arpad_log_stays"
"""Noted with a connection whose commits do not move SQLite's log into the file, until its next transaction."""

FEW = 20
"""Up to this number, values are bound one by one, so that the database refuses a number that is too large."""


def fetch_rows(
    connection: Connection, query: Select[Any], values: Mapping[str, Any] | None = None
) -> list[Any]:
    """Return all rows of a query as the driver gives them; for columns of numbers, texts and bytes.

    ``values`` are those of the query's parameters. A query that is made once for all values takes half the time.
    """
    with connection.execute(query, values) as result:
        return list(result.cursor.fetchall()) if result.cursor is not None else []


def in_values(
    connection: Connection, column: ColumnElement[Any], values: Iterable[Any]
) -> ColumnElement[bool]:
    """Return the condition that a column has one of these values; more than a few are bound as one parameter."""
    values = list(values)
    if len(values) <= FEW:
        return column.in_(values)
    dialect = connection.dialect.name
    given = values if dialect == "postgresql" else json.dumps(values)
    return _in_many(column, literal(given, _many_type(column, dialect)), dialect)


def _many_type(column: ColumnElement[Any], dialect: str) -> TypeEngine[Any]:
    """Return the type of a parameter with many values of a column."""
    return ARRAY(column.type) if dialect == "postgresql" else String()


def _in_many(column: ColumnElement[Any], values: ColumnElement[Any], dialect: str) -> ColumnElement[bool]:
    """Return the condition that a column has one of the values of one parameter."""
    if dialect == "postgresql":
        return column == any_(values)
    listed = func.json_each(values).table_valued("value")
    return column.in_(select(listed.c.value))


def rows_with(
    connection: Connection,
    query: Select[Any],
    column: ColumnElement[Any],
    values: Iterable[Any],
    **others: Any,
) -> Iterator[Any]:
    """Yield the rows of a query in which a column has one of these values; the query must be made only once.

    ``others`` are the values of the query's own parameters.
    """
    dialect = connection.dialect.name
    for batch in batches(values):
        few = len(batch) <= FEW
        given = batch if few or dialect == "postgresql" else json.dumps(batch)
        with_values = _with_values(query, column, dialect, few=few)
        yield from fetch_rows(connection, with_values, {"values": given, **others})


@lru_cache(maxsize=256)
def _with_values(query: Select[Any], column: ColumnElement[Any], dialect: str, *, few: bool) -> Select[Any]:
    """Return a query for some values of a column, which are its parameter."""
    if few:
        return query.where(column.in_(bindparam("values", expanding=True)))
    return query.where(_in_many(column, bindparam("values", type_=_many_type(column, dialect)), dialect))


def texts_in_pairs(connection: Connection, pairs: Iterable[tuple[str, str]]) -> FromClause:
    """Return pairs of texts as a table with the columns ``first_text`` and ``second_text``, bound as one parameter."""
    if connection.dialect.name == "postgresql":
        first_texts, second_texts = zip(*pairs, strict=True)
        columns = (literal(list(texts), ARRAY(String)) for texts in (first_texts, second_texts))
        return func.unnest(*columns).table_valued("first_text", "second_text").render_derived()
    listed = func.json_each(literal(json.dumps(list(pairs)), String)).table_valued("value")
    first, second = (func.json_extract(listed.c.value, f"$[{index}]") for index in (0, 1))
    return select(first.label("first_text"), second.label("second_text")).subquery()


def add_rows(
    connection: Connection, table: Table, names: Sequence[str], rows: Iterable[Sequence[Any]]
) -> None:
    """Insert rows, each with the values of the named columns in order, and note them."""
    insert_rows(connection, table, names, noted_rows(connection, table, names, rows))


def insert_rows(
    connection: Connection, table: Table, names: Sequence[str], rows: Iterable[Sequence[Any]]
) -> None:
    """Insert rows by the driver's own means; they are noted before, if acts must prove them."""
    columns = ", ".join(f'"{name}"' for name in names)
    driver: Any = connection.connection.driver_connection
    if connection.dialect.name == "postgresql":
        with driver.cursor() as cursor, cursor.copy(f"COPY {table.name} ({columns}) FROM STDIN") as copy:
            for row in rows:
                copy.write_row(row)
        return
    marks = f"({', '.join('?' * len(names))})"
    for batch in batches(rows, BOUND // len(names)):
        statement = f"{INSERT_MANY} {table.name} ({columns}) VALUES {', '.join([marks] * len(batch))}"
        driver.execute(statement, list(chain.from_iterable(batch)))


@contextmanager
def wide_cache(connection: Connection, log_pages: int = 0) -> Iterator[None]:
    """Give a transaction that adds many rows more memory, and let its commit end once the log is on the disk.

    With its usual 2 MB, SQLite reads and writes the pages of a long index again and again: twice the time. A commit
    also moves a long log into the database's file, for which nobody has to wait: the next commit does it too. With
    ``log_pages``, the commit does it if the log has become as long as that.
    """
    if connection.dialect.name != "sqlite":
        yield
        return
    usual = connection.exec_driver_sql("PRAGMA cache_size").scalar_one()
    connection.exec_driver_sql(f"PRAGMA cache_size = -{_WIDE_KIB}")
    connection.exec_driver_sql(f"PRAGMA wal_autocheckpoint = {log_pages}")
    connection.info[LOG_STAYS] = True
    try:
        yield
    finally:
        connection.exec_driver_sql(f"PRAGMA cache_size = {usual}")


def map_file(connection: Connection) -> None:
    """Let SQLite read the file as memory, without a call of the system for each page: for those who read much."""
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql(f"PRAGMA mmap_size = {_MAPPED}")


def next_id(connection: Connection, table: Table) -> int:
    """Return the next number of a table whose rows are counted from one."""
    return (connection.execute(select(func.max(table.c.id))).scalar() or 0) + 1


def last_act(connection: Connection, *tables: Table) -> int:
    """Return the last act that added a row to one of some tables; 0 if none did."""
    return max(connection.execute(select(func.max(table.c.act))).scalar() or 0 for table in tables)


def add_numbered(connection: Connection, table: Table, values: Mapping[str, Any]) -> int:
    """Insert a row with the next number of its table; return the number."""
    number = next_id(connection, table)
    connection.execute(insert(table), {**values, "id": number})
    return number


def add_numbered_rows(
    connection: Connection, table: Table, names: Sequence[str], rows: Iterable[Sequence[Any]]
) -> None:
    """Insert rows with the next numbers of their table, each with the values of the named columns in order."""
    numbered = enumerate(rows, start=next_id(connection, table))
    add_rows(connection, table, ("id", *names), [(number, *row) for number, row in numbered])


def columns_of(value: Any) -> dict[str, Any]:
    """Return the fields of a frozen value as columns: days and names of a kind as texts, yes and no as numbers."""
    return {field.name: _cell(getattr(value, field.name)) for field in fields(value)}


def _cell(value: Any) -> Any:
    if isinstance(value, bool):
        return int(value)
    return str(value) if isinstance(value, (date, str)) else value


def revoke(connection: Connection, revocations: Table, number: int, act: int) -> None:
    """Add a number to a table of revocations (``declared_tables.ended``)."""
    row = dict(zip(revocations.columns.keys(), (number, act), strict=True))
    connection.execute(insert(revocations), row)


def revoked(connection: Connection, revocations: Table, as_of_act: int | None = None) -> set[int]:
    """Return the numbers that a table of revocations has, now or after an act."""
    rows = kept(connection, revocations, lambda: fetch_rows(connection, select(revocations)))
    return {number for number, act in rows if as_of_act is None or act <= as_of_act}


def read_once(connection: Connection, query: Select[Any]) -> list[Any]:
    """Return the rows of a query about what only acts change; a reading transaction executes it at most once."""
    return kept(connection, query, lambda: list(connection.execute(query)))


def page_of(number: int, total: int, size: int) -> tuple[int, int]:
    """Return the number of the page that is shown instead of one that does not exist, and the number of pages."""
    pages = max(1, -(-total // size))
    return min(max(1, number), pages), pages


FIRST = "0" * 64
"""The seal before the first act."""

MOST_VALUES = 2000
"""Values of one office; beyond that all are forgotten, so that a visitor of many pages cannot fill the memory."""

Value = TypeVar("Value")
Arguments = ParamSpec("Arguments")
LAST_SEAL = select(ledger.c.digest).order_by(ledger.c.seq.desc()).limit(1)


@dataclass(frozen=True, slots=True)
class _State:
    """A state of an office."""

    head: str
    """The seal of the last act; empty where values are kept for one transaction only."""

    values: dict[Hashable, Any] = field(default_factory=dict)


_by_engine: WeakKeyDictionary[Engine, _State] = WeakKeyDictionary()
"""The last state of each office whose values are kept between transactions."""

_by_connection: WeakKeyDictionary[Connection, _State] = WeakKeyDictionary()


def head(connection: Connection) -> str:
    """Return the seal of the last act: it identifies the state of the office."""
    return connection.execute(LAST_SEAL).scalar() or FIRST


def keep_between_transactions(engine: Engine) -> None:
    """Keep the values of an office until its next act."""
    _by_engine.setdefault(engine, _State(""))


def kept(connection: Connection, key: Hashable, read: Callable[[], Value]) -> Value:
    """Return the value of a key, which must depend on acts alone; it is shared, so nobody may change it."""
    if not connection.get_execution_options().get("arpad_reading"):
        return read()
    state = _by_connection.get(connection)
    if state is None:
        state = _by_connection[connection] = _state(connection)
    try:
        value: Value = state.values[key]
    except KeyError:
        value = read()
        if len(state.values) >= MOST_VALUES:
            state.values.clear()
        state.values[key] = value
    return value


def cached_until_act(
    read: Callable[Concatenate[Connection, Arguments], Value],
) -> Callable[Concatenate[Connection, Arguments], Value]:
    """Decorate a function of a transaction so that what it returns is ``kept``, by its arguments."""

    @wraps(read)
    def kept_or_read(connection: Connection, /, *given: Arguments.args, **named: Arguments.kwargs) -> Value:
        key = (read, given, *named.items())
        return kept(connection, key, lambda: read(connection, *given, **named))

    return kept_or_read


def _state(connection: Connection) -> _State:
    """Return the state that a reading transaction sees, with the values that are known of it."""
    state = _by_engine.get(connection.engine)
    if state is None:
        return _State("")
    now = head(connection)
    if state.head != now:
        state = _by_engine[connection.engine] = _State(now)
    return state


_kept: WeakKeyDictionary[Connection, tuple[int, dict[str, dict[Hashable, Any]]]] = WeakKeyDictionary()


@contextmanager
def keep_values(connection: Connection, most: int) -> Iterator[None]:
    """Keep the last ``most`` values of each kind that were made, until the end of the block.

    Lists are read in their order: the one that was made first is needed no more, even if it was the last one used.

    Nothing may be written meanwhile; in a reading transaction nothing can.
    """
    _kept[connection] = (most, {})
    try:
        yield
    finally:
        del _kept[connection]


def keeps_values(connection: Connection) -> bool:
    """Return whether values are kept."""
    return connection in _kept


def kept_value(connection: Connection, kind: str, key: Hashable, make: Callable[[], Value]) -> Value:
    """Return the kept value of a kind and a key, or make it."""
    most, kinds = _kept.get(connection, (0, {}))
    if not most:
        return make()
    values = kinds.setdefault(kind, {})
    if key not in values:
        values[key] = make()
        if len(values) > most:
            del values[next(iter(values))]
    value: Value = values[key]
    return value
