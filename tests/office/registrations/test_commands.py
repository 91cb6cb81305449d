"""``arpad office tournament deadlines`` and ``sent`` on the command line."""

import pytest

from tests.commands import refusal, run, run_json

pytestmark = pytest.mark.usefixtures("used_office")


def test_deadlines_say_what_is_overdue(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "office", "tournament", "deadlines", "--everything")
    assert "1 Open" in out
    assert "overdue" in out
    (event,) = run_json(capsys, "office", "tournament", "deadlines", "--everything")["events"]
    assert [it["state"] for it in event["deadlines"]] == ["met", "overdue", "overdue"]
    early = ("office", "tournament", "deadlines", "--everything", "--now", "2018-01-01T10:00:00Z")
    (event,) = run_json(capsys, *early)["events"]
    assert "overdue" not in [it["state"] for it in event["deadlines"]]


def test_a_report_is_sent_once_on_a_day(capsys: pytest.CaptureFixture[str]) -> None:
    accepted = [
        it["report"] for it in run_json(capsys, "office", "reports")["reports"] if it["status"] == "accepted"
    ]
    sent = run_json(capsys, "office", "tournament", "sent", str(accepted[0]), "--day", "2018-03-01")
    assert sent["day"] == "2018-03-01"
    assert "99" in refusal(capsys, "office", "tournament", "sent", "99")
