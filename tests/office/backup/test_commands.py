"""``arpad office rehearse``: the report in words, and the exit status."""

from pathlib import Path

import pytest

from arpad.office.settings.acts import change_settings
from tests.builders.offices import Desk
from tests.builders.verbs import backup
from tests.commands import refusal, run, run_json


def test_the_report_names_the_difference_and_the_status_says_whether_it_serves(
    sqlite_desk: Desk, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, office = str(tmp_path / "office.zip"), ("--db", sqlite_desk.place)
    backup(sqlite_desk.office, Path(file))
    change_settings(sqlite_desk.office, set_={"name": "Federazione"}, reason="name")

    status, report, _ = run(capsys, "office", "rehearse", file, *office, "--lang", "en")
    assert status == 0
    assert "1 act, 0 reports and 0 lists are not in the backup" in report
    assert report.endswith("The office could go on with this backup.\n")

    alone = run_json(capsys, "office", "rehearse", file, "--alone")
    assert (alone["serves"], "compared" in alone) == (True, False)

    Path(file).write_bytes(b"no backup")
    assert file in refusal(capsys, "office", "rehearse", file, *office, "--lang", "it")
