"""Webhooks from the act to the receiver: signed, repeated, logged, ended."""

import hmac
import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path

import pytest

from arpad.model.errors import BadInput, Unreadable
from arpad.office.accounts.keys import rotate_key
from arpad.office.privacy.acts import hide_player
from arpad.office.webhooks import rows, worker
from arpad.office.webhooks.acts import (
    ChangeKind,
    add_webhook,
    all_webhooks,
    remove_webhook,
    retry_webhook,
    webhook_log,
)
from arpad.office.webhooks.worker import forget_log
from arpad.store import jobs
from arpad.worker.kinds import KINDS
from arpad.worker.loop import work_once
from tests.builders.chess import event
from tests.builders.offices import STANDARD, WIN, Desk
from tests.builders.receivers import Receiver, receiving
from tests.builders.verbs import ledger, reports_on_file, revise, withdraw

SENT = {name: KINDS[name] for name in ("changes", "webhook")}
ACCEPTED = [ChangeKind.REPORT_ACCEPTED]
LATER = datetime(2018, 2, 10, tzinfo=UTC).date()


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as running:
        yield running


def signed(secret: str, headers: dict[str, str], body: bytes) -> bool:
    """Check a request as tools/api_page.py tells receivers to."""
    text = headers["Arpad-Timestamp"].encode() + b"." + body
    expected = "sha256=" + hmac.new(secret.encode(), text, sha256).hexdigest()
    recent = abs(datetime.now(UTC).timestamp() - int(headers["Arpad-Timestamp"])) < 300
    return recent and hmac.compare_digest(headers["Arpad-Signature"], expected)


def test_a_receiver_is_told_of_every_change_once(sqlite_out: Desk, receiver: Receiver) -> None:
    desk = sqlite_out
    added = add_webhook(desk.office, receiver.url + "/hook", private_host="127.0.0.1")
    number, secret = added.webhook, added.secret
    (report,) = reports_on_file(desk.office)
    withdraw(desk.office, report.id, reason="never played by Player 1")
    revise(desk.office, STANDARD, reason="never played by Player 1")
    work_once(desk.office, kinds=SENT)
    work_once(desk.office, kinds=SENT)

    kinds = [json.loads(request.body)["kind"] for request in receiver.requests]
    assert sorted(kinds) == ["list-corrected", "report-withdrawn"]
    for request in receiver.requests:
        assert signed(secret, dict(request.headers), request.body)
        assert not signed("whsec_other", dict(request.headers), request.body)
        assert b"Player" not in request.body
        assert request.headers["Arpad-Event"] == json.loads(request.body)["kind"]
    log = webhook_log(desk.office, number).deliveries
    assert [(item.status, item.attempts, bool(item.accepted)) for item in log] == [(200, 1, True)] * 2
    assert secret not in Path(desk.place).read_bytes().decode("latin-1")
    assert "secret" not in str(ledger(desk.office)[-1].facts)


def test_a_receiver_that_refuses_is_told_again(sqlite_out: Desk, receiver: Receiver) -> None:
    desk = sqlite_out
    number = add_webhook(desk.office, receiver.url, kind=ACCEPTED, private_host="127.0.0.1").webhook
    receiver.status = 500
    accepted = desk.report(event("Second", WIN, LATER))
    work_once(desk.office, kinds=SENT)
    work_once(desk.office, kinds=SENT)  # its next attempt is not due yet
    assert len(receiver.requests) == 1
    (item,) = webhook_log(desk.office).deliveries
    assert (item.kind, item.status, item.error, item.accepted) == (
        "report-accepted",
        500,
        "webhook-status",
        None,
    )
    with desk.office.store.reading() as connection:
        (job,) = jobs.all_jobs(connection, ["webhook"])
    assert job.due > datetime.now(UTC) + timedelta(seconds=10)

    receiver.status = 204
    assert retry_webhook(desk.office, number).changes == 1
    work_once(desk.office, kinds=SENT)
    assert [json.loads(request.body)["tournament"] for request in receiver.requests] == [accepted, accepted]
    assert receiver.requests[0].body == receiver.requests[1].body
    (item,) = webhook_log(desk.office, number).deliveries
    assert (item.attempts, item.status, bool(item.accepted)) == (2, 204, True)
    assert retry_webhook(desk.office, number).changes == 0


def test_a_request_whose_note_was_lost_comes_again_with_the_same_words(
    sqlite_out: Desk, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lose_database(*_: object) -> None:
        raise Unreadable("database-not-opened", place="x", reason="away")

    desk = sqlite_out
    number = add_webhook(desk.office, receiver.url, kind=ACCEPTED, private_host="127.0.0.1").webhook
    report = desk.report(event("Second", WIN, LATER))
    with monkeypatch.context() as patch:
        patch.setattr(worker, "write_note", lose_database)
        work_once(desk.office, kinds=SENT)
    withdraw(desk.office, report, reason="it was never played")  # its name is no longer public
    retry_webhook(desk.office, number)
    work_once(desk.office, kinds=SENT)
    first, second = receiver.requests
    assert (first.body, first.headers["Arpad-Delivery"]) == (second.body, second.headers["Arpad-Delivery"])
    with desk.office.store.reading() as connection:
        (job,) = jobs.all_jobs(connection, ["webhook"])
    assert (job.state, set(job.payload)) == (jobs.JobState.DONE, {"webhook", "change"})


def test_a_worker_whose_job_is_another_workers_sends_nothing(
    sqlite_out: Desk, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = sqlite_out

    def claim_by_another(*_: object) -> tuple[bytes, dict[str, str]]:
        with desk.office.store.unlogged_writing() as connection:
            jobs.claim(connection, ["webhook"], datetime.now(UTC) + timedelta(hours=13), timedelta(minutes=1))
        return b"", {}

    add_webhook(desk.office, receiver.url, kind=ACCEPTED, private_host="127.0.0.1")
    desk.report(event("Second", WIN, LATER))
    monkeypatch.setattr(worker, "signed_request", claim_by_another)
    work_once(desk.office, kinds=SENT)
    assert receiver.requests == []


def test_gone_and_redirected_receivers(sqlite_out: Desk, receiver: Receiver) -> None:
    desk = sqlite_out
    add_webhook(desk.office, receiver.url, kind=ACCEPTED, private_host="127.0.0.1")
    receiver.status, receiver.location = 301, "/elsewhere"
    desk.report(event("Second", WIN, LATER))
    work_once(desk.office, kinds=SENT)
    assert [request.path for request in receiver.requests] == ["/"]
    receiver.status, receiver.location = 410, ""
    desk.report(event("Third", WIN, LATER + timedelta(days=1)))
    work_once(desk.office, kinds=SENT)
    with desk.office.store.reading() as connection:
        states = {job.state for job in jobs.all_jobs(connection, ["webhook"])}
    assert states == {"waiting", "failed"}


def test_a_webhook_is_removed_with_all_that_waits(sqlite_out: Desk, receiver: Receiver) -> None:
    desk = sqlite_out
    number = add_webhook(desk.office, receiver.url, private_host="127.0.0.1").webhook
    desk.report(event("Second", WIN, LATER))
    work_once(desk.office, kinds={"changes": SENT["changes"]})
    remove_webhook(desk.office, number)
    work_once(desk.office, kinds=SENT)
    told = [*receiver.requests, *all_webhooks(desk.office).webhooks, *webhook_log(desk.office).deliveries]
    assert told == []
    for act in (remove_webhook, retry_webhook):
        with pytest.raises(BadInput, match="no-webhook"):
            act(desk.office, number)


def test_a_hidden_player_is_in_no_request_even_after_a_failure(sqlite_out: Desk, receiver: Receiver) -> None:
    desk = sqlite_out
    number = add_webhook(desk.office, receiver.url, kind=ACCEPTED, private_host="127.0.0.1").webhook
    receiver.status = 500
    desk.report(event("Memorial Player", WIN, LATER))
    work_once(desk.office, kinds=SENT)
    assert json.loads(receiver.requests[0].body)["name"] == "Memorial Player"
    hide_player(desk.office, 1, reason="asked")
    retry_webhook(desk.office, number)
    work_once(desk.office, kinds=SENT)
    assert json.loads(receiver.requests[1].body)["name"] == ""


def test_who_may_be_a_receiver(sqlite_desk: Desk) -> None:
    office = sqlite_desk.office
    for url, host, code in (
        ("https://127.0.0.1/", "", "webhook-private"),
        ("https://localhost/", "", "webhook-private"),
        ("http://localhost/", "", "webhook-https"),
        ("http://localhost/", "127.0.0.1", "webhook-https"),
        ("https://localhost/", "127.0.0.1", "webhook-other-host"),
    ):
        with pytest.raises(BadInput) as refused:
            add_webhook(office, url, private_host=host)
        assert refused.value.code == code, url
    assert all_webhooks(office).webhooks == ()


def test_a_new_key_keeps_the_secrets(sqlite_out: Desk, receiver: Receiver) -> None:
    desk = sqlite_out
    secret = add_webhook(desk.office, receiver.url, kind=ACCEPTED, private_host="127.0.0.1").secret
    assert rotate_key(desk.office) == 1
    desk.report(event("Second", WIN, LATER))
    work_once(desk.office, kinds=SENT)
    (request,) = receiver.requests
    assert signed(secret, dict(request.headers), request.body)


def test_the_log_is_forgotten_after_two_months_except_what_is_owed(
    sqlite_out: Desk, receiver: Receiver
) -> None:
    desk = sqlite_out
    number = add_webhook(desk.office, receiver.url, private_host="127.0.0.1").webhook
    old = (datetime.now(UTC) - timedelta(days=61)).isoformat(timespec="seconds")
    with desk.office.store.unlogged_writing() as connection:
        for change in ("1.0", "2.0"):
            rows.add_delivery(connection, number, change, "list-published", old)
        rows.add_attempt(connection, rows.Attempt(number, "1.0", old, 200, ""), done=True)
        (job,) = [
            jobs.Job("x", "", {}, jobs.JobState.RUNNING, datetime.now(UTC), 1, 1, "", "", datetime.now(UTC))
        ]
    assert len(webhook_log(desk.office).deliveries) == 2
    forget_log(desk.office, job)
    assert [(item.change, item.accepted) for item in webhook_log(desk.office).deliveries] == [("2.0", None)]
