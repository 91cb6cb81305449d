"""Tell the readers of changes what is new: one delivery for each webhook, one notice for each list.

Each reader has a position in the ledger. Moving it and adding the jobs is one transaction, so that a killed worker
neither forgets a change nor adds it twice.
"""

from __future__ import annotations

import os
from datetime import UTC, datetime

from sqlalchemy import Connection

from arpad.model.cursors import Cursor
from arpad.office.clock import iso_time
from arpad.office.lists.rows import all_publications
from arpad.office.notices.acts import forget_unconfirmed, queue_notices
from arpad.office.office import Office
from arpad.office.settings.retention import time_kept
from arpad.office.webhooks import rows
from arpad.office.webhooks.acts import enqueue_delivery, owner_of
from arpad.office.webhooks.changes import ChangeKind, ChangesPage, changes_after
from arpad.store import jobs
from arpad.store.jobs import Job
from arpad.worker.kinds import OPEN_DATA

NOTICES = "notices"
"""The reader of changes that plans mails to followers, and the kind of its jobs."""


def read_changes(office: Office, _job: Job) -> None:
    """Add the jobs for all changes since the last time."""
    with office.store.reading() as connection:
        numbers = [row.id for row in rows.all_webhooks(connection)]
    for number in numbers:
        while _tell_webhook(office, number):
            pass
    while _plan_notices(office):
        pass


def _tell_webhook(office: Office, number: int) -> bool:
    """Add deliveries for a page of changes; return whether there are more."""
    with office.store.unlogged_writing() as connection:
        row = rows.webhook_of(connection, number)
        if row is None:
            return False
        page = _next_page(connection, owner_of(number))
        kinds = row.kinds.split()
        for change in page.changes:
            if not kinds or change.kind in kinds:
                at = iso_time(datetime.now(UTC))
                rows.add_delivery(connection, number, str(change.cursor), str(change.kind), at)
                enqueue_delivery(connection, number, str(change.cursor))
    return page.more


def _plan_notices(office: Office) -> bool:
    """Add a job for each new list whose followers get a mail; return whether there are more changes."""
    with office.store.unlogged_writing() as connection:
        page = _next_page(connection, NOTICES)
        for change in page.changes:
            if change.kind in (ChangeKind.LIST_PUBLISHED, ChangeKind.LIST_CORRECTED):
                jobs.enqueue(
                    connection,
                    NOTICES,
                    {"publication": change.publication},
                    key=str(change.cursor),
                    once=True,
                )
                if os.environ.get(OPEN_DATA):
                    jobs.enqueue(connection, "open-data", {}, key="open-data")
    return page.more


def send_notices(office: Office, job: Job) -> None:
    """Queue the mails to everybody whom a list concerns; nothing for a list that was taken back meanwhile."""
    with office.store.reading() as connection:
        standing = {p.name: p for p in all_publications(connection)}
    publication = standing.get(str(job.payload["publication"]))
    if publication is not None:
        queue_notices(office, publication)


def forget_follows(office: Office, _job: Job) -> None:
    """Delete addresses that were not confirmed in time."""
    forget_unconfirmed(office)


def _next_page(connection: Connection, reader: str) -> ChangesPage:
    """Return the next changes of a reader, and note that it has read them."""
    since = Cursor(*(rows.read_position(connection, reader) or ()))
    page = changes_after(connection, since, everything=True)
    if page.next != since:
        rows.set_position(connection, reader, *page.next)
    return page


def forget_log(office: Office, _job: Job) -> None:
    """Delete the log of webhooks after some days."""
    with office.store.unlogged_writing() as connection:
        before = iso_time(datetime.now(UTC) - time_kept(connection, "webhook_log"))
        rows.forget_deliveries(connection, before)
