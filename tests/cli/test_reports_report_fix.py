"""``arpad check``: the verdict, the very character, and the corrected copy of ``--fix``."""

import json
from pathlib import Path

import pytest

from arpad.checks.proposals import correct_file
from tests.builders.trf import HEAD, player_lines, text
from tests.builders.workbooks import workbook
from tests.commands import refusal, run

LINES = player_lines([[(1, 2, "10"), (3, 4, "==")]], [1800] * 4)
WRONG = (*HEAD, LINES[0][:80] + " 3.0" + LINES[0][84:], *LINES[1:])


@pytest.fixture
def report(tmp_path: Path) -> Path:
    path = tmp_path / "open.trf"
    path.write_bytes(text(*WRONG, end="\r\n"))
    return path


def test_the_verdict_comes_first_and_carets_mark_the_character(
    report: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, out, _ = run(capsys, "check", str(report), "--lang", "en")
    lines = out.splitlines()
    at = next(index for index, line in enumerate(lines) if "column 81" in line)

    assert lines[0] == "No errors, 1 warning. The report is ready; look at the warnings before you send it."
    assert lines[at + 1].startswith("   8 | ")
    assert lines[at + 1][lines[at + 2].index("^") :].startswith("3.0")
    assert lines[at + 2].count("^") == len("3.0")
    assert "Arpad can correct 1 problem" in out


@pytest.mark.parametrize("command", ["check", "rate"])
def test_notes_are_shown_when_asked_for(
    report: Path, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    _, short, _ = run(capsys, command, str(report), "--lang", "en")
    _, long, _ = run(capsys, command, str(report), "-v", "--lang", "en")
    status, out, _ = run(capsys, command, str(report), "--json")
    severities = {finding["severity"] for finding in json.loads(out)["findings"]}

    assert "note" in short
    assert "add -v" in short
    assert len(long.splitlines()) > len(short.splitlines())
    assert "info" in severities  # the document is always complete
    assert status == int("error" in severities)


def test_fix_writes_a_copy_and_says_what_it_changed(
    report: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, out, _ = run(capsys, "check", str(report), "--fix", "--lang", "en")
    copy = tmp_path / "open.corrected.trf"

    assert report.read_bytes() == text(*WRONG, end="\r\n")
    assert copy.read_bytes() == text(*HEAD, *LINES, end="\r\n")
    assert "line 8, column 81: “ 3.0” becomes “ 1.0”" in out
    assert "Write the sum of the results" in out
    assert "exists already" in refusal(capsys, "check", str(report), "--fix", "--lang", "en")


def test_fix_over_the_report_itself_only_if_asked(report: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "check", str(report), "--fix", "--overwrite", "--json")
    document = json.loads(out)

    assert document["out"] == str(report)
    assert document["corrected"][0]["edits"] == [
        {"line": 8, "column": 81, "cell": None, "old": " 3.0", "new": " 1.0"}
    ]
    assert document["proposals"] == []
    assert report.read_bytes() == text(*HEAD, *LINES, end="\r\n")
    again, out, _ = run(capsys, "check", str(report), "--fix", "--lang", "it")
    assert (again, "Nessuna copia" in out) == (status, True)


def test_fix_refuses_what_makes_no_sense(report: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "one report" in refusal(capsys, "check", str(report), str(report), "--fix", "--lang", "en")
    assert "--out needs --fix" in refusal(capsys, "check", str(report), "--out", "x.trf", "--lang", "en")


def test_a_workbook_is_corrected_by_its_cells(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "open.xlsx"
    path.write_bytes(workbook())
    _, checked, _ = run(capsys, "check", str(path), "--lang", "en")
    _, out, _ = run(capsys, "check", str(path), "--fix", "--lang", "it")

    assert "cell Crosstable!J6" in checked
    assert "cella Event!B6: «7» diventa «5»" in out
    assert (tmp_path / "open.corrected.xlsx").read_bytes() == correct_file(workbook(), "open.xlsx").data


def test_an_error_with_several_answers_has_no_correction(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "open.csv"
    path.write_text("No.;Name;Points;R1\n1;Ada;1;2w1\n2;Ugo;1;1b1\n", "utf-8")
    _, out, _ = run(capsys, "check", str(path), "--lang", "en")
    lines = out.splitlines()
    at = next(index for index, line in enumerate(lines) if line.strip().startswith("2 | 1;Ada"))

    assert lines[at + 1].index("^") == lines[at].index("2w1")
    assert "Arpad proposes no correction here" in out
