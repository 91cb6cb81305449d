"""The monitor's pages of each list, and the examinations that are running or have failed."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, delete, insert, select

from arpad.store.schema import monitor_pages, monitor_runs


@dataclass(frozen=True, slots=True)
class StoredPage:
    """A stored page: the part between head and foot."""

    body: str
    created: datetime


@dataclass(frozen=True, slots=True)
class RunNote:
    """A note of an examination: when it began, or when and why it failed."""

    reason: str
    at: datetime


def page_of(
    connection: Connection, publication: int, kind: str, language: str, version: str
) -> StoredPage | None:
    """Return the page of a kind and language that a version of Arpad made for a list, if there is one."""
    this = {"publication": publication, "kind": kind, "language": language, "version": version}
    row = connection.execute(select(monitor_pages).filter_by(**this)).first()
    return StoredPage(row.body, datetime.fromisoformat(row.made)) if row else None


def kinds_of(connection: Connection, publication: int, beginning: str, version: str) -> set[str]:
    """Return the kinds of a list's pages that begin with a text."""
    query = select(monitor_pages.c.kind).filter_by(publication=publication, version=version)
    return set(connection.execute(query.where(monitor_pages.c.kind.startswith(beginning))).scalars())


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


def mark_run(
    connection: Connection, publication: int, state: str, language: str, version: str, note: RunNote
) -> None:
    """Note that an examination of a list is running, or why it failed."""
    this = {"publication": publication, "state": state, "language": language, "version": version}
    row = {"at": note.at.isoformat(timespec="seconds"), "reason": note.reason}
    connection.execute(insert(monitor_runs), {**this, **row})


def run_of(
    connection: Connection, publication: int, state: str, language: str, version: str
) -> RunNote | None:
    """Return the note of a list's examination that is running or has failed, if there is one."""
    this = {"publication": publication, "state": state, "language": language, "version": version}
    row = connection.execute(select(monitor_runs).filter_by(**this)).first()
    return RunNote(row.reason, datetime.fromisoformat(row.at)) if row else None


def end_runs(connection: Connection, publication: int) -> None:
    """Delete the notes of a list's examinations."""
    connection.execute(delete(monitor_runs).where(monitor_runs.c.publication == publication))
