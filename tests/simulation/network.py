"""The mail server and the receiver of webhooks: what they took, and whether a second time is allowed."""

import smtplib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from typing import Any

from arpad.model.errors import BadInput
from tests.simulation.faults import Faults
from tests.simulation.scheduler import Scheduler

ANSWERS = ("450 later", "hang-up", "timeout", "550 no such user")
WEIGHTS = (5, 5, 3, 0.5)


@dataclass(eq=False, slots=True)
class Taken:
    """One mail or request that was taken."""

    key: str
    content: Any


@dataclass(eq=False)
class Network:
    """Everything that the office has sent."""

    scheduler: Scheduler
    faults: Faults
    mails: list[Taken] = field(default_factory=list)
    requests: list[Taken] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)
    """Each second taking that is wrong."""

    is_sent: Callable[[str], bool] = lambda _: False
    """Whether the queue says that a mail was sent."""

    is_delivered: Callable[[str], bool] = lambda _: False

    def take_mail(self, data: bytes) -> None:
        message = message_from_bytes(data, policy=policy.default)
        key = str(message["Message-ID"]).strip("<>").partition("@")[0]
        self._take(self.mails, key, (str(message["To"]), str(message["Subject"])), self.is_sent)

    def _take(self, taken: list[Taken], key: str, content: Any, noted: Callable[[str], bool]) -> None:
        """Keep what arrives; the same again is right only with the same words, until the queue has a note."""
        with self.scheduler.unseen():
            is_noted = noted(key)
        if is_noted:
            self.broken.append(f"{key} is sent again although that is noted")
        for earlier in taken:
            if earlier.key == key:
                if earlier.content != content:
                    self.broken.append(f"{key} is sent again with other words")
                self.faults.count("doubled")
        taken.append(Taken(key, content))

    def post(self, url: str, body: bytes, headers: Mapping[str, str], *, private_host: str = "") -> int:
        """Take a request in the place of ``system.web_requests.post``."""
        self.scheduler.pause("request")
        if self.faults.happens(self.faults.rates.server):
            if self.faults.random.random() < 0.5:
                return 503
            raise BadInput("webhook-silent", host="receiver.example.org")
        self._take(self.requests, headers["Arpad-Delivery"], body, self.is_delivered)
        self.scheduler.pause("request taken")
        if self.faults.happens(self.faults.rates.server):
            raise BadInput("webhook-silent", host="receiver.example.org")
        self.scheduler.pause("request answered")
        return 200


class SimulatedMailSession:
    """A session as of ``smtplib.SMTP``, with a server that may fail at each command."""

    def __init__(self, network: Network, host: str, port: int, timeout: float) -> None:
        self._network = network
        self._reply: tuple[int, bytes] = (250, b"taken")
        self._answer("connect")

    def _answer(self, command: str, usual: tuple[int, bytes] = (250, b"ok")) -> tuple[int, bytes]:
        self._network.scheduler.pause(command)
        faults = self._network.faults
        if faults.happens(faults.rates.server):
            (answer,) = faults.random.choices(ANSWERS, WEIGHTS)
            if answer == "timeout":
                self._network.scheduler.wait(None, 20, "mail server")
                raise TimeoutError("timed out")
            if answer == "hang-up":
                raise smtplib.SMTPServerDisconnected("Connection unexpectedly closed")
            return int(answer[:3]), answer[4:].encode()
        return usual

    def ehlo_or_helo_if_needed(self) -> None:
        self._answer("EHLO")

    def mail(self, _sender: str) -> tuple[int, bytes]:
        return self._answer("MAIL")

    def rcpt(self, _to: str) -> tuple[int, bytes]:
        return self._answer("RCPT")

    def docmd(self, command: str) -> tuple[int, bytes]:
        return self._answer(command, (354, b"go on"))

    def send(self, data: bytes) -> None:
        """Send the text, then the dot that ends it: the server takes the mail, or refuses it."""
        if data != b".\r\n":
            self._text = data
            return
        self._reply = self._answer("text")
        self._taken = self._reply[0] == 250
        if self._taken:
            self._network.take_mail(self._text)

    def getreply(self) -> tuple[int, bytes]:
        if not self._taken:
            return self._reply
        self._network.scheduler.pause("mail taken")
        faults = self._network.faults
        if faults.happens(faults.rates.server):
            raise smtplib.SMTPServerDisconnected("Connection unexpectedly closed")
        self._network.scheduler.pause("mail answered")
        return 250, b"taken"

    def putcmd(self, _command: str) -> None:
        pass

    def close(self) -> None:
        pass
