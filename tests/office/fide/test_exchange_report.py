"""What a federation sends to FIDE: the corrected file of an accepted report, and the numbers to request."""

from datetime import date
from pathlib import Path

import pytest

from arpad.model.errors import BadInput
from arpad.office.fide.exchange import fide_report, numbers_needed
from arpad.office.fide.reference import add_reference
from arpad.reports.formats import read_report
from tests.builders.chess import event
from tests.builders.offices import WIN, Desk, listed
from tests.builders.reference import row, write_reference
from tests.builders.verbs import change_player, remove_identifier, withdraw
from tests.commands import run, run_json


@pytest.fixture
def desk(sqlite_desk: Desk) -> Desk:
    """An office with an accepted report whose first player has another name in the register."""
    sqlite_desk.list(date(2018, 1, 1), listed(1, 2000), listed(2, 1900))
    sqlite_desk.report(event("Open", WIN, date(2018, 5, 5)))
    change_player(sqlite_desk.office, 1, since=date(2018, 5, 1), set_={"name": "Player One"}, reason="test")
    return sqlite_desk


@pytest.mark.parametrize("to", ["trf16", "trf26"])
def test_the_file_has_the_registers_facts(desk: Desk, to: str) -> None:
    made = fide_report(desk.office, 1, to)
    report = read_report(made.data, made.file)
    assert [entrant.name for entrant in report.entrants] == ["Player One", "Player 2"]
    assert [entrant.id for entrant in report.entrants] == ["9001", "9002"]
    assert [cells.results for cells in report.rounds] == ["10"]
    assert ("name", "Player 1", "Player One") in [
        (change.field, change.reported, change.registered) for change in made.changes
    ]


def test_the_ratings_are_those_of_fides_list(desk: Desk, tmp_path: Path) -> None:
    lines = row(9001, "Player One", rating=2011), row(9002, "Player 2", rating=1900)
    add_reference(desk.office, write_reference(tmp_path, "may.txt", *lines), date(2018, 5, 1))
    report = read_report(fide_report(desk.office, 1).data, "open.txt")
    assert [entrant.rating for entrant in report.entrants] == [2011, 1900]


def test_only_an_accepted_report_is_written_and_only_in_fides_formats(desk: Desk) -> None:
    with pytest.raises(BadInput, match="value-unknown"):
        fide_report(desk.office, 1, "pgn")
    withdraw(desk.office, 1, reason="test")
    with pytest.raises(BadInput, match="report-status"):
        fide_report(desk.office, 1)


def test_a_player_without_a_number_is_named_and_listed_for_the_request(
    desk: Desk, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert numbers_needed(desk.office) == []
    remove_identifier(desk.office, 2, "fide", "9002", reason="test")
    assert [(item.person.id, item.event) for item in numbers_needed(desk.office)] == [(2, "Open")]
    out = tmp_path / "open.txt"
    assert run(capsys, "office", "fide", "report-file", "1", "--out", str(out), "--db", desk.place)[0] == 0
    _, text, _ = run(capsys, "office", "fide", "report", "1", "--db", desk.place, "--lang", "en")
    assert "Player 2 (player 2) has no FIDE ID" in text
    assert read_report(out.read_bytes(), "open.txt").entrants[1].id == ""
    assert [
        it["player"] for it in run_json(capsys, "office", "fide", "numbers", "--db", desk.place)["players"]
    ] == [2]
