"""Tell the receiver of a webhook of one change.

If the worker dies after the answer and before its note, the change is sent again. What comes again is the same to the
byte: the document of the first attempt is stored with the job. Only the name of a player who was hidden meanwhile is
left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection

from arpad.model.cursors import Cursor, parse_cursor
from arpad.model.errors import BadInput
from arpad.office.clock import iso_time
from arpad.office.office import Office
from arpad.office.reports.rows import filed
from arpad.office.reports.tournament_names import public_names
from arpad.office.webhooks import rows
from arpad.office.webhooks.acts import secret_of, signed_request
from arpad.office.webhooks.changes import change_document, changes_after
from arpad.office.webhooks.rows import Attempt, WebhookRow
from arpad.store import jobs
from arpad.store.jobs import Job
from arpad.system.web_requests import post
from arpad.worker.outcomes import Hopeless, amend_job, write_note

GONE = 410


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
        return next((change_document(change) for change in page.changes if change.cursor == cursor), None)
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
