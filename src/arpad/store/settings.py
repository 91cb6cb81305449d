"""The settings of an office: those of its first act, and later changes."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from sqlalchemy import Connection, Integer, Select, String, bindparam, func, insert, select

from arpad.store.bulk import next_id
from arpad.store.schema import setting_changes, settings

PUBLIC = "public"
"""The value of the setting ``live_lists`` with which live lists are kept, and visitors see them."""


def read_setting(connection: Connection, name: str, as_of_act: int | None = None) -> str:
    """Return the value of a setting now, or after an act; empty if it was never set."""
    query = _setting_query(at_an_act=as_of_act is not None)
    return str(connection.execute(query, {"setting": name, "as_of_act": as_of_act}).scalar() or "")


@cache
def _setting_query(*, at_an_act: bool) -> Select[Any]:
    name = bindparam("setting", type_=String)
    changed = select(setting_changes.c.value).where(setting_changes.c.name == name)
    if at_an_act:
        changed = changed.where(setting_changes.c.act <= bindparam("as_of_act", type_=Integer))
    latest = changed.order_by(setting_changes.c.id.desc()).limit(1).scalar_subquery()
    first = select(settings.c.value).where(settings.c.name == name).scalar_subquery()
    return select(func.coalesce(latest, first))


def add_first_settings(connection: Connection, values: Mapping[str, str], act: int) -> None:
    """Insert the settings of a new office."""
    rows = [{"name": name, "value": value, "act": act} for name, value in values.items()]
    connection.execute(insert(settings), rows)


def add_setting_changes(connection: Connection, values: Mapping[str, str], act: int) -> None:
    """Append new values of settings."""
    first = next_id(connection, setting_changes)
    rows = [
        {"id": number, "name": name, "value": value, "act": act}
        for number, (name, value) in enumerate(values.items(), start=first)
    ]
    if rows:
        connection.execute(insert(setting_changes), rows)
