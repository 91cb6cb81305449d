"""The monitor's pages of each list."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, delete, insert, select

from arpad.store.schema import monitor_pages


@dataclass(frozen=True, slots=True)
class StoredPage:
    """A stored page: the part between head and foot."""

    body: str
    created: datetime


def page_of(
    connection: Connection, publication: int, kind: str, language: str, version: str
) -> StoredPage | None:
    """Return the page of a kind and language that a version of Arpad made for a list, if there is one."""
    this = {"publication": publication, "kind": kind, "language": language, "version": version}
    row = connection.execute(select(monitor_pages).filter_by(**this)).first()
    return StoredPage(row.body, datetime.fromisoformat(row.made)) if row else None


def put_page(
    connection: Connection, publication: int, kind: str, language: str, version: str, page: StoredPage
) -> None:
    """Store a page in place of the one before."""
    this = {"publication": publication, "kind": kind, "language": language}
    connection.execute(delete(monitor_pages).filter_by(**this))
    row = {"version": version, "made": page.created.isoformat(timespec="seconds"), "body": page.body}
    connection.execute(insert(monitor_pages), {**this, **row})


def delete_pages(connection: Connection, publications: Collection[int] | None = None) -> None:
    """Delete all pages, or those of some lists."""
    query = delete(monitor_pages)
    if publications is not None:
        query = query.where(monitor_pages.c.publication.in_(publications))
    connection.execute(query)
