"""Columns that migrations added to proved tables, so that rows of before stay proved by the acts that wrote them.

A migration writes no row: the digest of a row of before is that of the columns of then, and what the new columns have
is computed again from them. So an act of migration proves nothing by itself, and nobody gains anything by forging one.
A value that cannot be computed from the row belongs into a table of its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection

from arpad.store.declared_tables import ADDED, AddedColumns
from arpad.store.ledger import acts_of

VERB = "migrate"


@dataclass(frozen=True, slots=True)
class Migrations:
    """The migrations of an office: which columns came to a table after which act."""

    added: tuple[tuple[int, AddedColumns], ...] = ()
    """The act of migration, and what it added."""

    def concern(self, table: str) -> bool:
        """Return whether a table got columns."""
        return any(columns.table == table for _, columns in self.added)

    def as_written(
        self, table: str, names: tuple[str, ...], row: tuple[Any, ...], act: int
    ) -> dict[str, Any] | None:
        """Return the values of a row with the columns that it had when an act wrote it; None if a new one is wrong."""
        values = dict(zip(names, row, strict=True))
        for migration, columns in reversed(self.added):
            if columns.table != table or act > migration:
                continue
            found = {name: values.pop(name, None) for name in columns.values}
            if found != {name: compute(values) for name, compute in columns.values.items()}:
                return None
        return values


def migrations_of(connection: Connection) -> Migrations:
    """Return the migrations of an office, in order."""
    if not ADDED:
        return Migrations()
    added = [
        (act.seq, columns)
        for act in acts_of(connection, VERB)
        for columns in ADDED
        if str(act.facts.get("from")) < columns.revision <= str(act.facts.get("to"))
    ]
    return Migrations(tuple(added))
