"""The monitor's pages of each list. They can be computed again at any time, so their rows may be deleted."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, delete, insert, select

from arpad.store.schema import monitor_pages


@dataclass(frozen=True, slots=True)
class StoredPage:
    """A stored page: the part between head and foot."""

    body: str
    made: datetime


def page_of(
    connection: Connection, publication: int, kind: str, language: str, version: str
) -> StoredPage | None:
    """Return the page of a kind and language that a version of Arpad made for a list, if there is one."""
    row = connection.execute(
        select(monitor_pages.c.body, monitor_pages.c.made).where(
            monitor_pages.c.publication == publication,
            monitor_pages.c.kind == kind,
            monitor_pages.c.language == language,
            monitor_pages.c.version == version,
        )
    ).first()
    return StoredPage(row.body, datetime.fromisoformat(row.made)) if row else None


def kinds_of(connection: Connection, publication: int, beginning: str, version: str) -> set[str]:
    """Return the kinds of a list's pages that begin with a text."""
    query = select(monitor_pages.c.kind).where(
        monitor_pages.c.publication == publication,
        monitor_pages.c.kind.startswith(beginning),
        monitor_pages.c.version == version,
    )
    return set(connection.execute(query).scalars())


def put_page(
    connection: Connection, publication: int, kind: str, language: str, version: str, page: StoredPage
) -> None:
    """Store a page in place of the one before."""
    connection.execute(
        delete(monitor_pages).where(
            monitor_pages.c.publication == publication,
            monitor_pages.c.kind == kind,
            monitor_pages.c.language == language,
        )
    )
    row = {
        "publication": publication, "kind": kind, "language": language, "version": version,
        "made": page.made.isoformat(timespec="seconds"), "body": page.body,
    }  # fmt: skip
    connection.execute(insert(monitor_pages), row)


def delete_kinds(connection: Connection, publication: int, kinds: Collection[str]) -> None:
    """Delete the pages of some kinds of a list."""
    query = delete(monitor_pages).where(monitor_pages.c.publication == publication)
    connection.execute(query.where(monitor_pages.c.kind.in_(kinds)))


def delete_pages(connection: Connection, publications: Collection[int] | None = None) -> None:
    """Delete all pages, or those of some lists."""
    query = delete(monitor_pages)
    if publications is not None:
        query = query.where(monitor_pages.c.publication.in_(publications))
    connection.execute(query)
