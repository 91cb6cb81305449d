"""Send the mails of the queue.

The queue notes that a server is asked to take a mail just before the dot that ends it, and its answer as soon as the
database can be written. If the worker, the server or the connection dies in between, nobody but the server knows
whether it has the mail: SMTP cannot be asked. The setting ``mail_unsure`` says what then happens. ``again``: it is sent
again with the same Message-ID and marked, so that the office knows which mails perhaps came twice. ``hold``: it is
given up with this reason until a person lets it be tried again, so that none comes twice.
"""

from __future__ import annotations

import os
import smtplib
import ssl
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.message import EmailMessage
from email.policy import SMTP as SMTP_POLICY
from pathlib import Path
from typing import Any

from arpad.model.errors import BadInput
from arpad.office.accounts.sessions import LINK_HOURS, new_link
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


PASSWORD, PASSWORD_FILE = "ARPAD_MAIL_PASSWORD", "ARPAD_MAIL_PASSWORD_FILE"
TIMEOUT_SECONDS = 20.0
"""How long each answer of a mail server is waited for."""

_START_DATA = 354
_REFUSED = 400
_PERMANENT = 500


@dataclass(frozen=True, slots=True)
class MailServer:
    """How a mail server is reached."""

    host: str
    port: int
    tls: str
    user: str
    sender: str
    password: str = field(repr=False, default="")
    timeout: float = TIMEOUT_SECONDS


def mail_server(settings: Mapping[str, str]) -> MailServer:
    """Return the mail server of the settings of an office; refuse if none is set."""
    for name in ("mail_host", "mail_sender", "site_address"):
        if not settings[name]:
            raise BadInput("mail-not-set", setting=name)
    return MailServer(
        settings["mail_host"],
        int(settings["mail_port"]),
        settings["mail_tls"],
        settings["mail_user"],
        settings["mail_sender"],
        _password(),
    )


def _password() -> str:
    path = os.environ.get(PASSWORD_FILE, "")
    if not path:
        return os.environ.get(PASSWORD, "")
    try:
        return Path(path).read_text(encoding="utf-8").rstrip("\r\n")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise BadInput("mail-password-file", path=path, reason=reason) from error


def _do_nothing() -> None:
    """Note nothing: for a mail that is in no queue."""


def hand_over(
    server: MailServer, message: EmailMessage, to: str, *, before_end: Callable[[], None] = _do_nothing
) -> None:
    """Hand a mail to the server; it has taken it when this returns.

    ``before_end`` is called before the dot that ends the text: until then the server cannot have the mail, and after it
    only its answer tells. ``mail-refused`` is its answer; any other error says nothing about the mail.
    """
    try:
        with _session(server) as session:
            _expect(session.mail(server.sender))
            _expect(session.rcpt(to))
            _expect(session.docmd("DATA"), _START_DATA)
            session.send(_as_sent(message))
            before_end()
            session.send(b".\r\n")
            _expect(session.getreply())
    except smtplib.SMTPResponseException as error:
        if error.smtp_code < _REFUSED:  # no answer at all: not a line of SMTP
            raise BadInput("mail-server", host=server.host, reason=str(error)) from error
        raise _refused(error.smtp_code, error.smtp_error) from error
    except (OSError, smtplib.SMTPException) as error:
        reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
        raise BadInput("mail-server", host=server.host, reason=reason) from error


@contextmanager
def _session(server: MailServer) -> Iterator[smtplib.SMTP]:
    """Open a session; its end asks for no answer: a mail that was taken must not fail because the server hangs up."""
    context = ssl.create_default_context()
    session: smtplib.SMTP
    if server.tls == "tls":
        session = smtplib.SMTP_SSL(server.host, server.port, timeout=server.timeout, context=context)
    else:
        session = smtplib.SMTP(server.host, server.port, timeout=server.timeout)
    try:
        session.ehlo_or_helo_if_needed()
        if server.tls == "starttls":
            session.starttls(context=context)
            session.ehlo()
        if server.user:
            session.login(server.user, server.password)
        yield session
        with suppress(OSError, smtplib.SMTPException):
            session.putcmd("QUIT")
    finally:
        session.close()


def _as_sent(message: EmailMessage) -> bytes:
    """Return the text of a mail before its last dot; a line that begins with a dot gets a second one."""
    data = message.as_bytes(policy=SMTP_POLICY)
    dotted = b"\r\n".join(b"." + line if line.startswith(b".") else line for line in data.split(b"\r\n"))
    return dotted + (b"" if dotted.endswith(b"\r\n") else b"\r\n")


def _expect(reply: tuple[int, bytes], code: int = 250) -> None:
    if reply[0] not in (code, code + 1):
        raise smtplib.SMTPResponseException(reply[0], reply[1])


def _refused(code: int, answer: bytes | str) -> BadInput:
    """Return the error of an answer: one that begins with 5 will not change."""
    text = answer.decode("utf-8", "replace") if isinstance(answer, bytes) else answer
    kind = Hopeless if _PERMANENT <= code < _PERMANENT + 100 else BadInput
    return kind("mail-refused", code=code, answer=" ".join(text.split())[:200])
