"""The commands about who is who, as a person types them, in words and as JSON."""

import io
import json
from pathlib import Path
from typing import Any

import pytest

from tests.builders.unsafe_reports import NATIONAL, NO_NUMBERS, WRONG_HOLDER, irish_office
from tests.commands import refusal, run, run_json


@pytest.fixture
def office(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Path:
    irish_office(tmp_path).close()
    monkeypatch.setenv("ARPAD_DB", str(tmp_path / "irl.db"))
    monkeypatch.setenv("ARPAD_AUTHOR", "T. Officer")
    for name, data in (("near", NO_NUMBERS), ("holder", WRONG_HOLDER), ("national", NATIONAL)):
        (tmp_path / f"{name}.trf").write_bytes(data)
    return tmp_path


NOW = ("--now", "2018-01-20T10:00:00Z")


def run_with_errors(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    """The JSON document of a command that leaves something undone: status 1."""
    status, out, err = run(capsys, *arguments, "--json")
    assert (status, err) == (1, ""), err
    document: dict[str, Any] = json.loads(out)
    return document


def test_near_names_are_doubtful_and_nothing_accepts_them(
    office: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """B1 and B2: candidates are data, and neither accept nor accept --all takes the report."""
    document = run_with_errors(capsys, "office", "submit", str(office / "near.trf"), "--accept", *NOW)
    (report,) = document["reports"]
    assert [item["candidates"][0]["player"] for item in report["doubts"]] == [1, 2, 3, 4]
    assert report["status"] == "received"
    sentence = refusal(capsys, "office", "accept", "1", *NOW)
    assert "choose a player" in sentence
    left = run_with_errors(capsys, "office", "accept", "--all", *NOW)
    assert left["accepted"] == []
    assert [(item["report"], item["codes"]) for item in left["left"]] == [(1, ["match-ambiguous"])]

    status, out, _ = run(capsys, "office", "matches", "1", "--lang", "en")
    assert (status, "Short, Nigel D." in out, "similar name" in out) == (0, True, True)
    decided = run_json(capsys, "office", "match", "1", "1=1", "2=2", "3=3", *NOW)
    assert decided["undecided"] == [4]
    assert "match-decided" not in refusal(capsys, "office", "match", "1", "1=new", *NOW)
    run_json(capsys, "office", "match", "1", "4=new", *NOW)
    accepted = run_json(capsys, "office", "accept", "1", *NOW)
    assert (accepted["players"], accepted["newcomers"]) == ([1, 2, 3, 5], [5])
    aliases = run_json(capsys, "office", "alias", "list", "nigel")["aliases"]
    assert [(item["name"], item["player"], item["author"]) for item in aliases] == [
        ("Short, Nigel", 1, "T. Officer")
    ]
    run_json(capsys, "office", "alias", "revoke", str(aliases[0]["alias"]), "--reason", "a slip", *NOW)
    assert run_json(capsys, "office", "alias", "list", "nigel")["aliases"] == []


def test_doubtful_entrants_are_asked_for_before_all_are_accepted(
    office: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    run_with_errors(capsys, "office", "submit", str(office / "near.trf"), "--accept", *NOW)
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n"))  # the end of input cancels
    assert run(capsys, "office", "accept", "--all", "--ask", *NOW)[0] != 0
    (report,) = run_json(capsys, "office", "reports")["reports"]
    assert report["status"] == "received"

    monkeypatch.setattr("sys.stdin", io.StringIO("77\n1\n2\n3\nnew\n"))
    status, out, _ = run(capsys, "office", "accept", "--all", "--ask", *NOW, "--lang", "en")
    assert status == 0
    assert "77" in out
    assert "Short, Nigel D." in out
    (report,) = run_json(capsys, "office", "reports")["reports"]
    assert report["status"] == "accepted"
    (alias,) = run_json(capsys, "office", "alias", "list", "nigel")["aliases"]
    assert alias["player"] == 1


def _asking(office: Path) -> tuple[str, ...]:
    return ("office", "submit", str(office / "near.trf"), "--accept", "--ask", *NOW, "--lang", "en")


def test_doubtful_entrants_are_asked_for_when_reports_are_submitted(
    office: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n2\n3\nnew\n"))

    status, out, _ = run(capsys, *_asking(office))

    assert status == 0
    assert "Short, Nigel D." in out
    (report,) = run_json(capsys, "office", "reports")["reports"]
    assert report["status"] == "accepted"
    (alias,) = run_json(capsys, "office", "alias", "list", "nigel")["aliases"]
    assert alias["player"] == 1


def test_a_cancelled_question_leaves_the_submitted_report_in_the_inbox(
    office: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n"))

    status, out, _ = run(capsys, *_asking(office))

    assert status == 1
    assert "near.trf: report 1" in out
    (report,) = run_json(capsys, "office", "reports")["reports"]
    assert report["status"] == "received"
    assert run_json(capsys, "office", "alias", "list", "nigel")["aliases"] == []


def test_questions_need_the_whole_inbox_and_words(office: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for options in (("1", "--ask"), ("--all", "--ask", "--json")):
        assert "--ask" in refusal(capsys, "office", "accept", *options, *NOW)
    report = str(office / "near.trf")
    for others in ("", "--accept --json", "--accept --together", "--accept --replaces 1"):
        assert "--ask" in refusal(capsys, "office", "submit", report, "--ask", *others.split(), *NOW)
