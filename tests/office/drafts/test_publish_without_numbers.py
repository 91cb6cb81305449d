"""A list on which nobody has a number of another body: all its files are written."""

from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.commands import run, run_json
from tests.paths import ROOT


def test_a_federation_without_fide_numbers_publishes_its_first_list(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ARPAD_DB", str(tmp_path / "office.db"))
    monkeypatch.setenv("ARPAD_AUTHOR", "T. Officer")
    folder = tmp_path / "lists"
    report = ROOT / "src" / "arpad" / "examples" / "open.trf"
    for command in (
        ("init", "--federation", "ITA", "--name", "x", "--key-name", "x"),
        ("submit", str(report)),
        ("accept", "1"),
        ("publish", "standard", "2018-06-01", "--out", str(folder)),
    ):
        status, _, err = run(capsys, "office", *command)
        assert status == 0, (command, err)
    files = {path.name.removeprefix("standard-2018-06-01-r1") for path in folder.iterdir()}
    assert {".csv", ".xml", ".en.xlsx", ".en.pdf", ".it.pdf", ".fr.pdf"} <= files, sorted(files)
    assert (folder / "standard-2018-06-01-r1.en.pdf").read_bytes().startswith(b"%PDF")
    with ZipFile(BytesIO((folder / "standard-2018-06-01-r1.en.xlsx").read_bytes())) as book:
        assert "xl/worksheets/sheet1.xml" in book.namelist()
    header, *lines = (folder / "standard-2018-06-01-r1.csv").read_text(encoding="utf-8-sig").splitlines()
    assert "number" not in header
    assert len(run_json(capsys, "office", "lists")["lists"]) == 1
    assert run(capsys, "office", "verify")[0] == 0
    assert lines
