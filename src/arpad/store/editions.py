"""The federation's own editions as they were adopted: of ratings or titles, the TOML, the list, and the first day."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import Any

from sqlalchemy import Connection, Integer, Select, String, bindparam, insert, select

from arpad.model.rules import ListName
from arpad.store.between_acts import until_next_act
from arpad.store.bulk import add_numbered
from arpad.store.schema import edition_revocations, editions

RATINGS = "ratings"
TITLES = "titles"
"""The subject of an own edition: ratings, by which lists are made, or titles and their norms."""


@dataclass(frozen=True, slots=True)
class Adopted:
    """An own edition that is in force for one list from a day on."""

    id: int
    edition: str
    """The id in the TOML."""

    about: str
    """``RATINGS`` or ``TITLES``."""

    list: ListName
    since: date
    text: str
    """The TOML as it was adopted."""

    act: int


@until_next_act
def adopted(
    connection: Connection,
    on_list: ListName | None = None,
    *,
    about: str = RATINGS,
    as_of_act: int | None = None,
) -> tuple[Adopted, ...]:
    """Return the own editions that are not revoked, now or at an act, of all lists or one; by list and day."""
    query = _adopted_query(of_one_list=on_list is not None, at_an_act=as_of_act is not None)
    given = {"about": about, "on_list": str(on_list), "as_of_act": as_of_act}
    return tuple(_adopted(dict(row)) for row in connection.execute(query, given).mappings())


@cache
def _adopted_query(*, of_one_list: bool, at_an_act: bool) -> Select[Any]:
    revoked = select(edition_revocations.c.adoption)
    query = select(editions).order_by(editions.c.list, editions.c.since)
    query = query.where(editions.c.about == bindparam("about", type_=String))
    if at_an_act:
        act = bindparam("as_of_act", type_=Integer)
        revoked = revoked.where(edition_revocations.c.act <= act)
        query = query.where(editions.c.act <= act)
    if of_one_list:
        query = query.where(editions.c.list == bindparam("on_list", type_=String))
    return query.where(editions.c.id.not_in(revoked))


def _adopted(row: dict[str, Any]) -> Adopted:
    return Adopted(**(row | {"list": ListName(row["list"]), "since": date.fromisoformat(row["since"])}))


def add_adopted(
    connection: Connection, edition: str, about: str, on_list: ListName, since: date, text: str, act: int
) -> int:
    """Add an own edition; return the number of its adoption."""
    row = {"edition": edition, "about": about, "list": str(on_list), "since": str(since), "text": text}
    return add_numbered(connection, editions, {**row, "act": act})


def add_revocation(connection: Connection, adoption: int, act: int) -> None:
    """Revoke an own edition that was adopted by mistake."""
    connection.execute(insert(edition_revocations), {"adoption": adoption, "act": act})
