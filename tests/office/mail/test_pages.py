"""The page of mail: a test mail, and what was given up tried again."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from arpad.office.mails import queue_mail
from arpad.store.jobs import claim, fail
from arpad.worker.kinds import error_text
from tests.builders.mail_server import mail_server
from tests.builders.site_fixtures import Served, proof
from tests.office.mail.mail_office import mails_of, set_up_mail

PAGE = "/admin/mail"


def test_a_test_mail_is_sent_at_once_and_what_the_server_says_is_shown(own: Served) -> None:
    client = own.client("administrator")
    form = {"csrf": proof(client, PAGE), "from": f"{PAGE}?form=test#test", "address": "anna@example.org"}
    refused = client.post("/desk/acts/mail/test", data=form)
    assert (refused.status_code, "cannot send mails" in refused.text) == (422, True)
    with mail_server() as box:
        set_up_mail(replace(own.office, author="tests"), box.port)
        assert client.post("/desk/acts/mail/test", data=form).status_code == 303
        assert "took the mail to anna@example.org" in client.get(f"{PAGE}?form=test").text
        assert len(box.taken) == 1
    closed = client.post("/desk/acts/mail/test", data=form)
    assert (closed.status_code, "does not answer" in closed.text) == (422, True)


def test_a_mail_that_was_given_up_is_shown_and_tried_again(own: Served) -> None:
    set_up_mail(replace(own.office, author="tests"), 25)
    client = own.client("administrator")
    assert "not sent" not in client.get(PAGE).text
    with own.office.store.unlogged_writing() as connection:
        queue_mail(connection, "test", "anna@example.org", language="en", path="/")
        now = datetime.now(UTC)
        job = claim(connection, ["mail"], now + timedelta(days=1), timedelta(minutes=1))
        assert job is not None
        fail(connection, job, now, error_text(ValueError("broken")), give_up=True)
    page = client.get(PAGE).text
    assert "anna@example.org" in page
    assert "given up" in page
    form = {"csrf": proof(client, PAGE), "from": PAGE, "number": ""}
    assert client.post("/desk/acts/mail/retry", data=form).status_code == 303
    assert str(mails_of(own.office)[0].state) == "waiting"
