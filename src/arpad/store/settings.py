"""The settings of an office: those of its first act, and later changes."""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import Connection, insert, select

from arpad.store.act_cache import cached_until_act
from arpad.store.bulk import add_numbered_rows
from arpad.store.schema import setting_changes, settings

PUBLIC = "public"
"""The value of the setting ``live_lists`` with which live lists are kept, and visitors see them."""


def read_setting(connection: Connection, name: str, as_of_act: int | None = None) -> str:
    """Return the value of a setting now, or after an act; empty if it was never set."""
    return stored_settings(connection, as_of_act).get(name, "")


@cached_until_act
def stored_settings(connection: Connection, as_of_act: int | None = None) -> Mapping[str, str]:
    """Return the value of every setting that was ever set, now or after an act."""
    values = {row.name: row.value for row in connection.execute(select(settings))}
    for row in connection.execute(select(setting_changes).order_by(setting_changes.c.id)):
        if as_of_act is None or row.act <= as_of_act:
            values[row.name] = row.value
    return values


def add_first_settings(connection: Connection, values: Mapping[str, str], act: int) -> None:
    """Insert the settings of a new office."""
    rows = [{"name": name, "value": value, "act": act} for name, value in values.items()]
    connection.execute(insert(settings), rows)


def add_setting_changes(connection: Connection, values: Mapping[str, str], act: int) -> None:
    """Append new values of settings."""
    rows = [(name, value, act) for name, value in values.items()]
    add_numbered_rows(connection, setting_changes, ("name", "value", "act"), rows)
