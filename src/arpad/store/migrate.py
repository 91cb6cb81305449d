"""Bringing a database to the present schema, in one transaction."""

from __future__ import annotations

from importlib.resources import files

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection

NEWEST = "head"


def upgrade(connection: Connection, to: str = NEWEST) -> None:
    """Take every step up to a revision; the caller's transaction holds them together."""
    config = Config()
    config.set_main_option("script_location", str(files("arpad.store") / "migrations"))
    config.attributes["connection"] = connection
    command.upgrade(config, to)
