"""Tell webhooks and followers of changes.

Each reader of the changes, a webhook or the notices by mail, has a position in the ledger. Moving it and adding the
jobs is one transaction, so that a killed worker neither forgets a change nor adds it twice. If a worker dies after the
answer of a receiver and before its note, the change is sent again, the same to the byte: the document of the first
attempt is stored with the job. Only the name of a player who was hidden meanwhile is left out.
"""

import os
from collections.abc import Mapping
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection

from arpad.model.cursors import Cursor, parse_cursor
from arpad.model.errors import BadInput
from arpad.office.lists.rows import all_publications
from arpad.office.notices.acts import forget_unconfirmed, queue_notices
from arpad.office.office import Office, iso_time
from arpad.office.reports.rows import filed
from arpad.office.reports.tournament_names import public_names
from arpad.office.settings.retention import time_kept
from arpad.office.webhooks import rows
from arpad.office.webhooks.acts import (
    ChangeKind,
    ChangesPage,
    changes_after,
    enqueue_delivery,
    owner_of,
    secret_of,
    signed_request,
)
from arpad.office.webhooks.rows import Attempt, WebhookRow
from arpad.store import jobs
from arpad.store.jobs import Job
from arpad.system.web_requests import post
from arpad.worker.kinds import OPEN_DATA, Hopeless, amend_job, write_note

GONE = 410
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
                rows.add_delivery(connection, number, change.id, str(change.kind), at)
                enqueue_delivery(connection, number, change.id)
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
                    key=change.id,
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


# ------------------------------------------------------------------------------------------------------ sending


def deliver(office: Office, job: Job) -> None:
    """Send one change; raise if the receiver did not accept it, so that the queue tries again later."""
    number, cursor = int(job.payload["webhook"]), str(parse_cursor(str(job.payload["change"])))
    with office.store.reading() as connection:
        row = rows.webhook_of(connection, number)
        if row is None or rows.is_delivered(connection, number, cursor):
            return
        document = _document(connection, job, parse_cursor(cursor))
    status = _send(office, job, row, document)
    attempt = Attempt(number, cursor, iso_time(datetime.now(UTC)), status, "")
    write_note(office, lambda connection: _note_done(connection, job, attempt))


def _send(office: Office, job: Job, row: WebhookRow, document: Mapping[str, Any] | None) -> int:
    """Send a change; return the answer of a receiver that accepted it."""
    secret = secret_of(office, row)
    if document is None or secret is None:
        code = "webhook-no-change" if document is None else "webhook-no-secret"
        _note_failure(office, job, 0, code)
        raise Hopeless(code, webhook=row.id)
    body, headers = signed_request(secret, document, int(datetime.now(UTC).timestamp()))
    with office.store.unlogged_writing() as connection:
        amend_job(connection, job, {**job.payload, "document": document})
    try:
        status = post(row.url, body, headers, private_host=row.private_host)
    except BadInput as error:
        _note_failure(office, job, 0, error.code)
        raise
    if 200 <= status < 300:  # noqa: PLR2004  what HTTP calls successful
        return status
    _note_failure(office, job, status, "webhook-status")
    refusal = Hopeless if status == GONE else BadInput
    raise refusal("webhook-status", webhook=row.id, status=status)


def _document(connection: Connection, job: Job, cursor: Cursor) -> dict[str, Any] | None:
    """Return the document of a change, as the first attempt had it; None if there is no such change."""
    first: dict[str, Any] | None = job.payload.get("document")
    if first is None:
        page = changes_after(connection, Cursor(cursor.item, cursor.part - 1), most=1, everything=True)
        return next((asdict(change) for change in page.changes if change.id == str(cursor)), None)
    if first["name"]:
        names = public_names(connection, filed(connection, [first["tournament"]]).values())
        if not names.get(first["tournament"]):
            return {**first, "name": ""}
    return first


def _note_done(connection: Connection, job: Job, attempt: Attempt) -> None:
    """Note that a receiver has accepted a change; the queue then keeps nothing of it."""
    rows.add_attempt(connection, attempt, done=True)
    jobs.amend(connection, job, {name: job.payload[name] for name in ("webhook", "change")})


def _note_failure(office: Office, job: Job, status: int, code: str) -> None:
    at = iso_time(datetime.now(UTC))
    attempt = Attempt(int(job.payload["webhook"]), str(job.payload["change"]), at, status, code)
    write_note(office, lambda connection: rows.add_attempt(connection, attempt, done=False))
