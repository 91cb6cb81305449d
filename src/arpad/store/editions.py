"""The federation's own editions as they were adopted: the TOML, the list, the day since which it is in force."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any

from sqlalchemy import Connection, insert, select

from arpad.model.rules import ListName
from arpad.store.bulk import next_id
from arpad.store.schema import edition_revocations, editions


@dataclass(frozen=True, slots=True)
class Adopted:
    """An own edition that is in force for one list from a day on."""

    id: int
    edition: str
    """What it calls itself."""

    list: ListName
    since: date
    text: str
    """The TOML as it came."""

    act: int


def adopted(
    connection: Connection, on_list: ListName | None = None, *, known_at: int | None = None
) -> tuple[Adopted, ...]:
    """The own editions that stand, or stood when an act was done, perhaps of one list; by list and day."""
    revoked = select(edition_revocations.c.adoption)
    query = select(editions).order_by(editions.c.list, editions.c.since)
    if known_at is not None:
        revoked = revoked.where(edition_revocations.c.act <= known_at)
        query = query.where(editions.c.act <= known_at)
    if on_list is not None:
        query = query.where(editions.c.list == str(on_list))
    rows = connection.execute(query.where(editions.c.id.not_in(revoked))).mappings()
    return tuple(_adopted(dict(row)) for row in rows)


def _adopted(row: dict[str, Any]) -> Adopted:
    return Adopted(**(row | {"list": ListName(row["list"]), "since": date.fromisoformat(row["since"])}))


def add_adopted(
    connection: Connection, edition: str, on_list: ListName, since: date, text: str, act: int
) -> int:
    """Enter an own edition; gives the number of its adoption."""
    number = next_id(connection, editions)
    row = {"id": number, "edition": edition, "list": str(on_list), "since": str(since), "text": text}
    connection.execute(insert(editions), {**row, "act": act})
    return number


def add_revocation(connection: Connection, adoption: int, act: int) -> None:
    """An own edition that was adopted by mistake no longer stands."""
    connection.execute(insert(edition_revocations), {"adoption": adoption, "act": act})
