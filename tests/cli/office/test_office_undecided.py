"""Unknown is not standard, on the command line: check, submit, accept, decide."""

import json
from datetime import date
from pathlib import Path

import pytest

from tests.builders.chess import event
from tests.builders.offices import WIN, list_bytes, listed, trf
from tests.commands import refusal, run, run_json

NO_CONTROL = b"\n".join(
    line for line in trf(event("Open", WIN, date(2018, 1, 10))).split(b"\n") if not line.startswith(b"122")
)


@pytest.fixture
def report(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> str:
    """The number of a report without a time control, on file in an office of its own."""
    monkeypatch.setenv("ARPAD_DB", str(tmp_path / "office.db"))
    monkeypatch.setenv("ARPAD_AUTHOR", "T. Officer")
    (tmp_path / "list.txt").write_bytes(list_bytes(date(2018, 1, 1), listed(1, 2000), listed(2, 1900)))
    (tmp_path / "open.trf").write_bytes(NO_CONTROL)
    run_json(capsys, "office", "init", "--federation", "ITA", "--now", "2018-01-01T10:00:00Z")
    run_json(capsys, "office", "import-list", str(tmp_path / "list.txt"), "--date", "2018-01-01", "--yes")
    status, out, _ = run(capsys, "office", "submit", str(tmp_path / "open.trf"), "--accept", "--json")
    assert status == 1
    return str(json.loads(out)["reports"][0]["report"])


def test_a_lone_report_needs_a_stated_list(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "open.trf"
    path.write_bytes(NO_CONTROL)
    for verb in ("check", "rate"):
        status, out, _ = run(capsys, verb, str(path), "--json")
        assert status == 1
        assert "list-undecided" in {finding["code"] for finding in json.loads(out)["findings"]}
        run_json(capsys, verb, str(path), "--list", "standard")


def test_accept_says_in_sentences_what_is_wrong(report: str, capsys: pytest.CaptureFixture[str]) -> None:
    sentence = refusal(capsys, "office", "accept", report)
    assert "on which list it counts is undecided" in sentence
    assert "list-undecided" not in sentence
    status, out, _ = run(capsys, "office", "accept", "--all")
    assert status == 1
    assert "on which list it counts is undecided" in out
    status, out, _ = run(capsys, "office", "accept", "--all", "--json")
    (left,) = json.loads(out)["left"]
    assert (left["report"], left["codes"]) == (int(report), ["list-undecided"])
    overruled = refusal(
        capsys, "office", "accept", report, "--overrule", "list-undecided", "--reason", "it was standard"
    )
    assert "cannot be overruled" in overruled


def test_a_decision_puts_it_on_its_list(report: str, capsys: pytest.CaptureFixture[str]) -> None:
    run_json(
        capsys, "office", "decide", "fact", "--report", report, "--value", "time_control=90+30", "--reason", "letter"
    )  # fmt: skip
    assert run_json(capsys, "office", "accept", report)["report"] == int(report)
