"""A mail server on the loopback: it speaks SMTP, keeps what it took, and can refuse, hang, or hang up at a step."""

import base64
import random
import socketserver
import ssl
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any


@dataclass
class Mailbox:
    """What a server took, and how it behaves."""

    port: int = 0
    taken: list[tuple[str, EmailMessage]] = field(default_factory=list)
    behave: dict[str, str] = field(default_factory=dict)
    """Command → what happens at it: an answer such as ``450 later``, ``hang`` or ``hang-up``.

    ``.`` is the end of the text; ``after`` is just after it was taken, before the answer."""

    released: threading.Event = field(default_factory=threading.Event)
    delay: float = 0.0
    """At most so many seconds before each answer, so that a kill comes between two of them."""

    tls: str = ""
    """``tls`` from the first byte, ``starttls`` when asked; then mails without it are refused."""

    certificate: tuple[str, str] = ("", "")
    """The files of the certificate and its key, for TLS."""

    accounts: dict[str, str] = field(default_factory=dict)
    """Passwords by user; if there are any, a mail without a login is refused."""

    logins: list[str] = field(default_factory=list)
    """The users who logged in, after TLS began if there is any."""

    file: str = ""
    """Where the Message-ID of each mail is written before it is answered: it outlives the server."""

    def message_ids(self) -> list[str]:
        return [str(message["Message-ID"]) for _, message in self.taken]


@contextmanager
def mail_server(port: int = 0, mailbox: Mailbox | None = None) -> Iterator[Mailbox]:
    """Serve until the end of the block."""
    box = mailbox or Mailbox()

    class Session(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            with suppress(OSError, HangUp):
                if box.tls == "tls":
                    _begin_tls(self, box)
                _converse(self, box)

        def finish(self) -> None:
            super().finish()
            if isinstance(self.request, ssl.SSLSocket):
                self.request.close()  # the server knows only the socket below it

    class Server(socketserver.ThreadingTCPServer):
        allow_reuse_address = True
        daemon_threads = True

    with Server(("127.0.0.1", port), Session) as server:
        box.port = server.server_address[1]
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        try:
            yield box
        finally:
            box.released.set()
            server.shutdown()
            thread.join()


class HangUp(Exception):
    """The server closes the connection."""


def _answer(session: Any, box: Mailbox, step: str, usual: str) -> str:
    line = box.behave.get(step, usual)
    time.sleep(random.random() * box.delay)  # noqa: S311  a test
    if line == "hang":
        box.released.wait(600)
    if line in {"hang", "hang-up"}:
        raise HangUp
    session.wfile.write(f"{line}\r\n".encode())
    return line[:1]


def _begin_tls(session: Any, box: Mailbox) -> None:
    """Speak TLS from here on."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*box.certificate)
    session.request = context.wrap_socket(session.request, server_side=True, do_handshake_on_connect=False)
    session.request.do_handshake()
    session.rfile, session.wfile = session.request.makefile("rb"), session.request.makefile("wb", 0)


def _log_in(session: Any, box: Mailbox, line: str) -> None:
    """Check a login of the form ``AUTH PLAIN``."""
    _, user, password = base64.b64decode(line.split()[2]).decode().split("\0")
    known = bool(password) and box.accounts.get(user) == password
    if known:
        box.logins.append(user)
    _answer(session, box, "AUTH", "235 welcome" if known else "535 wrong password")


def _converse(session: Any, box: Mailbox) -> None:
    _answer(session, box, "", "220 loopback ESMTP")
    to = ""
    while raw := session.rfile.readline():
        line = raw.decode().rstrip("\r\n")
        verb = line[:4].upper()
        if verb == "RCPT":
            to = line.partition("<")[2].partition(">")[0]
        if verb == "EHLO" and (box.tls or box.accounts):
            _answer(session, box, verb, "250-loopback\r\n250-STARTTLS\r\n250 AUTH PLAIN")
            continue
        if verb == "STAR":
            _answer(session, box, verb, "220 begin")
            _begin_tls(session, box)
            continue
        if verb == "AUTH":
            _log_in(session, box, line)
            continue
        if verb == "MAIL" and _is_refused(session, box):
            _answer(session, box, verb, "530 TLS and a login first")
            continue
        if verb == "QUIT":
            _answer(session, box, verb, "221 bye")
            return
        if verb != "DATA":
            known = verb in {"EHLO", "HELO", "MAIL", "RCPT", "RSET"}
            _answer(session, box, verb, "250 ok" if known else "502 no such command")
        elif _answer(session, box, verb, "354 go on") == "3":
            _take(session, box, to)


def _is_refused(session: Any, box: Mailbox) -> bool:
    secret = isinstance(session.request, ssl.SSLSocket)
    return (bool(box.tls) and not secret) or (bool(box.accounts) and not box.logins)


def _take(session: Any, box: Mailbox, to: str) -> None:
    """Take a text, if it is not refused; without its last dot nothing was handed over."""
    text = b""
    for part in session.rfile:
        if part == b".\r\n":
            break
        text += part.removeprefix(b".")
    else:
        raise HangUp
    if "." in box.behave:
        _answer(session, box, ".", "250 taken")
        return
    message = message_from_bytes(text, policy=policy.default)
    box.taken.append((to, message))
    if box.file:
        with open(box.file, "a", encoding="ascii") as stream:  # noqa: PTH123  one write, one line
            stream.write(f"{message['Message-ID']}\n")
    _answer(session, box, "after", "250 taken")


if __name__ == "__main__":
    with mail_server(int(sys.argv[1]), Mailbox(file=sys.argv[2], delay=0.05)) as served:
        print(served.port, flush=True)  # noqa: T201  for the process that started this one
        threading.Event().wait()
