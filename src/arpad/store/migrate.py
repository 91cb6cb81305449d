"""Bring a database to a schema, in one transaction."""

from __future__ import annotations

from importlib.resources import files

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, MetaData, select, text

from arpad.store.fingerprint import VERSION_TABLE, describe, fingerprint, stored_schema
from arpad.store.schema import META
from arpad.store.table_kinds import PROVED
from arpad.store.written_rows import notes_of


def upgrade(connection: Connection, revision: str = "head") -> None:
    """Bring a database to the present schema or an earlier one, inside the caller's transaction.

    The rows of proved tables whose columns are others now are noted: the act of the migration proves them.
    """
    before = stored_schema(connection)
    if connection.dialect.name == "postgresql":  # it alters no table while a check of its rows is put off
        connection.exec_driver_sql("SET CONSTRAINTS ALL IMMEDIATE")
    config = Config()
    config.set_main_option("script_location", str(files("arpad.store") / "migrations"))
    config.attributes["connection"] = connection
    command.upgrade(config, revision)
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql("SET CONSTRAINTS ALL DEFERRED")
    after = stored_schema(connection)
    connection.execute(
        text(f"UPDATE {VERSION_TABLE} SET fingerprint = :digest"),  # noqa: S608  our table
        {"digest": fingerprint(after)},
    )
    _note_rows(connection, before, after)


def _note_rows(connection: Connection, before: MetaData, after: MetaData) -> None:
    """Note the rows of all proved tables that a migration made or changed."""
    notes = notes_of(connection)
    if notes is None:
        return
    was, now = describe(before), describe(after)
    for table in sorted(name for name in PROVED & now.keys() if was.get(name) != now[name]):
        keys = connection.execute(select(*META.tables[table].primary_key.columns))
        notes.change(table, [tuple(key) for key in keys])
