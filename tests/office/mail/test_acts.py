"""``arpad office mail`` and ``jobs`` in words: the queue, and another attempt."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from arpad.office.mails import queue_mail
from arpad.office.office import Office, open_office
from arpad.store.jobs import claim, fail
from arpad.worker.kinds import error_text
from tests.builders.mail_server import Mailbox, mail_server
from tests.commands import refusal, run, run_json
from tests.office.mail.mail_office import set_up_mail


@pytest.fixture
def box() -> Iterator[Mailbox]:
    with mail_server() as box:
        yield box


@pytest.fixture
def office(used_office: Path, box: Mailbox) -> Iterator[Office]:
    office = open_office(str(used_office / "office.db"), author="T. Officer")
    set_up_mail(office, box.port)
    yield office
    office.close()


def test_a_mail_that_failed_is_shown_with_its_reason_and_tried_again(
    office: Office, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "No mails" in run(capsys, "office", "mail", "list")[1]
    with office.store.unlogged_writing() as connection:
        queue_mail(connection, "test", "anna@example.org", language="en", path="/")
        job = claim(connection, ["mail"], office.now() + timedelta(days=1), timedelta(minutes=1))
        assert job is not None
        fail(connection, job, office.now(), error_text(ConnectionRefusedError("no server")), give_up=True)
    _, out, _ = run(capsys, "office", "mail", "list")
    assert "anna@example.org" in out
    (mail,) = run_json(capsys, "office", "mail", "list")["mails"]
    assert (mail["to"], mail["attempts"], mail["sent"]) == ("anna@example.org", 1, None)
    assert "ConnectionRefusedError" in mail["error"]
    assert "given up" in out
    assert run_json(capsys, "office", "mail", "retry")["mails"] == 1
    (queued,) = [it for it in run_json(capsys, "office", "jobs")["jobs"] if it["kind"] == "mail"]
    assert (queued["key"], queued["state"]) == (mail["number"], "waiting")


@pytest.mark.usefixtures("office")
def test_a_test_mail_arrives(box: Mailbox, capsys: pytest.CaptureFixture[str]) -> None:
    told = run_json(capsys, "office", "mail", "test", "anna@example.org")
    assert told["address"] == "anna@example.org"
    ((_, message),) = box.taken
    assert message["To"] == "anna@example.org"
    assert "anna" in refusal(capsys, "office", "mail", "test", "anna at example")


@pytest.mark.usefixtures("used_office")
def test_jobs_are_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "office", "jobs")
    assert "tell webhooks and followers of changes" in out
    assert "waiting" in out
