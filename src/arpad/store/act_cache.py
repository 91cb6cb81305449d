"""Values that change only with an act of the office: read once in a reading transaction, which sees one moment.

A page needs dozens of them (settings, editions, clubs, hidden players), and each costs a query. So the site keeps them
until the next act of any process: the seal of the last act identifies the state of the office, and a value is valid
while a transaction sees the same seal. Commands keep nothing between two transactions, so that ``office verify`` reads
what is stored. A writing transaction sees its own rows, so it always reads.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar
from weakref import WeakKeyDictionary

from sqlalchemy import Connection, Engine, select

from arpad.store.schema import ledger

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
