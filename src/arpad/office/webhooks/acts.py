"""Webhooks: programs that are told of changes, each request signed with a secret that is shown once."""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from sqlalchemy import Connection

from arpad.model.canonical_json import dump
from arpad.model.errors import BadInput
from arpad.office.accounts.keys import open_secret, seal_secret
from arpad.office.clock import iso_time, utc_now
from arpad.office.office import Office, record_act
from arpad.office.webhooks import rows
from arpad.office.webhooks.changes import ChangeKind, last_cursor
from arpad.office.webhooks.rows import Delivery, WebhookRow
from arpad.store import jobs
from arpad.system.web_requests import checked_addresses, read_url, same_host

JOB = "webhook"
MOST_WEBHOOKS = 50


@dataclass(frozen=True, slots=True)
class Webhook:
    """A webhook as it may be shown."""

    id: int
    url: str
    kinds: tuple[str, ...]
    """Empty: all kinds of changes."""

    private_host: str
    made: str


def add_webhook(
    office: Office, url: str, kinds: Sequence[str] = (), *, private_host: str = ""
) -> tuple[int, str]:
    """Add a webhook; return its number and its secret, which is shown once.

    ``private_host`` names the host of the address if it may be in a private network, or this machine.
    """
    unknown = sorted(set(kinds) - set(ChangeKind))
    if unknown:
        accepted = ", ".join(ChangeKind)
        raise BadInput("value-unknown", option="kind", value=unknown[0][:40], accepted=accepted)
    target = read_url(url, private_host)
    if private_host and not same_host(target.host, private_host):
        raise BadInput(
            "webhook-other-host", option="private_host", host=target.host, given=private_host[:100]
        )
    checked_addresses(target, private_host)
    secret = "whsec_" + secrets.token_urlsafe(32)
    with office.store.reading() as connection:
        if len(rows.all_webhooks(connection)) >= MOST_WEBHOOKS:
            raise BadInput("webhook-many", most=MOST_WEBHOOKS)
        number = rows.next_webhook(connection)
    sealed = seal_secret(office, owner_of(number), secret)
    with record_act(office, "add-webhook") as act:
        if rows.next_webhook(act.connection) != number:  # another administrator was faster
            raise BadInput("draft-changed")
        row = WebhookRow(number, url, sealed, " ".join(kinds), private_host, iso_time(utc_now(office)))
        rows.add_webhook(act.connection, row)
        rows.set_position(act.connection, owner_of(number), *last_cursor(act.connection))
        act.record(webhook=number, host=target.host, kinds=list(kinds))
    return number, secret


def all_webhooks(office: Office) -> list[Webhook]:
    """Return every webhook."""
    with office.store.reading() as connection:
        return [
            Webhook(row.id, row.url, tuple(row.kinds.split()), row.private_host, row.made)
            for row in rows.all_webhooks(connection)
        ]


def remove_webhook(office: Office, number: int) -> None:
    """Remove a webhook with its log; nothing more is sent to it."""
    with record_act(office, "remove-webhook") as act:
        _known(rows.webhook_of(act.connection, number), number)
        for change in rows.open_changes(act.connection, number):
            jobs.remove(act.connection, JOB, [job_key(number, change)])
        rows.delete_webhook(act.connection, number)
        rows.delete_position(act.connection, owner_of(number))
        act.record(webhook=number)


def webhook_log(office: Office, number: int | None = None, most: int = 100) -> list[Delivery]:
    """Return what a webhook, or all of them, were told, the latest first."""
    with office.store.reading() as connection:
        if number is not None:
            _known(rows.webhook_of(connection, number), number)
        return rows.deliveries(connection, number, most)


def retry_webhook(office: Office, number: int) -> int:
    """Tell a webhook at once of everything that its receiver did not accept; return how many changes."""
    with office.store.unlogged_writing() as connection:
        _known(rows.webhook_of(connection, number), number)
        changes = rows.open_changes(connection, number)
        for change in changes:
            enqueue_delivery(connection, number, change)
            jobs.retry(connection, JOB, [job_key(number, change)])
        return len(changes)


def _known(row: WebhookRow | None, number: int) -> WebhookRow:
    if row is None:
        raise BadInput("no-webhook", webhook=number)
    return row


# ------------------------------------------------------------------------------------------------------ sending


def enqueue_delivery(connection: Connection, number: int, change: str) -> None:
    """Add the job that tells a webhook of a change; one that exists keeps what its first attempt sent."""
    payload = {"webhook": number, "change": change}
    jobs.enqueue(connection, JOB, payload, key=job_key(number, change), once=True)


def job_key(number: int, change: str) -> str:
    """Return the key of the job that tells a webhook of a change."""
    return f"{number}:{change}"


def owner_of(number: int) -> str:
    """Return the name under which a webhook's secret and position are stored."""
    return f"webhook-{number}"


def signed_request(secret: str, document: Mapping[str, Any], timestamp: int) -> tuple[bytes, dict[str, str]]:
    """Return the body and the headers of a request: the signature covers the time and the body."""
    body = dump(document).encode()
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "Arpad",
        "Arpad-Event": document["kind"],
        "Arpad-Delivery": document["id"],
        "Arpad-Timestamp": str(timestamp),
        "Arpad-Signature": f"sha256={signature(secret, timestamp, body)}",
    }
    return body, headers


def signature(secret: str, timestamp: int, body: bytes) -> str:
    """Return the HMAC-SHA-256 of the time, a dot and the body, in hexadecimal digits."""
    return hmac.new(secret.encode(), f"{timestamp}.".encode() + body, sha256).hexdigest()


def secret_of(office: Office, row: WebhookRow) -> str | None:
    """Return the secret of a webhook; None if the key that encrypts it is missing."""
    return open_secret(office, owner_of(row.id), row.secret)
