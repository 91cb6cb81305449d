"""``arpad office arbiter``, ``deadlines`` and ``sent`` on the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.commands import refusal, run, run_json

CSV = """name,fide,federation,title,licence_from,licence_until
"Conti, Elena",801001,ITA,IA,2018-01-01,2019-12-31
"Rossi, Mario",,ITA,NA,,
"""

pytestmark = pytest.mark.usefixtures("used_office")


def arbiters(capsys: pytest.CaptureFixture[str]) -> dict[str, dict[str, object]]:
    return {it["name"]: it for it in run_json(capsys, "office", "arbiter", "list")["arbiters"]}


def test_an_arbiter_is_entered_changed_and_licensed(capsys: pytest.CaptureFixture[str]) -> None:
    number = run_json(
        capsys, "office", "arbiter", "add", "Conti, Elena", "--title", "FA", "--from", "2018-01-01",
        "--until", "2018-12-31",
    )["arbiter"]  # fmt: skip
    run_json(capsys, "office", "arbiter", "change", str(number), "--title", "IA", "--federation", "ITA")
    run_json(capsys, "office", "arbiter", "licence", str(number), "--from", "2020-01-01")
    entered = arbiters(capsys)["Conti, Elena"]
    assert (entered["title"], entered["federation"]) == ("IA", "ITA")
    _, out, _ = run(capsys, "office", "arbiter", "list")
    assert "31 December 2018" in out
    assert "from 1 January 2020" in out


def test_arbiters_come_from_a_file_all_or_none(used_office: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = used_office / "arbiters.csv"
    file.write_text(CSV.replace("2019-12-31", "2017-12-31"), encoding="utf-8")
    assert str(file) in refusal(capsys, "office", "arbiter", "import", str(file))
    assert {*arbiters(capsys)} == {"Rossi, Mario"}
    file.write_text(CSV, encoding="utf-8")
    imported = run_json(capsys, "office", "arbiter", "import", str(file))
    assert imported["entered"] + imported["changed"] == 2
    assert arbiters(capsys)["Conti, Elena"]["fide"] == "801001"


def test_a_licence_needs_its_first_day(capsys: pytest.CaptureFixture[str]) -> None:
    for command in (("licence", "1"), ("add", "Neri, Ugo")):
        assert "from" in refusal(capsys, "office", "arbiter", *command, "--until", "2018-12-31")
    assert "77" in refusal(capsys, "office", "arbiter", "licence", "77", "--from", "2018-01-01")


def test_deadlines_say_what_is_overdue(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "office", "deadlines", "--all")
    assert "1 Open" in out
    assert "overdue" in out
    (event,) = run_json(capsys, "office", "deadlines", "--all")["events"]
    assert [it["state"] for it in event["deadlines"]] == ["met", "overdue", "overdue"]
    early = ("office", "deadlines", "--all", "--now", "2018-01-01T10:00:00Z")
    (event,) = run_json(capsys, *early)["events"]
    assert "overdue" not in [it["state"] for it in event["deadlines"]]


def test_a_report_is_sent_once_on_a_day(capsys: pytest.CaptureFixture[str]) -> None:
    accepted = [
        it["report"] for it in run_json(capsys, "office", "reports")["reports"] if it["status"] == "accepted"
    ]
    sent = run_json(capsys, "office", "sent", str(accepted[0]), "--day", "2018-03-01")
    assert sent["day"] == "2018-03-01"
    assert "99" in refusal(capsys, "office", "sent", "99")
