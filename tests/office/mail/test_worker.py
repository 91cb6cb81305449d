"""Mails from the act to the server: handed over once, tried again, given up; hidden players are in none of them."""

import dataclasses
import threading
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from email.message import EmailMessage
from pathlib import Path

import pytest

from arpad.model.errors import BadInput, Unreadable
from arpad.office.mail import worker as mails
from arpad.office.mail import worker as smtp
from arpad.office.mail.acts import retry_mails
from arpad.office.mail.worker import send_test
from arpad.office.mails import queue_mail
from arpad.office.office import Office
from arpad.store import jobs
from arpad.store.jobs import JobState
from arpad.worker.loop import work, work_once
from tests.builders.chess import event
from tests.builders.mail_server import Mailbox, mail_server
from tests.builders.offices import FEW, STANDARD, WIN, Clock, Desk, listed
from tests.builders.verbs import accept, publish, return_
from tests.office.mail.mail_office import SITE, add_person, mails_of, make_due, set_up_mail

FIRST, SECOND = "horse", "battery"


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    folder = tmp_path_factory.mktemp("office")
    made = Desk.made(str(folder / "office.db"), folder, Clock())
    made.list(date(2018, 1, 1), listed(1, 2000), listed(2, 1900))
    set_up_mail(made.office, 25)
    add_person(made.office, "anna")
    yield made
    made.office.close()


@pytest.fixture
def office(desk: Desk) -> Office:
    with desk.office.store.writing() as connection:
        jobs.remove(connection, "mail", [job.key for job in jobs.all_jobs(connection, ["mail"])])
    return desk.office


@pytest.fixture
def box(office: Office) -> Iterator[Mailbox]:
    with mail_server() as mailbox:
        set_up_mail(office, mailbox.port)
        yield mailbox


def queue_test(office: Office, to: str = "anna@example.org") -> str:
    with office.store.writing() as connection:
        return queue_mail(connection, "test", to, language="en", path="/")


def test_the_acts_on_a_report_are_told_to_its_sender(desk: Desk, office: Office, box: Mailbox) -> None:
    sender = dataclasses.replace(desk.office, author="anna")
    arbiter = dataclasses.replace(desk, office=sender)
    first = arbiter.send(event("Open <b>", WIN, date(2018, 1, 10))).report
    return_(office, first, reason="the <i>second</i> round is missing")
    second = arbiter.send(event("Closed", WIN, date(2018, 1, 13))).report
    accept(office, second)
    desk.on(date(2018, 2, 1))
    publish(office, STANDARD, date(2018, 2, 1), desk.folder / "lists", kinds=FEW)

    work_once(office)

    subjects = sorted(str(message["Subject"]) for _, message in box.taken)
    assert subjects == [
        "New standard list of 1 February 2018",
        f"Report {first} received: Open <b>",
        f"Report {first} returned: Open <b>",
        f"Report {second} accepted: Closed",
        f"Report {second} rated: Closed",
        f"Report {second} received: Closed",
    ]
    assert {to for to, _ in box.taken} == {"anna@example.org"}
    (returned,) = [message for _, message in box.taken if "returned" in str(message["Subject"])]
    plain, html = (returned.get_body((kind,)) for kind in ("plain", "html"))
    assert plain is not None
    assert html is not None
    assert "the <i>second</i> round is missing" in plain.get_content()
    assert f"{SITE}/desk/reports/{first}" in plain.get_content()
    assert "the &lt;i&gt;second&lt;/i&gt; round is missing" in html.get_content()
    assert "<i>" not in html.get_content()
    assert "<img" not in html.get_content()
    assert str(returned["From"]) == "Federazione <office@example.org>"
    for job in mails_of(office):
        assert job.state == JobState.DONE
        assert set(job.payload) == {"mail", "to", "language", "offered", "sent"}


def test_nothing_is_queued_without_a_server_or_for_a_kind_that_is_not_wanted(office: Office) -> None:
    set_up_mail(office, 25, mail_host="")
    assert queue_test(office) == ""
    assert mails_of(office) == []


@pytest.mark.parametrize("step", ["", "EHLO", "RCPT", "DATA", "."])
def test_a_server_that_refuses_for_now_gets_the_mail_again(office: Office, box: Mailbox, step: str) -> None:
    box.behave = {step: "450 later", "HELO": "450 later"}
    key = queue_test(office)
    work_once(office)
    (job,) = mails_of(office)
    assert (job.state, job.attempts) == (JobState.WAITING, 1)
    assert "450" in job.error

    box.behave = {}
    make_due(office)
    work_once(office)

    assert box.message_ids() == [f"<{key}@example.org>"]
    assert "unsure" not in mails_of(office)[0].payload


def test_a_refusal_for_good_is_given_up_and_can_be_tried_again(office: Office, box: Mailbox) -> None:
    box.behave = {"RCPT": "550 nobody here"}
    queue_test(office)
    work_once(office)
    (job,) = mails_of(office)
    assert (job.state, "nobody here" in job.error) == (JobState.FAILED, True)
    box.behave = {}
    make_due(office)
    work_once(office)
    assert len(box.taken) == 1


def test_a_mail_comes_twice_only_if_the_answer_is_lost_and_then_with_the_same_number(
    office: Office, box: Mailbox
) -> None:
    box.behave = {"after": "hang-up"}
    key = queue_test(office)
    work_once(office)
    assert [job.payload["offered"] for job in mails_of(office)] == [1]
    box.behave = {}
    make_due(office)
    work_once(office)
    assert box.message_ids() == 2 * [f"<{key}@example.org>"]
    (job,) = mails_of(office)
    assert (job.payload["offered"], job.payload["unsure"]) == (2, True)


def test_an_office_may_decide_itself_about_a_mail_whose_answer_was_lost(office: Office, box: Mailbox) -> None:
    set_up_mail(office, box.port, mail_unsure="hold")
    box.behave = {"after": "hang-up"}
    key = queue_test(office)
    work_once(office)
    (job,) = mails_of(office)
    assert (job.state, "mail-unsure" in job.error, len(box.taken)) == (JobState.FAILED, True, 1)
    box.behave = {}
    work_once(office)
    assert len(box.taken) == 1
    assert retry_mails(office, key).mails == 1
    work_once(office)
    (job,) = mails_of(office)
    assert (job.state, job.payload["unsure"]) == (JobState.DONE, True)
    assert box.message_ids() == 2 * [f"<{key}@example.org>"]
    set_up_mail(office, box.port, mail_unsure="again")


class Killed(BaseException):
    """The worker dies here."""


@pytest.mark.parametrize(("choice", "sent"), [("again", 1), ("hold", 0)])
def test_a_worker_that_dies_between_the_last_dot_and_the_answer(
    office: Office, box: Mailbox, choice: str, sent: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_up_mail(office, box.port, mail_unsure=choice)
    queue_test(office)

    def die(*_: object, before_end: Callable[[], None]) -> None:
        before_end()
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(mails, "hand_over", die)
        with pytest.raises(Killed):
            work_once(office, lease=timedelta(0))
    work_once(office)
    (job,) = mails_of(office)
    assert len(box.taken) == sent
    assert (job.state == JobState.DONE, job.payload.get("unsure", False)) == (bool(sent), bool(sent))
    set_up_mail(office, box.port, mail_unsure="again")


def test_a_worker_that_dies_after_the_answer_sends_again_with_the_same_number(
    office: Office, box: Mailbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lose_database(*_: object) -> None:
        raise Unreadable("database-not-opened", place="x", reason="away")

    key = queue_test(office)
    with monkeypatch.context() as patch:
        patch.setattr(mails, "write_note", lose_database)
        work_once(office)
    assert (len(box.taken), mails_of(office)[0].state) == (1, JobState.WAITING)
    make_due(office)
    work_once(office)
    (job,) = mails_of(office)
    assert box.message_ids() == 2 * [f"<{key}@example.org>"]
    assert (job.state, job.payload["unsure"]) == (JobState.DONE, True)
    assert job.payload.keys() == {"mail", "to", "language", "offered", "unsure", "sent"}


def test_a_worker_that_has_lost_its_claim_hands_nothing_over(
    office: Office, box: Mailbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    queue_test(office)
    monkeypatch.setattr(jobs, "amend", lambda *_: False)
    work_once(office)
    assert box.taken == []


def test_a_server_that_hangs_delays_nothing_else(office: Office, box: Mailbox) -> None:
    box.behave = {"": "hang"}
    queue_test(office)
    stop = threading.Event()
    worker = threading.Thread(target=work, args=(office, stop))
    worker.start()
    try:
        while mails_of(office)[0].state != JobState.RUNNING:
            stop.wait(0.02)
        with office.store.writing() as connection:
            jobs.enqueue(connection, "password-link", {"asked": "nobody"}, key="1")
        done = False
        while not done:
            with office.store.reading() as connection:
                (job,) = jobs.all_jobs(connection, ["password-link"])
            done = job.state == JobState.DONE
            stop.wait(0.02)
        assert mails_of(office)[0].state == JobState.RUNNING
    finally:
        box.released.set()
        stop.set()
        worker.join()


def test_a_server_that_never_answers_is_left_after_a_while(office: Office, box: Mailbox) -> None:
    box.behave = {"": "hang"}
    server = smtp.MailServer("127.0.0.1", box.port, "none", "", "office@example.org", timeout=0.05)
    with pytest.raises(BadInput, match="mail-server"):
        smtp.hand_over(server, EmailMessage(), "a@example.org")


def test_a_plain_server_is_refused_if_the_connection_must_be_encrypted(office: Office, box: Mailbox) -> None:
    set_up_mail(office, box.port, mail_tls="starttls")
    with pytest.raises(BadInput, match="mail-server"):
        send_test(office, "a@example.org")
    set_up_mail(office, box.port)
    assert send_test(office, "a@example.org").host == "127.0.0.1"
    assert [str(message["Subject"]) for _, message in box.taken] == ["Test mail of Federazione"]


def test_the_password_is_in_the_environment_or_in_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = {
        "mail_host": "h", "mail_port": "25", "mail_tls": "none", "mail_user": "u", "mail_sender": "s@x.org",
        "site_address": SITE,
    }  # fmt: skip
    monkeypatch.setenv(smtp.PASSWORD, FIRST)
    assert smtp.mail_server(settings).password == FIRST
    assert FIRST not in repr(smtp.mail_server(settings))
    (tmp_path / "password").write_text(f"{SECOND}\n", encoding="utf-8")
    monkeypatch.setenv(smtp.PASSWORD_FILE, str(tmp_path / "password"))
    assert smtp.mail_server(settings).password == SECOND
    monkeypatch.setenv(smtp.PASSWORD_FILE, str(tmp_path / "missing"))
    with pytest.raises(BadInput, match="mail-password-file"):
        smtp.mail_server(settings)


@pytest.mark.parametrize(
    "address", ["", "a", "a@", "a@b\nBcc: c@d.org", "a b@c.org", "a@b c", f"{'a' * 300}@b.org", "a@-b-"]
)
def test_what_is_no_address_is_refused(office: Office, address: str) -> None:
    set_up_mail(office, 25)
    with pytest.raises(BadInput, match="bad-address"):
        queue_test(office, address)
