"""The settings of an office, and the lists that it keeps: the five that are the same everywhere, and its own."""

from collections.abc import Mapping
from datetime import date
from typing import NamedTuple

from sqlalchemy import Connection, insert, select

from arpad.model.errors import BadInput
from arpad.model.rules import LISTS, ListName
from arpad.store.bulk import add_numbered_rows, cached_until_act, fetch_rows
from arpad.store.schema import own_lists, setting_changes, settings

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


_COLUMNS = ("name", "system", "game", "times", "owner", "since", "act", "facts")


class OwnList(NamedTuple):
    """A list of an office's own."""

    name: ListName
    since: date
    """The events that ended before this day are not rated on it."""

    act: int
    facts: str = "{}"
    """What the federation sets for its events, by the names that the system has for facts, as JSON."""


def add_own_list(connection: Connection, own: OwnList) -> None:
    """Add a list of the office's own."""
    name = own.name
    row = (str(name), name.system, name.game, name.times, name.owner, str(own.since), own.act, own.facts)
    add_numbered_rows(connection, own_lists, _COLUMNS, [row])


@cached_until_act
def own_lists_of(connection: Connection) -> Mapping[str, OwnList]:
    """Return the office's own lists by name, in the order in which they were added."""
    return {
        name: OwnList(
            ListName(name, system, game=game, times=times, owner=owner),
            date.fromisoformat(since),
            act,
            facts or "{}",
        )
        for name, system, game, times, owner, since, act, facts in fetch_rows(connection, _OWN)
    }


_OWN = select(*(own_lists.c[name] for name in _COLUMNS)).order_by(own_lists.c.id)


def kept_lists(connection: Connection) -> tuple[ListName, ...]:
    """Return the lists that an office may keep: the five, then its own."""
    return (*LISTS, *(own.name for own in own_lists_of(connection).values()))


def list_named(connection: Connection, name: str, option: str = "list") -> ListName:
    """Return a list of the office by name."""
    known = kept_list(connection, name)
    if known is None:
        accepted = ", ".join(kept_lists(connection))
        raise BadInput("value-unknown", option=option, value=name[:40], accepted=accepted)
    return known


def kept_list(connection: Connection, name: str) -> ListName | None:
    """Return a list of the office by name; None if it has no such list."""
    if name in LISTS:
        return ListName(name)
    own = own_lists_of(connection).get(name)
    return None if own is None else own.name
