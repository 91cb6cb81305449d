"""Send the mails of the queue.

The journal notes that a server is asked to take a mail just before the dot that ends it, and its answer at once; the
database follows as soon as it can be written. If the worker, the server or the connection dies between dot and answer,
nobody but the server knows whether it has the mail: SMTP cannot be asked. The setting ``mail_unsure`` says what then
happens. ``again``: it is sent again with the same Message-ID and marked, so that the office knows which mails perhaps
came twice. ``hold``: it is given up with this reason until a person lets it be tried again, so that none comes twice.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from email.message import EmailMessage
from typing import Any

from arpad.model.errors import BadInput
from arpad.office.accounts.password_links import LINK_HOURS, new_link
from arpad.office.mails import HOLD
from arpad.office.notices.rows import NEWS_MAILS
from arpad.office.office import Office
from arpad.office.settings.acts import all_settings
from arpad.store.jobs import Job
from arpad.system.event_log import log_event
from arpad.worker.errors import Hopeless
from arpad.worker.journal import (
    Entry,
    Taken,
    drop,
    is_asked,
    note_asked,
    note_refused,
    note_taken,
    open_entry,
    read_taken,
)
from arpad.worker.mail_findings import finding_lines, hidden_names, is_named, without_hidden
from arpad.worker.mail_server import MailServer, hand_over, mail_server
from arpad.worker.mail_text import build_message, mail_text
from arpad.worker.notes import offer, offered, store_progress, write_note

ANSWER = 250
SHOWN = ("mail", "to", "language", "offered", "unsure", "sent")
"""What stays of a mail that was sent: enough for the list of mails, nothing of its text."""


def send_mail(office: Office, job: Job) -> None:
    """Send a mail, unless it was sent before."""
    if "sent" in job.payload:
        return
    with open_entry(office, job) as entry:
        taken, payload = read_taken(entry), job.payload
        if taken is None:
            payload = offered(job)
            if is_asked(entry):
                payload = _send_again(office, job, payload)
            taken = _hand_over(office, job, payload, entry)
        sent = {name: payload[name] for name in SHOWN if name in payload}
        write_note(office, lambda connection: store_progress(connection, job, {**sent, "sent": taken.at}))
        drop(entry)
    log_event("mail", kind=payload["mail"], attempt=payload["offered"], outcome="sent")


def _send_again(office: Office, job: Job, payload: Mapping[str, Any]) -> dict[str, Any]:
    """Return the payload of a mail that the server perhaps has, with a mark; refuse to send it if the office decides.

    It has decided if this is the first attempt: only ``retry_mails`` lets a mail begin again.
    """
    if all_settings(office)["mail_unsure"] == HOLD and job.attempts > 1:
        raise Hopeless("mail-unsure")
    return {**payload, "unsure": True}


def _hand_over(office: Office, job: Job, payload: Mapping[str, Any], entry: Entry) -> Taken:
    """Hand a mail to the server; return when it took it."""
    settings = all_settings(office)
    server = mail_server(settings)
    message = write_mail(office, payload, job.key, settings)
    answers: list[Taken] = []
    try:
        hand_over(
            server, message, payload["to"],
            before_text=lambda: offer(office, job, payload),
            before_end=lambda: note_asked(entry),
            after_answer=lambda: answers.append(note_taken(entry, ANSWER)),
        )  # fmt: skip
    except BadInput as error:
        if error.code == "mail-refused":
            note_refused(entry)
        elif is_asked(entry) and settings["mail_unsure"] == HOLD:
            raise Hopeless("mail-unsure") from error
        raise
    return answers[0]


def write_mail(
    office: Office, payload: Mapping[str, Any], key: str, settings: Mapping[str, str]
) -> EmailMessage:
    """Return the message of a mail in the queue."""
    kind, language, path = payload["mail"], payload["language"], payload["path"]
    facts, lines = dict(payload["facts"]), list(payload["lines"])
    if kind in LINK_HOURS:
        path = f"/password/{new_link(office, facts.pop('user'), kind)}"
    if kind in NEWS_MAILS:
        with office.store.reading() as connection:
            lines = without_hidden(connection, lines)
    if kind.startswith("report-"):
        with office.store.reading() as connection:
            names = hidden_names(connection)
        written = [fact for fact in ("event", "reason") if fact in facts]
        facts |= {fact: "–" for fact in written if is_named(facts[fact], names)}
    if kind == "report-returned":
        lines = finding_lines(office, facts["report"], language)
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
    message = write_mail(office, payload, key, settings)
    hand_over(server, message, to)
    return server
