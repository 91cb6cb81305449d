"""The way to a mail server: TLS from the first byte or when asked for, a login, and certificates that are not right."""

from email.message import EmailMessage
from pathlib import Path

import pytest

from arpad.model.errors import BadInput
from arpad.office.mail.worker import MailServer, hand_over
from arpad.worker.kinds import Hopeless
from tests.builders.certificates import CHAIN, KEY, write_certificate
from tests.builders.mail_server import Mailbox, mail_server

USER, SECRET = "office", "correct horse"


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("certificates")
    write_certificate(folder, "mail.example.org")
    return folder


def deliver(box: Mailbox, tls: str, *, user: str = USER, password: str = SECRET) -> None:
    message = EmailMessage()
    message["Message-ID"] = "<1@example.org>"
    message.set_content("text\n")
    with mail_server(mailbox=box) as running:
        server = MailServer("127.0.0.1", running.port, tls, user, "office@example.org", password, timeout=30)
        hand_over(server, message, "anna@example.org")


def box_with(certificates: Path, tls: str) -> Mailbox:
    files = (str(certificates / CHAIN), str(certificates / KEY))
    return Mailbox(tls=tls, certificate=files, accounts={USER: SECRET})


@pytest.mark.parametrize("tls", ["tls", "starttls"])
def test_a_mail_goes_over_tls_with_a_login(
    tls: str, certificates: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificates / CHAIN))
    box = box_with(certificates, tls)
    deliver(box, tls)
    assert (box.message_ids(), box.logins) == (["<1@example.org>"], [USER])


def test_a_wrong_password_is_given_up(certificates: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificates / CHAIN))
    box = box_with(certificates, "starttls")
    with pytest.raises(Hopeless, match="535"):
        deliver(box, "starttls", password="wrong")  # noqa: S106  nobody's
    assert box.taken == []


@pytest.mark.parametrize("tls", ["tls", "starttls"])
def test_an_unknown_certificate_gets_neither_password_nor_mail(
    tls: str, certificates: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that nobody trusts, and one of which the day has passed."""
    box = box_with(certificates, tls)
    with pytest.raises(BadInput, match="mail-server"):
        deliver(box, tls)
    write_certificate(tmp_path, "mail.example.org", days=-1)
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / CHAIN))
    with pytest.raises(BadInput, match="mail-server"):
        deliver(box_with(tmp_path, tls), tls)
    assert (box.taken, box.logins) == ([], [])


def test_a_server_without_tls_gets_nothing_if_the_office_wants_it() -> None:
    box = Mailbox(accounts={USER: SECRET}, behave={"STAR": "502 no"})
    with pytest.raises(BadInput):
        deliver(box, "starttls")
    assert (box.taken, box.logins) == ([], [])
