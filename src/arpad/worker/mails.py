"""Send the mails of the queue.

A mail is handed over at least once and, as far as SMTP allows, only once. Before the server can have it, the attempt is
noted; after the server has taken it, that is noted too, as soon as the database can be written. Only a worker that is
killed, or stands still for longer than its lease, between the server's answer and that note makes a mail come twice,
and then both have the same Message-ID.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from email.message import EmailMessage
from typing import Any

from sqlalchemy import Connection

from arpad.accounts.password_links import LINK_HOURS, new_link
from arpad.office.office import Office
from arpad.office.settings import all_settings
from arpad.store import jobs
from arpad.store.jobs import Job
from arpad.store.mails import MAIL
from arpad.system.event_log import log_event
from arpad.worker.errors import Hopeless
from arpad.worker.mail_findings import finding_lines, hidden_names, is_named
from arpad.worker.mail_server import MailServer, hand_over, mail_server
from arpad.worker.mail_text import build_message, mail_text
from arpad.worker.notes import write_note

SHOWN = ("mail", "to", "language", "offered", "sent")
"""What stays of a mail that was sent: enough for the list of mails, nothing of its text."""


def send_mail(office: Office, job: Job) -> None:
    """Send a mail, unless it was sent before."""
    if "sent" in job.payload:
        return
    settings = all_settings(office)
    server = mail_server(settings)
    message = write_mail(office, job.payload, job.key, settings)
    payload = {**job.payload, "offered": job.payload.get("offered", 0) + 1}
    hand_over(server, message, payload["to"], before_text=lambda: _amend(office, job, payload))
    sent = {name: payload[name] for name in SHOWN if name in payload}
    noted = {**sent, "sent": datetime.now(UTC).isoformat(timespec="seconds")}
    write_note(office, lambda connection: _store(connection, job, noted))
    log_event("mail", kind=payload["mail"], attempt=payload["offered"], outcome="sent")


def _amend(office: Office, job: Job, payload: Mapping[str, Any]) -> None:
    with office.store.unlogged_writing() as connection:
        _store(connection, job, payload)


def _store(connection: Connection, job: Job, payload: Mapping[str, Any]) -> None:
    """Store how far a mail has come; raise if another worker has it now."""
    if not jobs.amend(connection, job, payload):
        raise Hopeless("job-lost", kind=MAIL)


def write_mail(
    office: Office, payload: Mapping[str, Any], key: str, settings: Mapping[str, str]
) -> EmailMessage:
    """Return the message of a mail in the queue."""
    kind, language, path = payload["mail"], payload["language"], payload["path"]
    facts, lines = dict(payload["facts"]), list(payload["lines"])
    if kind in LINK_HOURS:
        path = f"/password/{new_link(office, facts.pop('user'), kind)}"
    if kind == "report-returned":
        lines = finding_lines(office, facts["report"], language)
        with office.store.reading() as connection:
            facts["reason"] = "–" if is_named(facts["reason"], hidden_names(connection)) else facts["reason"]
    address = settings["site_address"]
    text = mail_text(
        kind, language, facts, office=settings["name"] or "Arpad", link=address + path, lines=lines,
        end_link=address + payload["end_path"] if payload["end_path"] else "",
    )  # fmt: skip
    return build_message(
        text, sender=settings["mail_sender"], office=settings["name"], to=payload["to"], key=key,
        one_click=payload["end_path"].startswith("/follow/"),
    )  # fmt: skip


def send_test(office: Office, to: str, language: str) -> MailServer:
    """Send a test mail at once; return the server that took it."""
    settings = all_settings(office)
    server = mail_server(settings)
    payload = {
        "mail": "test", "to": to, "language": language, "facts": {}, "lines": [], "path": "/", "end_path": "",
    }  # fmt: skip
    key = f"test-{datetime.now(UTC).timestamp():.6f}"
    hand_over(server, write_mail(office, payload, key, settings), to, before_text=lambda: None)
    return server
