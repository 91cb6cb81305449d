"""The mail server of the office: how it is reached, and the handing over of one mail.

The password is never in the database: it is in ``ARPAD_MAIL_PASSWORD``, or in the file that
``ARPAD_MAIL_PASSWORD_FILE`` names.
"""

from __future__ import annotations

import os
import smtplib
import ssl
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from email.message import EmailMessage
from email.policy import SMTP as SMTP_POLICY
from pathlib import Path

from arpad.model.errors import BadInput
from arpad.worker.kinds import Hopeless

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
