"""Values that a reading transaction keeps while many lists are read one after the other.

A list is read for itself, as the base of the next one, as the list in force of its events and for its history. While
``keep_values`` is open, what was made from a list is made once; otherwise nothing is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from sqlalchemy import Connection

Value = TypeVar("Value")

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
