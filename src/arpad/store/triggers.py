"""Triggers that keep tables append-only, on both databases."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from sqlalchemy import Connection

_FUNCTION = """CREATE OR REPLACE FUNCTION arpad_kept() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION USING MESSAGE = 'arpad-kept ' || TG_TABLE_NAME; END $$"""

_TRIGGERS = {
    "sqlite": {
        f"keep_{{table}}_{verb}": f"BEFORE {verb} ON {{table}}\nBEGIN SELECT RAISE(ABORT, 'arpad-kept {{table}}'); END"
        for verb in ("UPDATE", "DELETE")
    },
    "postgresql": {
        "keep_{table}": "BEFORE UPDATE OR DELETE ON {table} FOR EACH ROW EXECUTE FUNCTION arpad_kept()",
        "keep_{table}_truncate": "BEFORE TRUNCATE ON {table} EXECUTE FUNCTION arpad_kept()",
    },
}
"""The triggers of a table on each database: name → what it does."""


def make_append_only(connection: Connection, table: str) -> None:
    """Make a table append-only."""
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql(_FUNCTION)
    for trigger, action in _TRIGGERS[connection.dialect.name].items():
        connection.exec_driver_sql(f"CREATE TRIGGER {trigger} {action}".format(table=table))


@contextmanager
def allow_changes(connection: Connection, tables: Iterable[str]) -> Iterator[None]:
    """Allow changes of some tables; the triggers are back before the transaction ends.

    Only an erasure does this: the ledger says what it changed, and verifying accepts nothing else as erased.
    """
    names, of_table = list(tables), " ON {table}" if connection.dialect.name == "postgresql" else ""
    for name in names:
        for trigger in _TRIGGERS[connection.dialect.name]:
            connection.exec_driver_sql(f"DROP TRIGGER {trigger}{of_table}".format(table=name))
    yield
    for name in names:
        make_append_only(connection, name)


def append_only_tables(connection: Connection) -> frozenset[str]:
    """Return the tables that have all their triggers."""
    if connection.dialect.name == "sqlite":
        rows = connection.exec_driver_sql("SELECT tbl_name, name FROM sqlite_master WHERE type = 'trigger'")
    else:
        rows = connection.exec_driver_sql(
            "SELECT c.relname, t.tgname FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid"
            " JOIN pg_namespace n ON n.oid = c.relnamespace"
            " WHERE NOT t.tgisinternal AND t.tgenabled = 'O' AND n.nspname = current_schema()"
        )
    triggers_of: dict[str, set[str]] = {}
    for table, trigger in rows:
        triggers_of.setdefault(table, set()).add(trigger)
    whole = _TRIGGERS[connection.dialect.name]
    return frozenset(
        table
        for table, triggers in triggers_of.items()
        if {name.format(table=table) for name in whole} <= triggers
    )
