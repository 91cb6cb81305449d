"""Tell the receiver of a webhook of one change."""

from __future__ import annotations

from datetime import UTC, datetime

from arpad.accounts.clock import iso_time
from arpad.accounts.webhooks import secret_of, signed_request
from arpad.model.cursors import Cursor, parse_cursor
from arpad.model.errors import BadInput
from arpad.office.changes import Change, changes_after
from arpad.office.office import Office
from arpad.store import webhooks as rows
from arpad.store.jobs import Job
from arpad.store.webhooks import Attempt
from arpad.system.web_requests import post
from arpad.worker.errors import Hopeless
from arpad.worker.notes import write_note

GONE = 410


def deliver(office: Office, job: Job) -> None:
    """Send one change; raise if the receiver did not accept it, so that the queue tries again later."""
    number, cursor = int(job.payload["webhook"]), parse_cursor(str(job.payload["change"]))
    with office.store.reading() as connection:
        row = rows.webhook_of(connection, number)
        if row is None or rows.is_delivered(connection, number, str(cursor)):
            return
        page = changes_after(connection, Cursor(cursor.item, cursor.part - 1), most=1, everything=True)
    change = _same(page.changes, cursor)
    secret = secret_of(office, row)
    if change is None or secret is None:
        code = "webhook-no-change" if change is None else "webhook-no-secret"
        _note(office, Attempt(number, str(cursor), "", 0, code))
        raise Hopeless(code, webhook=number)
    moment = datetime.now(UTC)
    body, headers = signed_request(secret, change, int(moment.timestamp()))
    try:
        status = post(row.url, body, headers, private_host=row.private_host)
    except BadInput as error:
        _note(office, Attempt(number, str(cursor), "", 0, error.code))
        raise
    accepted = 200 <= status < 300  # noqa: PLR2004  what HTTP calls successful
    _note(
        office, Attempt(number, str(cursor), "", status, "" if accepted else "webhook-status"), done=accepted
    )
    if not accepted:
        refusal = Hopeless if status == GONE else BadInput
        raise refusal("webhook-status", webhook=number, status=status)


def _same(changes: tuple[Change, ...], cursor: Cursor) -> Change | None:
    return next((change for change in changes if change.cursor == cursor), None)


def _note(office: Office, attempt: Attempt, *, done: bool = False) -> None:
    at = iso_time(datetime.now(UTC))
    noted = Attempt(attempt.webhook, attempt.change, at, attempt.status, attempt.error)
    write_note(office, lambda connection: rows.add_attempt(connection, noted, done=done))
