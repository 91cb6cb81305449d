"""Corrections of spreadsheets and files of games: the same rules as for a TRF, written as each format writes."""

import io
import zipfile
from dataclasses import replace

import pytest

from arpad.checks import check_file
from arpad.checks.proposals import correct_file, propose_for_file
from arpad.model.errors import BadInput
from arpad.reports.file_edits import edited_file
from arpad.reports.formats import read_report
from arpad.reports.formats.sheet import EXAMPLE
from arpad.reports.report import TextEdit
from tests.builders.workbooks import workbook

HEAD = "Tournament;Open\nStart date;2024-03-01\nEnd date;2024-03-03\n"


def edits_of(text: str, name: str = "open.csv") -> dict[str, list[TextEdit]]:
    """The proposed edits by code."""
    proposals = propose_for_file(read_report(text.encode(), name))
    return {proposal.finding.code: list(proposal.edits) for proposal in proposals}


@pytest.mark.parametrize(
    ("rows", "edits"),
    [
        ("1;Ada;0,5;2w1\n2;Ugo;0,0;1b0\n", {"points-not-the-sum": [TextEdit(5, 7, "0,5", "1,0")]}),
        ("1;Ada;½;2w1\n2;Ugo;0;1b0\n", {"points-not-the-sum": [TextEdit(5, 7, "½", "1")]}),
        ("1;Ada;;2w1\n2;Ugo;x;1b0\n", {"sheet-points": [TextEdit(6, 7, "x", "0")]}),
        ('1;"Ada";"1";2w1\n2;Ugo;"1";1b0\n', {"points-not-the-sum": [TextEdit(6, 7, '"1"', '"0"')]}),
        ("1;Ada;1;2w1\n2;Ugo;0;1b½\n", {"results-not-mirrored": [TextEdit(6, 9, "1b½", "1b0")]}),
        ("1;Ada;0;2w1\n2;Ugo;1;1b1\n", {"both-win": [TextEdit(5, 9, "2w1", "2w0")]}),
        ("1;Ada;1;2w1\n2;Ugo;0\n", {"pairing-one-sided": [TextEdit(6, 8, "", ";1b0")]}),
        ("1;Ada;1;2b1\n2;Ugo;0;1n½\n", {"results-not-mirrored": [TextEdit(6, 9, "1n½", "1n0")]}),
        ("1;Ada;2;2b2\n2;Ugo;0;1n2\n", {"both-win": [TextEdit(6, 9, "1n2", "1n0")]}),
        ("1;Ada;1;+2\n2;Ugo;0;=1\n", {"results-not-mirrored": [TextEdit(6, 9, "=1", "'-1")]}),
        ("1;Ada;1;2w1\n2;Ugo;1;1b1\n", {}),
    ],
    ids=["comma", "half", "unreadable", "quoted", "mirror", "both", "missing", "italian", "draughts", "signs", "doubt"],
)  # fmt: skip
def test_the_cells_of_a_csv_file(rows: str, edits: dict[str, list[TextEdit]]) -> None:
    worth = "Worth of a result;WW;2\nWorth of a result;BW;2\n" if "2b2" in rows else ""
    changed = {
        code: [replace(edit, line=edit.line + worth.count("\n")) for edit in of_code]
        for code, of_code in edits.items()
    }

    assert edits_of(f"{HEAD}{worth}No.;Name;Points;R1\n{rows}") == changed


def test_the_facts_above_the_table_of_a_csv_file() -> None:
    text = (
        "Tournament;Open\nFederation;ITA\nStart date;2024-03-03\nEnd date;2024-03-01\nPlayers;3\nRounds;2\n"
        "No.;Name;Fed;Points;R1;R2;R3\n1;Ada;ITA;1;2w1;;\n2;Ugo;ITA;2;1b0;3w1;3b1\n3;Eva;ITA;0;;2b0;2w0\n"
    )
    edits = edits_of(text.replace("Players;3", "Players;4"))

    assert edits["count-of-players"] == [TextEdit(5, 9, "4", "3")]
    assert edits["cells-surplus"] == [TextEdit(6, 8, "2", "3")]
    assert edits["last-day-before-first"] == [
        TextEdit(3, 12, "2024-03-03", "2024-03-01"),
        TextEdit(4, 10, "2024-03-01", "2024-03-03"),
    ]


def test_findings_of_a_csv_file_are_at_their_character() -> None:
    text = f'{HEAD}No.;Name;Points;R1\n1;"Bianchi; Ada";0;2w1\n2;Ugo;0;1b0\n'
    (finding,) = [
        item for item in check_file(read_report(text.encode())) if item.code == "points-not-the-sum"
    ]

    assert (finding.line, finding.column) == (5, 18)


def test_the_cells_of_a_workbook_are_corrected_and_all_else_stays() -> None:
    data = workbook()
    corrected = correct_file(data, "open.xlsx")
    changes = {edit.cell: (edit.old, edit.new) for proposal in corrected.proposals for edit in proposal.edits}
    report = read_report(corrected.data, "open.xlsx")

    assert changes == {"Crosstable!N3": ("3w0", "3w½"), "Event!B6": ("7", "5"), "Crosstable!J6": ("0", "1")}
    assert report.rounds[2].results == EXAMPLE.rounds[2].results
    assert [entrant.half_points for entrant in report.entrants] == [5, 4, 3, 1, 2]
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(io.BytesIO(corrected.data)) as new:
        same = {name for name in old.namelist() if old.read(name) == new.read(name)}
        assert old.namelist() == new.namelist()
        assert set(old.namelist()) - same == {"xl/worksheets/sheet1.xml", "xl/worksheets/sheet2.xml"}
    assert correct_file(corrected.data, "open.xlsx").proposals == ()


def test_a_list_of_games_has_counts_and_sums_to_correct() -> None:
    corrected = correct_file(workbook("games"), "open.xlsx")
    changes = {edit.cell: edit.new for proposal in corrected.proposals for edit in proposal.edits}

    assert changes == {"Players!J6": "1", "Event!B6": "5"}


def test_a_cell_that_the_workbook_computes_is_not_overwritten() -> None:
    with zipfile.ZipFile(io.BytesIO(workbook())) as old:
        parts = {name: old.read(name) for name in old.namelist()}
    sheet = "xl/worksheets/sheet1.xml"
    parts[sheet] = parts[sheet].replace(b'<c r="J6"><v>0</v>', b'<c r="J6"><f>SUM(1,-1)</f><v>0</v>')
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as new:
        for name, part in parts.items():
            new.writestr(name, part)

    codes = {proposal.finding.code for proposal in propose_for_file(read_report(out.getvalue(), "open.xlsx"))}

    assert codes == {"results-not-mirrored", "count-of-players"}


def test_an_edit_of_another_workbook_is_refused() -> None:
    for edit in (TextEdit(3, 1, "", "x", "Nowhere!A3"), TextEdit(99, 1, "", "x", "Event!A99")):
        with pytest.raises(BadInput, match="edit-not-here"):
            edited_file(workbook(), [edit])


def game(result: str, ending: str) -> str:
    names = {
        "Event": "Open",
        "Date": "2024.03.01",
        "Round": "1",
        "White": "Ada",
        "Black": "Ugo",
        "Result": result,
    }
    written = "".join(f'[{name} "{value}"]\n' for name, value in names.items())
    return f"{written}\n1. e4 e5 {ending}\n\n"


@pytest.mark.parametrize(
    ("result", "ending", "new"),
    [("*", "1-0", "1-0"), ("1:0", "1-0", "1-0"), ("½:½", "", "1/2-1/2"), ("?", "0-1", ""), ("*", "*", ""),
     ("1:0", "0-1", ""), ("won", "0-1", "0-1")],
)  # fmt: skip
def test_the_result_of_a_game_is_written_as_its_moves_end(result: str, ending: str, new: str) -> None:
    edits = [edit for of_code in edits_of(game(result, ending), "open.pgn").values() for edit in of_code]

    assert edits == ([TextEdit(6, 10, result, new)] if new else [])
