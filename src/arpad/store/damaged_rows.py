"""Find rows that do not have the form in which Arpad writes them.

The database's own tools, or a failing disk, can put anything into a cell. The other modules rely on the form, so
verifying checks the form of all rows first: types by the database itself, days, lists and JSON one by one. Its queries
are texts: there are some 200, each asked once, and SQLAlchemy would take 0.1 s to write them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from sqlalchemy import Column, Connection, Integer, LargeBinary, Table, select

from arpad.model.clubs import UnitKind
from arpad.model.json_values import to_birth
from arpad.model.rules import ListName
from arpad.office.arbiters.rows import FIELDS as ARBITER_FIELDS
from arpad.office.clubs.rows import UNIT_FIELDS
from arpad.office.lists.rows import BASE, IMPORTED, PUBLISHED
from arpad.office.register.merge_rows import ACTIVE_MERGES, merge_target
from arpad.office.reports.entrant_rows import NEW_PLAYER, OPEN, PLAYER
from arpad.office.reports.rows import STATUSES
from arpad.reports.number_schemes import SOURCES
from arpad.store.bulk import fetch_rows
from arpad.store.proved_rows import MOST_NAMED, shown_values
from arpad.store.schema import META
from arpad.store.table_kinds import KEPT

Check = Callable[[Any], object]
"""Raises an exception for a value without the form."""


@dataclass(frozen=True, slots=True)
class Damaged:
    """A cell with a value that its column cannot have."""

    table: str
    row: str
    """Its primary key."""

    column: str


@dataclass(frozen=True, slots=True)
class Missing:
    """A missing row to which another table refers."""

    table: str
    row: str
    by: str


# -------------------------------------------------------------------------------------------- the form of a cell


def _day(value: str) -> date:
    if len(value) != len("2018-01-01"):
        raise ValueError(value)
    return date.fromisoformat(value)


def _day_or_nothing(value: str | None) -> object:
    return _day(value) if value else value


def _list_or_nothing(value: str | None) -> object:
    return ListName(value) if value is not None else None


def _lists(value: str) -> None:
    for name in value.split():
        ListName(name)


def _norm_title(value: str) -> object:
    from arpad.regulations.chess.titles.rules import NormTitle  # few offices have norms

    return NormTitle(value)


def _object(value: str) -> None:
    if not isinstance(json.loads(value), dict):
        raise TypeError(value)


def _among(*accepted: str) -> Check:
    return accepted.index


_FORMS: Mapping[str, Mapping[str, Check]] = {
    "ledger": {"at": datetime.fromisoformat, "details": _object},
    "editions": {"list": ListName, "since": _day},
    "players": {"born": to_birth},
    "player_facts": {"since": _day},
    "clubs": {"kind": UnitKind, "since": _day, "until": _day_or_nothing},
    "club_facts": {"field": _among(*UNIT_FIELDS), "since": _day},
    "events": {"first_day": _day, "last_day": _day, "registered": _day_or_nothing, "facts": _object},
    "reports": {
        "received": _day, "list": ListName, "first_day": _day_or_nothing, "last_day": _day_or_nothing,
        "facts": _object, "findings": json.loads,
    },
    "report_statuses": {"status": _among(*STATUSES)},
    "norms": {"title": _norm_title, "first_day": _day, "last_day": _day},
    "sent_reports": {"day": _day},
    "entrant_decisions": {"state": _among(PLAYER, NEW_PLAYER, OPEN), "born": to_birth},
    "source_schemes": {"kind": _among(*SOURCES)},
    "arbiter_facts": {"field": _among(*ARBITER_FIELDS), "since": _day},
    "arbiter_licences": {"since": _day, "until": _day_or_nothing},
    "decisions": {"list": _list_or_nothing, "day": _day_or_nothing, "value": _object},
    "publications": {
        "list": ListName, "day": _day, "published": _day, "making": _object,
        "kind": _among(IMPORTED, PUBLISHED, BASE),
    },
    "reference_lists": {"day": _day, "lists": _lists},
}  # fmt: skip
_EARLIER = {"publications": ("base", "corrects"), "reports": ("replaces",)}
"""Columns that refer to an earlier row of the same table."""

_WRONG = (ValueError, TypeError, LookupError, ArithmeticError, RecursionError, AttributeError)


def damaged_cells(connection: Connection) -> Iterator[Damaged]:
    """Yield the cells of all tables with a value that their column cannot have."""
    for table in META.sorted_tables:
        misshapen = list(_wrong_types(connection, table))
        yield from misshapen
        if not misshapen:
            yield from _wrong_forms(connection, table, _FORMS.get(table.name, {}))


def _wrong_types(connection: Connection, table: Table) -> Iterator[Damaged]:
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
                yield Damaged(table.name, shown_values(row[len(tests) :]), column.name)


def _not_of_type(column: Column[Any]) -> str:
    """Return the condition that SQLite names another type for a cell than its column has."""
    bytes_or_text = "blob" if isinstance(column.type, LargeBinary) else "text"
    kind = "integer" if isinstance(column.type, Integer) else bytes_or_text
    kinds = f"'{kind}', 'null'" if column.nullable else f"'{kind}'"
    return f'typeof("{column.name}") NOT IN ({kinds})'


def _names(columns: Iterable[Column[Any]]) -> str:
    return ", ".join(f'"{column.name}"' for column in columns)


def _wrong_forms(connection: Connection, table: Table, forms: Mapping[str, Check]) -> Iterator[Damaged]:
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
                yield Damaged(table.name, shown_values(key), column)
                named += 1
                if named >= MOST_NAMED:
                    return
            else:
                if len(readable) < _REMEMBERED:
                    readable.add(value)


_REMEMBERED = 100_000


# ----------------------------------------------------------------------------------- how rows refer to each other


def missing_rows(connection: Connection, *, ledger: bool) -> Iterator[Missing]:
    """Yield the missing rows to which others refer; those of the ``ledger`` only if it is intact."""
    for name in KEPT:
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
                    yield Missing(parent, shown_values(row), name)


def backward_rows(connection: Connection) -> Iterator[Damaged]:
    """Yield the rows that refer to a later row of their own table."""
    for name, columns in _EARLIER.items():
        table = META.tables[name]
        for column in columns:
            query = select(table.c.id).where(table.c[column] >= table.c.id).limit(MOST_NAMED)
            for key in fetch_rows(connection, query):
                yield Damaged(name, shown_values(key), column)


def merged_in_a_circle(connection: Connection) -> list[int]:
    """Return the players who are merged into each other, or into themselves."""
    direct = dict(fetch_rows(connection, ACTIVE_MERGES))
    return [player for player in direct if merge_target(player, direct) == player]
