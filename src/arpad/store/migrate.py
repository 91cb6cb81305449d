"""Bring a database to the present schema, in one transaction."""

from __future__ import annotations

from importlib.resources import files

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection


def upgrade(connection: Connection) -> None:
    """Bring a database to the present schema, inside the caller's transaction."""
    config = Config()
    config.set_main_option("script_location", str(files("arpad.store") / "migrations"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
