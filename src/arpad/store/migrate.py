"""Bring a database to a schema, in one transaction."""

from __future__ import annotations

from importlib.resources import files

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, text

from arpad.store.fingerprint import VERSION_TABLE, fingerprint, stored_schema


def upgrade(connection: Connection, revision: str = "head") -> None:
    """Bring a database to the present schema or an earlier one, inside the caller's transaction."""
    if connection.dialect.name == "postgresql":  # it alters no table while a check of its rows is put off
        connection.exec_driver_sql("SET CONSTRAINTS ALL IMMEDIATE")
    config = Config()
    config.set_main_option("script_location", str(files("arpad.store") / "migrations"))
    config.attributes["connection"] = connection
    command.upgrade(config, revision)
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql("SET CONSTRAINTS ALL DEFERRED")
    connection.execute(
        text(f"UPDATE {VERSION_TABLE} SET fingerprint = :digest"),  # noqa: S608  our table
        {"digest": fingerprint(stored_schema(connection))},
    )
