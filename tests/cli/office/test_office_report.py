"""arpad office report: everything about a report on file, in words and as JSON."""

from datetime import date
from pathlib import Path

import pytest

from tests.builders.chess import event
from tests.builders.offices import WIN, list_bytes, listed, trf
from tests.commands import run, run_json


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("office")


@pytest.fixture
def report(office: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> str:
    """The number of a report on file whose list was decided."""
    monkeypatch.setenv("ARPAD_DB", str(office / "office.db"))
    monkeypatch.setenv("ARPAD_AUTHOR", "T. Officer")
    if not (office / "office.db").exists():
        data = trf(event("Open", WIN, date(2018, 1, 10))).replace(b"122 ", b"### ")
        (office / "list.txt").write_bytes(list_bytes(date(2018, 1, 1), listed(1, 2000), listed(2, 1900)))
        (office / "open.trf").write_bytes(data)
        run_json(capsys, "office", "init", "--federation", "ITA", "--now", "2018-01-01T10:00:00Z")
        run_json(capsys, "office", "import-list", str(office / "list.txt"), "--date", "2018-01-01", "--yes")
        run(capsys, "office", "submit", str(office / "open.trf"), "--now", "2018-01-11T10:00:00Z")
        run_json(capsys, "office decide fact --report 1 --value list=rapid --reason letter")
    return "1"


def test_everything_about_a_report_as_json(report: str, capsys: pytest.CaptureFixture[str]) -> None:
    document = run_json(capsys, "office", "report", report)
    assert document["schema"] == "arpad.office-report/1"
    assert (document["list"], document["list_undecided"], document["players"], document["rounds"]) == (
        "rapid", False, 2, 1,
    )  # fmt: skip
    assert "list-undecided" not in {finding["code"] for finding in document["findings"]}
    assert [(match["number"], match["player"]) for match in document["matches"]] == [(1, 1), (2, 2)]
    assert [player["name"] for player in document["preview"]] == ["Player 1", "Player 2"]
    assert [(entry["status"], entry["decision"], entry["reason"]) for entry in document["history"]] == [
        ("received", None, ""), (None, "fact", "letter"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        (
            "en",
            ("list: rapid", "2 players, 1 round", "Problems", "What it would change", "History", "letter"),
        ),
        (
            "it",
            ("lista: rapid", "2 giocatori, 1 turno", "Problemi", "Che cosa cambierebbe", "Storia", "letter"),
        ),
    ],
)
def test_everything_about_a_report_in_words(
    report: str, capsys: pytest.CaptureFixture[str], language: str, expected: tuple[str, ...]
) -> None:
    status, out, err = run(capsys, "office", "report", report, "--lang", language)
    assert (status, err) == (0, "")
    assert [part for part in expected if part not in out] == []


def test_many_files_are_named_with_their_outcomes(
    report: str, office: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = office / "many"
    folder.mkdir()
    for number in range(13):
        data = trf(event(f"Cup {number}", WIN, date(2018, 2, 1 + number)))
        (folder / f"cup{number}.trf").write_bytes(data if number else data.replace(b"122 ", b"### "))
    status, out, _ = run(capsys, "office", "submit", str(folder), "--now", "2018-03-01T10:00:00Z")
    lines = {
        Path(line.split()[0]).name: line.split()[1:]
        for line in out.splitlines()
        if ".trf" in line.split("  ")[0]
    }
    assert status == 1
    assert {f"cup{number}.trf" for number in range(13)} <= lines.keys()
    assert lines["cup0.trf"][-2:] == ["undecided", "1"]
    assert lines["cup1.trf"][-2:] == ["standard", "0"]


def test_what_was_set_aside_and_what_was_replaced_is_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ARPAD_DB", str(tmp_path / "office.db"))
    monkeypatch.setenv("ARPAD_AUTHOR", "T. Officer")
    wrong = WIN.replace("1b0", "1b=")
    for name, title in (("first.trf", "Open"), ("second.trf", "Open of Milan")):
        (tmp_path / name).write_bytes(trf(event(title, wrong, date(2018, 1, 10))))
    (tmp_path / "list.txt").write_bytes(list_bytes(date(2018, 1, 1), listed(1, 2000), listed(2, 1900)))
    now = ("--now", "2018-01-11T10:00:00Z")
    run_json(capsys, "office", "init", "--federation", "ITA", "--now", "2018-01-01T10:00:00Z")
    run_json(capsys, "office", "import-list", str(tmp_path / "list.txt"), "--date", "2018-01-01", "--yes")
    run(capsys, "office", "submit", str(tmp_path / "first.trf"), *now)
    run(capsys, "office", "submit", str(tmp_path / "second.trf"), "--replaces", "1", *now)
    assert [it["status"] for it in run_json(capsys, "office", "reports")["reports"]] == [
        "withdrawn",
        "received",
    ]
    assert run_json(capsys, "office", "report", "1")["history"][-1]["replaced_by"] == 2
    assert "Replaced by report 2" in run(capsys, "office", "report", "1", "--lang", "en")[1]
    document = run_json(capsys, "office", "report", "2")
    errors = sorted({it["code"] for it in document["findings"] if it["severity"] == "error"})
    overruled = [part for code in errors for part in ("--overrule", code)]
    taken = run(capsys, "office", "accept", "2", *overruled, "--reason", "by telephone", "--lang", "en", *now)
    assert taken[0] == 0, taken

    assert run_json(capsys, "office", "report", "2")["set_aside"] == errors
    shown = run(capsys, "office", "report", "2", "--lang", "en")[1]
    assert "set aside" in shown
    assert "Set aside by T. Officer on 11 January 2018: by telephone" in shown
