"""The settings of an office: those of its first act, and later changes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import (
    Connection,
    Integer,
    Select,
    String,
    bindparam,
    func,
    insert,
    literal,
    select,
    union_all,
)

from arpad.store.between_acts import until_next_act
from arpad.store.bulk import add_numbered_rows
from arpad.store.schema import setting_changes, settings

PUBLIC = "public"
"""The value of the setting ``live_lists`` with which live lists are kept, and visitors see them."""


def read_setting(connection: Connection, name: str, as_of_act: int | None = None) -> str:
    """Return the value of a setting now, or after an act; empty if it was never set."""
    if as_of_act is None:
        return stored_settings(connection).get(name, "")
    return str(connection.execute(_QUERY_AT_AN_ACT, {"setting": name, "as_of_act": as_of_act}).scalar() or "")


@until_next_act
def stored_settings(connection: Connection) -> Mapping[str, str]:
    """Return the present value of every setting that was ever set."""
    return {name: value or "" for name, value, _ in connection.execute(_ALL_SETTINGS)}


_ALL_SETTINGS = union_all(
    select(settings.c.name, settings.c.value, literal(0).label("entered")),
    select(setting_changes.c.name, setting_changes.c.value, setting_changes.c.id),
).order_by("entered")
"""The values of the first act, then every change in order."""


def _query_at_an_act() -> Select[Any]:
    name = bindparam("setting", type_=String)
    changed = select(setting_changes.c.value).where(
        setting_changes.c.name == name, setting_changes.c.act <= bindparam("as_of_act", type_=Integer)
    )
    latest = changed.order_by(setting_changes.c.id.desc()).limit(1).scalar_subquery()
    first = select(settings.c.value).where(settings.c.name == name).scalar_subquery()
    return select(func.coalesce(latest, first))


_QUERY_AT_AN_ACT = _query_at_an_act()


def add_first_settings(connection: Connection, values: Mapping[str, str], act: int) -> None:
    """Insert the settings of a new office."""
    rows = [{"name": name, "value": value, "act": act} for name, value in values.items()]
    connection.execute(insert(settings), rows)


def add_setting_changes(connection: Connection, values: Mapping[str, str], act: int) -> None:
    """Append new values of settings."""
    rows = [(name, value, act) for name, value in values.items()]
    add_numbered_rows(connection, setting_changes, ("name", "value", "act"), rows)
