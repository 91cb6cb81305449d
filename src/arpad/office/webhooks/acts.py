"""Webhooks: programs that are told of changes, each request signed with a secret that is shown once."""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Annotated, Any

from sqlalchemy import Connection

from arpad.model.canonical_json import dump
from arpad.model.cursors import parse_cursor
from arpad.model.declared import Accepts
from arpad.model.errors import BadInput, NotAllowed
from arpad.office.accounts.keys import open_secret, seal_secret
from arpad.office.declared import Reading, act, query, task
from arpad.office.office import ActContext, Office, iso_time, record_act, utc_now
from arpad.office.users import ADMINISTRATOR, EVERYBODY
from arpad.office.webhooks import rows
from arpad.office.webhooks.changes import Change, ChangeKind, changes_after, last_cursor
from arpad.office.webhooks.rows import Delivery, WebhookRow
from arpad.store import jobs
from arpad.system.web_requests import checked_addresses, read_url, same_host

JOB = "webhook"
MOST_WEBHOOKS = 50
PAGE = "/admin/webhooks"
SCOPE = "submit"
"""The scope with which a token sees the reports that its user sent."""

WebhookNumber = Annotated[int, Accepts("1", word="webhook")]
Url = Annotated[str, Accepts("https://example.org/arpad", longest=500, word="webhook-url", unwritten=True)]
Kinds = Annotated[Sequence[ChangeKind], Accepts("list-published", word="change-kinds")]
PrivateHost = Annotated[str, Accepts("intranet.example.org", longest=100, word="private-host")]
Most = Annotated[int, Accepts("100", high=100_000, word="most-rows")]
After = Annotated[str, Accepts("12.0", longest=40, word="after-change")]


@dataclass(frozen=True, slots=True)
class Webhook:
    """A webhook as it may be shown."""

    webhook: int
    url: str
    kinds: tuple[str, ...]
    """Empty: all kinds of changes."""

    private_host: str | None
    made: str


@dataclass(frozen=True, slots=True)
class Webhooks:
    """Every webhook."""

    webhooks: tuple[Webhook, ...]


@dataclass(frozen=True, slots=True)
class NewWebhook:
    """A new webhook with its secret, which is shown once."""

    webhook: int
    secret: str


@dataclass(frozen=True, slots=True)
class Removed:
    """A webhook that is told of nothing more."""

    webhook: int


@dataclass(frozen=True, slots=True)
class Log:
    """What webhooks were told."""

    deliveries: tuple[Delivery, ...]


@dataclass(frozen=True, slots=True)
class Retried:
    """How many changes a webhook is told of again."""

    webhook: int
    changes: int


@dataclass(frozen=True, slots=True)
class Changes:
    """Changes in order; the next ones follow ``next``."""

    changes: tuple[Change, ...]
    next: str
    more: bool


@task("webhook add", ADMINISTRATOR, says="webhook.added")
def add_webhook(office: Office, url: Url, *, kind: Kinds = (), private_host: PrivateHost = "") -> NewWebhook:
    """Add a webhook; its secret is shown once.

    The host of the address may be in a private network, or this machine, only if it is named as private.

    Example: arpad office webhook add https://example.org/arpad --kind list-published --db office.db
    """
    target = read_url(url, private_host)
    if private_host and not same_host(target.host, private_host):
        raise BadInput("webhook-other-host", option="private_host", host=target.host, given=private_host)
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
        row = WebhookRow(number, url, sealed, " ".join(kind), private_host, iso_time(utc_now(office)))
        rows.add_webhook(act.connection, row)
        rows.set_position(act.connection, owner_of(number), *last_cursor(act.connection))
        act.record(webhook=number, host=target.host, kinds=list(kind))
    return NewWebhook(number, secret)


@query(
    "webhook list",
    ADMINISTRATOR,
    columns=("webhook", "url", "kinds", "private_host"),
    path="/office/webhooks",
    says="webhook.none",
)
def all_webhooks(reading: Reading) -> Webhooks:
    """List the webhooks."""
    return Webhooks(
        tuple(
            Webhook(row.id, row.url, tuple(row.kinds.split()), row.private_host or None, row.made)
            for row in rows.all_webhooks(reading.connection)
        )
    )


@act("webhook remove", ADMINISTRATOR, says="webhook.removed", page=PAGE)
def remove_webhook(act: ActContext, webhook: WebhookNumber) -> Removed:
    """Remove a webhook with its log."""
    _known(act.connection, webhook)
    for change in rows.open_changes(act.connection, webhook):
        jobs.remove(act.connection, JOB, [job_key(webhook, change)])
    rows.delete_webhook(act.connection, webhook)
    rows.delete_position(act.connection, owner_of(webhook))
    return Removed(webhook)


@query(
    "webhook log",
    ADMINISTRATOR,
    columns=("webhook", "change", "kind", "attempts", "accepted", "status", "error", "at"),
    path="/office/webhook-log",
    says="webhook.nothing-sent",
)
def webhook_log(reading: Reading, webhook: WebhookNumber | None = None, *, most: Most = 100) -> Log:
    """Show what webhooks were told: every change, its attempts and the last answer."""
    if webhook is not None:
        _known(reading.connection, webhook)
    return Log(tuple(rows.deliveries(reading.connection, webhook, most)))


@task("webhook retry", ADMINISTRATOR, says="webhook.retried", page=PAGE)
def retry_webhook(office: Office, webhook: WebhookNumber) -> Retried:
    """Send everything again at once that the receiver has not accepted."""
    with office.store.unlogged_writing() as connection:
        _known(connection, webhook)
        changes = rows.open_changes(connection, webhook)
        for change in changes:
            enqueue_delivery(connection, webhook, change)
            jobs.retry(connection, JOB, [job_key(webhook, change)])
    return Retried(webhook, len(changes))


@query("webhook changes", EVERYBODY, path="/changes")
def list_changes(reading: Reading, after: After = "") -> Changes:
    """Reports accepted, rated and withdrawn; lists published, corrected and taken back: 200 at a time, in order.

    The id of a change is a cursor: after it come the changes that you do not know yet.
    With a token of the scope submit, also the reports that its user sent: received and returned.
    """
    cursor, caller = parse_cursor(after), reading.caller
    if caller.user is not None and SCOPE not in (caller.scopes or ()):
        raise NotAllowed("scope-needed", scope=SCOPE)
    sender = caller.user.login if caller.user is not None else ""
    page = changes_after(reading.connection, cursor, everything=caller.owner, sender=sender)
    return Changes(page.changes, str(page.next) if page.changes else after, page.more)


def _known(connection: Connection, number: int) -> None:
    """Refuse a number that no webhook has."""
    if rows.webhook_of(connection, number) is None:
        raise BadInput("no-webhook", option="webhook", webhook=number)


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
