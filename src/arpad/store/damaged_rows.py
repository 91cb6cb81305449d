"""Find rows that do not have the form in which Arpad writes them.

The database's own tools, or a failing disk, can put anything into a cell. The other modules rely on the form, so
verifying checks the form of all rows first: types by the database itself, days, lists and JSON one by one.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from sqlalchemy import Column, Connection, Integer, LargeBinary, Table

from arpad.model.clubs import UnitKind
from arpad.model.json_values import to_birth
from arpad.model.rules import ListName
from arpad.reports.number_schemes import SOURCES
from arpad.store.arbiters import FIELDS as ARBITER_FIELDS
from arpad.store.clubs import UNIT_FIELDS
from arpad.store.entrant_decisions import NEW_PLAYER, OPEN, PLAYER
from arpad.store.lists import BASE, IMPORTED, PUBLISHED
from arpad.store.reports import STATUSES
from arpad.store.schema import META
from arpad.store.table_kinds import KEPT

Check = Callable[[Any], object]
"""Raises an exception for a value without the form."""

_MOST = 20
"""Rows that are reported for each table; more would not help."""

_LONGEST = 40


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
    named_by = table.primary_key.columns or table.columns
    keys = ", ".join(f'"{column.name}"' for column in named_by)
    query = f'SELECT {", ".join(tests)}, {keys} FROM "{table.name}" WHERE {" OR ".join(tests)} LIMIT {_MOST}'  # noqa: S608  names of the schema
    for row in connection.exec_driver_sql(query):
        for column, wrong in zip(table.columns, row[: len(tests)], strict=True):
            if wrong:
                yield Damaged(table.name, _shown(row[len(tests) :]), column.name)


def _not_of_type(column: Column[Any]) -> str:
    column_kind = "integer" if isinstance(column.type, Integer) else "text"
    kinds = [
        "blob" if isinstance(column.type, LargeBinary) else column_kind,
        *(["null"] if column.nullable else []),
    ]
    return f"""typeof("{column.name}") NOT IN ({", ".join(f"'{kind}'" for kind in kinds)})"""


def _wrong_forms(connection: Connection, table: Table, forms: Mapping[str, Check]) -> Iterator[Damaged]:
    """Yield the cells whose text cannot be read; a text that many rows share is checked once."""
    keys = [f'"{column.name}"' for column in table.primary_key.columns]
    named = 0
    for column, check in forms.items():
        readable: set[object] = set()
        rows = connection.exec_driver_sql(f'SELECT "{column}", {", ".join(keys)} FROM "{table.name}"')  # noqa: S608
        for value, *key in rows:
            if value in readable:
                continue
            try:
                check(value)
            except _WRONG:
                yield Damaged(table.name, _shown(key), column)
                named += 1
                if named >= _MOST:
                    return
            else:
                if len(readable) < _REMEMBERED:
                    readable.add(value)


_REMEMBERED = 100_000


def _shown(key: Any) -> str:
    return ", ".join(str(value)[:_LONGEST] for value in key)


# ----------------------------------------------------------------------------------- how rows refer to each other


def missing_rows(connection: Connection, *, ledger: bool) -> Iterator[Missing]:
    """Yield the missing rows to which others refer; those of the ``ledger`` only if it is intact."""
    for name in KEPT:
        for column in META.tables[name].columns:
            for key in column.foreign_keys:
                parent = key.column
                if parent.table.name == "ledger" and not ledger:
                    continue
                parent_row = (
                    f'SELECT 1 FROM "{parent.table.name}" p WHERE p."{parent.name}" = c."{column.name}"'  # noqa: S608
                )
                query = (
                    f'SELECT DISTINCT c."{column.name}" FROM "{name}" c '  # noqa: S608  names of the schema
                    f'WHERE c."{column.name}" IS NOT NULL AND NOT EXISTS ({parent_row}) LIMIT {_MOST}'
                )
                for (value,) in connection.exec_driver_sql(query):
                    yield Missing(parent.table.name, _shown([value]), name)


def backward_rows(connection: Connection) -> Iterator[Damaged]:
    """Yield the rows that refer to a later row of their own table."""
    for name, columns in _EARLIER.items():
        for column in columns:
            query = f'SELECT id FROM "{name}" WHERE "{column}" >= id LIMIT {_MOST}'  # noqa: S608
            for key in connection.exec_driver_sql(query):
                yield Damaged(name, _shown(key), column)


def merged_in_a_circle(connection: Connection) -> list[int]:
    """Return the players who are merged into each other, or into themselves."""
    query = "SELECT dropped, kept FROM merges WHERE id NOT IN (SELECT merge FROM unmerges) ORDER BY id"
    direct = {dropped: target for dropped, target in connection.exec_driver_sql(query)}  # noqa: C416  rows become pairs
    circular = []
    for player, into in direct.items():
        passed, now = {player}, into
        while now in direct and now not in passed:
            passed.add(now)
            now = direct[now]
        if now == player:
            circular.append(player)
    return circular
