"""Webhooks: the addresses of programs, what they were told, and every attempt."""

from collections.abc import Callable
from dataclasses import dataclass, fields

from sqlalchemy import Connection, delete, func, insert, select, update

from arpad.office.webhooks.tables import change_readers, webhook_attempts, webhook_deliveries, webhooks
from arpad.store.bulk import add_numbered, columns_of, fetch_rows, next_id


@dataclass(frozen=True, slots=True)
class WebhookRow:
    """One webhook."""

    id: int
    url: str
    secret: str
    """Encrypted."""

    kinds: str
    private_host: str
    made: str


@dataclass(frozen=True, slots=True)
class Delivery:
    """A change that a webhook was or will be told of, with the last attempt."""

    webhook: int
    change: str
    kind: str
    made: str
    accepted: str | None
    attempts: int
    status: int | None
    error: str | None
    at: str | None


@dataclass(frozen=True, slots=True)
class Attempt:
    """One attempt to tell a receiver."""

    webhook: int
    change: str
    at: str
    status: int
    error: str


def next_webhook(connection: Connection) -> int:
    """Return the number of the next webhook; a number is not used again while its log is kept."""
    last = connection.execute(select(func.max(webhook_deliveries.c.webhook))).scalar() or 0
    return max(next_id(connection, webhooks), last + 1)


def add_webhook(connection: Connection, row: WebhookRow) -> None:
    """Add a webhook."""
    connection.execute(insert(webhooks), columns_of(row))


def all_webhooks(connection: Connection) -> list[WebhookRow]:
    """Return every webhook, by number."""
    return [WebhookRow(*row) for row in connection.execute(select(webhooks).order_by(webhooks.c.id))]


def webhook_of(connection: Connection, number: int) -> WebhookRow | None:
    """Return a webhook; None if there is none with this number."""
    row = connection.execute(select(webhooks).filter_by(id=number)).first()
    return WebhookRow(*row) if row else None


def set_secret(connection: Connection, number: int, secret: str) -> None:
    """Replace the encrypted secret of a webhook."""
    connection.execute(update(webhooks).where(webhooks.c.id == number).values(secret=secret))


def delete_webhook(connection: Connection, number: int) -> None:
    """Delete a webhook with its log."""
    connection.execute(delete(webhooks).where(webhooks.c.id == number))
    for table in (webhook_deliveries, webhook_attempts):
        connection.execute(delete(table).where(table.c.webhook == number))


# --------------------------------------------------------------------------------------------------- deliveries


def add_delivery(connection: Connection, number: int, change: str, kind: str, at: str) -> None:
    """Add a change that a webhook will be told of."""
    row = {"webhook": number, "change": change, "kind": kind, "made": at, "done": ""}
    connection.execute(insert(webhook_deliveries), row)


def add_attempt(connection: Connection, attempt: Attempt, *, done: bool) -> None:
    """Add an attempt to the log; with ``done`` the receiver has accepted the change."""
    add_numbered(connection, webhook_attempts, columns_of(attempt))
    if done:
        accepted = update(webhook_deliveries).filter_by(webhook=attempt.webhook, change=attempt.change)
        connection.execute(accepted.values(done=attempt.at))


def is_delivered(connection: Connection, number: int, change: str) -> bool:
    """Return whether the receiver has accepted a change, or is not to be told of it any more."""
    query = select(webhook_deliveries).filter_by(webhook=number, change=change, done="")
    return connection.execute(query).first() is None


def deliveries(connection: Connection, number: int | None = None, most: int = 100) -> list[Delivery]:
    """Return the deliveries of a webhook, or of all, the latest first, each with its last attempt."""
    query = select(webhook_deliveries).order_by(webhook_deliveries.c.made.desc(), webhook_deliveries.c.change)
    if number is not None:
        query = query.where(webhook_deliveries.c.webhook == number)
    logged = []
    for owner, change, kind, added, done in fetch_rows(connection, query.limit(most)):
        tried = attempts(connection, owner, change)
        last = tried[-1] if tried else Attempt(0, "", "", 0, "")
        about = (len(tried), last.status or None, last.error or None, last.at or None)
        logged.append(Delivery(owner, change, kind, added, done or None, *about))
    return logged


def open_changes(connection: Connection, number: int) -> list[str]:
    """Return the changes that the receiver of a webhook has not accepted yet."""
    query = select(webhook_deliveries.c.change).filter_by(webhook=number, done="")
    return list(connection.execute(query.order_by(webhook_deliveries.c.made)).scalars())


def attempts(connection: Connection, number: int, change: str) -> list[Attempt]:
    """Return the attempts to tell a webhook of a change, in order."""
    query = select(*(webhook_attempts.c[field.name] for field in fields(Attempt)))
    query = query.filter_by(webhook=number, change=change).order_by(webhook_attempts.c.id)
    return [Attempt(*row) for row in connection.execute(query)]


def forget_deliveries(connection: Connection, before: str) -> None:
    """Delete the log of accepted deliveries that are older than a time; one that is still owed stays."""
    old = (webhook_deliveries.c.made < before) & (webhook_deliveries.c.done != "")
    connection.execute(delete(webhook_deliveries).where(old))
    connection.execute(delete(webhook_attempts).where(webhook_attempts.c.at < before))


# ------------------------------------------------------------------------------------------------------ readers


def read_position(connection: Connection, reader: str) -> tuple[int, int] | None:
    """Return how far a reader of the changes has come; None if it has not begun."""
    query = select(change_readers.c.act, change_readers.c.part).where(change_readers.c.reader == reader)
    row = connection.execute(query).first()
    return (row.act, row.part) if row else None


def set_position(connection: Connection, reader: str, act: int, part: int) -> None:
    """Note how far a reader of the changes has come."""
    delete_position(connection, reader)
    connection.execute(insert(change_readers), {"reader": reader, "act": act, "part": part})


def delete_position(connection: Connection, reader: str) -> None:
    """Forget a reader of the changes."""
    connection.execute(delete(change_readers).where(change_readers.c.reader == reader))


def rotated_secrets(connection: Connection, change: Callable[[str, str], str]) -> dict[str, list[int]]:
    """Encrypt the secrets of all webhooks again; return their numbers."""
    programs = all_webhooks(connection)
    for program in programs:
        set_secret(connection, program.id, change(f"webhook-{program.id}", program.secret))
    return {"webhooks": [program.id for program in programs]}


def has_secrets(connection: Connection) -> bool:
    """Return whether there are webhooks, each of which has a secret."""
    return bool(all_webhooks(connection))
