"""Triggers that keep tables append-only, on both databases."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from sqlalchemy import Connection

_FUNCTION_BODY = " BEGIN RAISE EXCEPTION USING MESSAGE = 'arpad-kept ' || TG_TABLE_NAME; END "
_FUNCTION = f"""CREATE OR REPLACE FUNCTION arpad_kept() RETURNS trigger LANGUAGE plpgsql AS
$${_FUNCTION_BODY}$$"""

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

_SERVER_KINDS = {"keep_{table}": 1 + 2 + 8 + 16, "keep_{table}_truncate": 2 + 32}
"""How PostgreSQL writes when they act: 1 for each row, 2 before, 8 a deletion, 16 a change, 32 a truncation."""


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
    """Return the tables that have all their triggers, as this version makes them, and no others."""
    dialect = connection.dialect.name
    return frozenset(
        table for table, triggers in _triggers(connection).items() if triggers == _expected(dialect, table)
    )


def altered_triggers(connection: Connection, kept: Iterable[str]) -> list[str]:
    """Return the append-only tables without their triggers, and all tables with others."""
    return sorted(({*kept} | _triggers(connection).keys()) - append_only_tables(connection))


def _triggers(connection: Connection) -> dict[str, dict[str, str]]:
    """Return all triggers: table → name → what it does."""
    query = "SELECT tbl_name, name, sql FROM sqlite_master WHERE type = 'trigger'"
    if connection.dialect.name == "postgresql":
        query = _SERVER_TRIGGERS
    triggers_of: dict[str, dict[str, str]] = {}
    for table, trigger, action in connection.exec_driver_sql(query):
        triggers_of.setdefault(table, {})[trigger] = " ".join(action.split())
    return triggers_of


def _expected(dialect: str, table: str) -> dict[str, str]:
    """Return the triggers of a table: name → what the database says about it."""
    if dialect == "sqlite":
        actions = {name: f"CREATE TRIGGER {name} {action}" for name, action in _TRIGGERS[dialect].items()}
    else:
        actions = {name: f"{kind} {_FUNCTION_BODY}" for name, kind in _SERVER_KINDS.items()}
    return {
        name.format(table=table): " ".join(it.format(table=table).split()) for name, it in actions.items()
    }


_SERVER_TRIGGERS = (
    "SELECT c.relname, t.tgname, t.tgtype || CASE WHEN t.tgenabled = 'O' AND t.tgqual IS NULL"
    " AND t.tgattr = ''::int2vector AND t.tgnargs = 0 AND l.lanname = 'plpgsql' AND p.pronargs = 0"
    " THEN ' ' ELSE ' other ' END || p.prosrc"
    " FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_namespace n ON n.oid = c.relnamespace"
    " JOIN pg_proc p ON p.oid = t.tgfoid JOIN pg_language l ON l.oid = p.prolang"
    " WHERE NOT t.tgisinternal AND n.nspname = current_schema()"
)
"""Table, name and action of all triggers of PostgreSQL: when it acts, without condition, and the function.

A trigger that is switched off, or has a condition or columns, has another action.
"""
