"""Triggers that keep tables append-only, on both databases."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from sqlalchemy import Connection

_SQLITE = """CREATE TRIGGER keep_{table}_{verb} BEFORE {verb} ON {table}
BEGIN SELECT RAISE(ABORT, 'arpad-kept {table}'); END"""

_FUNCTION = """CREATE OR REPLACE FUNCTION arpad_kept() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION USING MESSAGE = 'arpad-kept ' || TG_TABLE_NAME; END $$"""

_POSTGRES = (
    "CREATE TRIGGER keep_{table} BEFORE UPDATE OR DELETE ON {table} FOR EACH ROW EXECUTE FUNCTION arpad_kept()",
    "CREATE TRIGGER keep_{table}_truncate BEFORE TRUNCATE ON {table} EXECUTE FUNCTION arpad_kept()",
)


def make_append_only(connection: Connection, table: str) -> None:
    """Make a table append-only."""
    if connection.dialect.name == "sqlite":
        for verb in ("UPDATE", "DELETE"):
            connection.exec_driver_sql(_SQLITE.format(table=table, verb=verb))
        return
    connection.exec_driver_sql(_FUNCTION)
    for statement in _POSTGRES:
        connection.exec_driver_sql(statement.format(table=table))


@contextmanager
def allow_changes(connection: Connection, tables: Iterable[str]) -> Iterator[None]:
    """Allow changes of some tables; the triggers are back before the transaction ends.

    Only an erasure does this: the ledger says what it changed, and verifying accepts nothing else as erased.
    """
    names = list(tables)
    for name in names:
        for statement in _DROP_SQLITE if connection.dialect.name == "sqlite" else _DROP_POSTGRES:
            connection.exec_driver_sql(statement.format(table=name))
    yield
    for name in names:
        make_append_only(connection, name)


_DROP_SQLITE = ("DROP TRIGGER keep_{table}_UPDATE", "DROP TRIGGER keep_{table}_DELETE")
_DROP_POSTGRES = ("DROP TRIGGER keep_{table} ON {table}", "DROP TRIGGER keep_{table}_truncate ON {table}")


def append_only_tables(connection: Connection) -> frozenset[str]:
    """Return the tables that have all their triggers."""
    if connection.dialect.name == "sqlite":
        rows = connection.exec_driver_sql("SELECT tbl_name, name FROM sqlite_master WHERE type = 'trigger'")
        whole = {"keep_{}_UPDATE", "keep_{}_DELETE"}
    else:
        rows = connection.exec_driver_sql(
            "SELECT c.relname, t.tgname FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid"
            " JOIN pg_namespace n ON n.oid = c.relnamespace"
            " WHERE NOT t.tgisinternal AND t.tgenabled = 'O' AND n.nspname = current_schema()"
        )
        whole = {"keep_{}", "keep_{}_truncate"}
    triggers_of: dict[str, set[str]] = {}
    for table, trigger in rows:
        triggers_of.setdefault(table, set()).add(trigger)
    return frozenset(
        table for table, triggers in triggers_of.items() if {name.format(table) for name in whole} <= triggers
    )
