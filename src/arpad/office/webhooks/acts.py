"""Webhooks: programs that are told of changes, each request signed with a secret that is shown once.

The changes of an office are reports received, accepted and rated, lists published and corrected. They are read from the
ledger, so that nothing is written twice: an act is one change or several, in a fixed order. A change names tournaments
and lists, never players, and contains no reason, since people write names into reasons.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from hashlib import sha256
from itertools import islice
from typing import Annotated, Any, NamedTuple

from sqlalchemy import Connection

from arpad.model.canonical_json import dump
from arpad.model.cursors import HIGHEST, Cursor, parse_cursor
from arpad.model.declared import Accepts
from arpad.model.errors import BadInput, NotAllowed
from arpad.office.accounts.keys import open_secret, seal_secret
from arpad.office.declared import Reading, act, query, task
from arpad.office.lists.rows import Publication, ever_published
from arpad.office.lists.tables import BASE
from arpad.office.office import ActContext, Office, iso_time, record_act, utc_now
from arpad.office.reports import rows as report_rows
from arpad.office.reports.rated_rows import newly_rated
from arpad.office.reports.tables import ACCEPTED
from arpad.office.reports.tournament_names import public_names
from arpad.office.users import ADMINISTRATOR, EVERYBODY
from arpad.office.webhooks import rows
from arpad.office.webhooks.rows import Delivery, WebhookRow
from arpad.store import jobs, ledger
from arpad.store.ledger import Act
from arpad.system.web_requests import checked_addresses, read_url, same_host


class ChangeKind(StrEnum):
    """The kinds of changes."""

    REPORT_RECEIVED = "report-received"
    REPORT_RETURNED = "report-returned"
    REPORT_ACCEPTED = "report-accepted"
    REPORT_RATED = "report-rated"
    REPORT_WITHDRAWN = "report-withdrawn"
    LIST_PUBLISHED = "list-published"
    LIST_CORRECTED = "list-corrected"
    LIST_TAKEN_BACK = "list-taken-back"


PRIVATE = frozenset({ChangeKind.REPORT_RECEIVED, ChangeKind.REPORT_RETURNED})
"""Kinds that only the sender of the report and the office may see."""

JOB = "webhook"
MOST_WEBHOOKS = 50
PAGE = "/admin/webhooks"
SCOPE = "submit"
"""The scope with which a token sees the reports that its user sent."""

WebhookNumber = Annotated[int, Accepts("1", word="webhook")]
Url = Annotated[str, Accepts("https://example.org/arpad", longest=500, word="webhook-url", unwritten=True)]
Kinds = Annotated[Sequence[ChangeKind], Accepts("list-published", word="change-kinds")]
PrivateHost = Annotated[
    str, Accepts("intranet.example.org", longest=100, word="private-host", personal=False)
]
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
        rows.set_position(act.connection, owner_of(number), ledger.next_seq(act.connection) - 1, HIGHEST)
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


CHANGES_PER_PAGE = 200
_ACTS_AT_ONCE = 200


@dataclass(frozen=True, slots=True)
class Change:
    """A change of the office: a report accepted, a list published; no player is named."""

    id: str
    """A cursor: the number of its act, and its number within the act."""

    kind: ChangeKind
    at: str
    """The time of the act in UTC."""

    list: str
    tournament: int | None = None
    """The number of the report."""

    name: str | None = None
    """The name of the tournament, while everybody may see it."""

    publication: str | None = None
    corrects: str | None = None
    """The name of the list that a correction replaces."""

    address: str | None = None
    """The path of the page that shows it; None if there is no such page."""


class _Found(NamedTuple):
    """A change with its cursor, and who may see it."""

    cursor: Cursor
    change: Change
    public: bool = True
    sender: str = ""
    """The login that sent the report."""


@dataclass(frozen=True, slots=True)
class ChangesPage:
    """A page of changes, and the cursor of the next page."""

    changes: tuple[Change, ...]
    next: Cursor
    more: bool


def changes_after(
    connection: Connection,
    since: Cursor,
    *,
    most: int = CHANGES_PER_PAGE,
    everything: bool = False,
    sender: str = "",
) -> ChangesPage:
    """Return the changes after a cursor, in order: all, or the public ones and those of a sender's reports."""
    visible = (
        it
        for it in _changes(connection, since)
        if everything or it.public or (sender and it.sender == sender)
    )
    found = list(islice(visible, most + 1))
    page = found[:most]
    following = page[-1].cursor if page else since
    return ChangesPage(tuple(it.change for it in page), following, more=len(found) > most)


# ------------------------------------------------------------------------------------------------ from the ledger


def _changes(connection: Connection, since: Cursor) -> Iterator[_Found]:
    """Yield all changes after a cursor."""
    after = since.item - 1
    while acts := ledger.next_acts(connection, after, _VERBS, _ACTS_AT_ONCE):
        yield from (found for found in _changes_of(connection, acts) if found.cursor > since)
        after = acts[-1].seq


def _changes_of(connection: Connection, acts: Sequence[Act]) -> Iterator[_Found]:
    """Yield the changes of some acts, with one query for each table."""
    publications = {p.id: p for p in ever_published(connection)}
    changes = [
        (Cursor(it.seq, number), change)
        for it in acts
        for number, change in enumerate(_changes_in(connection, it, publications))
    ]
    numbers = {change.tournament for _, change in changes if change.tournament is not None}
    filed = report_rows.filed(connection, numbers)
    accepted = report_rows.first_accepted(connection, numbers)
    names = public_names(connection, [report for report in filed.values() if report.status == ACCEPTED])
    sent = ledger.some_acts(connection, [report.act for report in filed.values()])
    for cursor, change in changes:
        if change.tournament is None:
            yield _Found(cursor, replace(change, id=str(cursor)))
        elif (report := filed.get(change.tournament)) is not None:
            name = names.get(report.id)
            whole = replace(
                change, id=str(cursor), list=change.list or str(report.list), name=name,
                address=None if name is None else f"/tournaments/{report.id}",
            )  # fmt: skip
            was_accepted = accepted.get(report.id, HIGHEST) <= cursor.item
            yield _Found(cursor, whole, change.kind not in PRIVATE and was_accepted, sent[report.act].author)


def _changes_in(
    connection: Connection, act: Act, publications: Mapping[int, Publication]
) -> Iterator[Change]:
    """Yield the changes of an act, of reports only their numbers; the same ones at any later time."""
    facts = act.facts
    if (kind := _REPORT_VERBS.get(act.verb)) is not None:
        yield Change("", kind, act.at, "", facts["report"])
        for replaced in ("superseded", "withdrawn"):
            if replaced in facts:
                yield Change("", ChangeKind.REPORT_WITHDRAWN, act.at, "", facts[replaced])
    elif act.verb == "reinstate":
        again = facts["status"] == ACCEPTED
        kind = ChangeKind.REPORT_ACCEPTED if again else ChangeKind.REPORT_RECEIVED
        yield Change("", kind, act.at, "", facts["report"])
    else:
        for number in _publications_of(act.verb, facts):
            publication = publications.get(number)
            if publication is None or publication.kind == BASE:
                continue
            name, on_list = publication.name, str(publication.list)
            corrected = publications.get(publication.corrects or 0)
            yield Change(
                "", _LIST_VERBS[act.verb], act.at, on_list, publication=name,
                corrects=corrected.name if corrected else None, address=f"/lists/{name}",
            )  # fmt: skip
            for report in newly_rated(connection, number) if act.verb in ("publish", "revise") else ():
                yield Change("", ChangeKind.REPORT_RATED, act.at, on_list, report, publication=name)


def _publications_of(verb: str, facts: Mapping[str, Any]) -> list[int]:
    """Return the publications that an act names."""
    several = {"revise": "revisions", "take-back": "publications"}.get(verb)
    if several is None:
        return [facts["publication"]]
    return [item["publication"] for item in facts[several]]


_REPORT_VERBS = {
    "submit": ChangeKind.REPORT_RECEIVED,
    "join-stages": ChangeKind.REPORT_RECEIVED,
    "accept": ChangeKind.REPORT_ACCEPTED,
    "return": ChangeKind.REPORT_RETURNED,
    "withdraw": ChangeKind.REPORT_WITHDRAWN,
}
_LIST_VERBS = {
    "import-list": ChangeKind.LIST_PUBLISHED,
    "publish": ChangeKind.LIST_PUBLISHED,
    "revise": ChangeKind.LIST_CORRECTED,
    "take-back": ChangeKind.LIST_TAKEN_BACK,
}
_VERBS = (*_REPORT_VERBS, "reinstate", *_LIST_VERBS)
