"""Send the mails of the queue.

The queue notes that a server is asked to take a mail just before the dot that ends it, and its answer as soon as the
database can be written. If the worker, the server or the connection dies in between, nobody but the server knows
whether it has the mail: SMTP cannot be asked. The setting ``mail_unsure`` says what then happens. ``again``: it is sent
again with the same Message-ID and marked, so that the office knows which mails perhaps came twice. ``hold``: it is
given up with this reason until a person lets it be tried again, so that none comes twice.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from email.message import EmailMessage
from typing import Any

from arpad.model.errors import BadInput
from arpad.office.accounts.password_links import LINK_HOURS, new_link
from arpad.office.mail.server import MailServer, hand_over, mail_server
from arpad.office.mail.text import (
    build_message,
    finding_lines,
    hidden_names,
    is_named,
    mail_text,
    without_hidden,
)
from arpad.office.mails import HOLD
from arpad.office.office import Office, iso_time
from arpad.office.parts import names_players
from arpad.office.settings.acts import all_settings
from arpad.office.settings.logo import read_logo
from arpad.store.jobs import Job
from arpad.system.event_log import log_event
from arpad.worker.kinds import Hopeless, amend_job, write_note

SHOWN = ("mail", "to", "language", "offered", "unsure", "sent")
"""What stays of a mail that was sent: enough for the list of mails, nothing of its text."""

ASKED = "asked"
"""In the payload of a mail that the server was asked to take, while it is not known that the server refused it."""


def send_mail(office: Office, job: Job) -> None:
    """Send a mail, unless it was sent before."""
    if "sent" in job.payload:
        return
    settings = all_settings(office)
    payload = {**job.payload, "offered": job.payload.get("offered", 0) + 1}
    if payload.pop(ASKED, False):
        # only ``retry_mails`` lets a mail begin again with its first attempt: then the office has decided
        if settings["mail_unsure"] == HOLD and job.attempts > 1:
            raise Hopeless("mail-unsure")
        payload["unsure"] = True
    _hand_over(office, job, payload, settings)
    sent = {name: payload[name] for name in SHOWN if name in payload}
    sent["sent"] = iso_time(datetime.now(UTC))
    write_note(office, lambda connection: amend_job(connection, job, sent))
    log_event("mail", kind=payload["mail"], attempt=payload["offered"], outcome="sent")


def _hand_over(office: Office, job: Job, payload: Mapping[str, Any], settings: Mapping[str, str]) -> None:
    """Hand a mail to the server; raise if it did not take it, or if that is not known."""
    server = mail_server(settings)
    message = write_mail(office, payload, job.key, settings)
    is_asked = False

    def note_asked() -> None:
        nonlocal is_asked
        with office.store.unlogged_writing() as connection:
            amend_job(connection, job, {**payload, ASKED: True})
        is_asked = True

    try:
        hand_over(server, message, payload["to"], before_end=note_asked)
    except BadInput as error:
        if is_asked and error.code == "mail-refused":
            write_note(office, lambda connection: amend_job(connection, job, payload))
        elif is_asked and settings["mail_unsure"] == HOLD:
            raise Hopeless("mail-unsure") from error
        raise


def write_mail(
    office: Office, payload: Mapping[str, Any], key: str, settings: Mapping[str, str]
) -> EmailMessage:
    """Return the message of a mail in the queue."""
    kind, language, path = payload["mail"], payload["language"], payload["path"]
    facts, lines = dict(payload["facts"]), list(payload["lines"])
    if kind in LINK_HOURS:
        path = f"/password/{new_link(office, facts.pop('user'), kind)}"
    if names_players(kind):
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
    with office.store.reading() as connection:
        logo = read_logo(connection)
    return build_message(
        text, logo=logo, sender=settings["mail_sender"], office=settings["name"], to=payload["to"], key=key,
        one_click=payload["end_path"].startswith("/follow/"),
    )  # fmt: skip


def send_test(office: Office, to: str) -> MailServer:
    """Send a test mail at once; return the server that took it."""
    settings = all_settings(office)
    server = mail_server(settings)
    payload = {
        "mail": "test", "to": to, "language": settings["language"], "facts": {}, "lines": [], "path": "/",
        "end_path": "",
    }  # fmt: skip
    key = f"test-{datetime.now(UTC).timestamp():.6f}"
    message = write_mail(office, payload, key, settings)
    hand_over(server, message, to)
    return server
