"""``arpad office webhook``: added, listed, its log, and removed."""

from __future__ import annotations

import pytest

from tests.commands import refusal, run, run_json

pytestmark = pytest.mark.usefixtures("used_office")


def test_a_webhook_is_added_listed_and_removed(capsys: pytest.CaptureFixture[str]) -> None:
    added = run_json(
        capsys, "office", "webhook", "add", "http://127.0.0.1:9/a", "--private-host", "127.0.0.1",
        "--kind", "list-published",
    )  # fmt: skip
    assert added["secret"]
    number = str(added["webhook"])
    _, out, _ = run(capsys, "office", "webhook", "list")
    assert "http://127.0.0.1:9/a" in out
    assert added["secret"] not in out
    (_, second) = run_json(capsys, "office", "webhook", "list")["webhooks"]
    assert (second["kinds"], second["private_host"]) == (["list-published"], "127.0.0.1")
    run_json(capsys, "office", "webhook", "remove", number)
    run_json(capsys, "office", "webhook", "remove", "1")
    assert run(capsys, "office", "webhook", "list")[1].startswith("No ")
    assert number in refusal(capsys, "office", "webhook", "remove", number)


def test_the_log_says_what_a_receiver_accepted(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "office", "webhook", "log")
    assert "accepted" in out
    (delivery,) = run_json(capsys, "office", "webhook", "log", "1")["deliveries"]
    assert (delivery["kind"], delivery["attempts"], delivery["status"]) == ("list-published", 1, 200)
    assert run_json(capsys, "office", "webhook", "retry", "1")["changes"] == 0  # it was accepted
    assert "7" in refusal(capsys, "office", "webhook", "log", "7")


def test_a_private_host_must_be_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert "private" in refusal(capsys, "office", "webhook", "add", "http://127.0.0.1:9/other")
