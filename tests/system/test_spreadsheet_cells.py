"""No exported cell is taken for a formula, and Arpad reads back what it wrote."""

import csv
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arpad.model.declared import Upload
from arpad.reports.formats.lists.list_csv import read_csv_list
from arpad.system.spreadsheet_cells import escape, restore
from tests.builders.offices import Clock, Desk
from tests.builders.verbs import change_player, export, import_register, register_player, registered

NAMES = (
    '=HYPERLINK("http://x";"Rossi")',
    "+39 Rossi",
    "-2+3 Rossi",
    "@SUM(A1)",
    "'=already",
    "Rossi, Mario",
    "2+2",
)


@given(st.text())
def test_an_escaped_text_is_no_formula_and_is_restored(text: str) -> None:
    assert escape(text)[:1] not in tuple("=+-@\t\r")
    assert restore(escape(text)) == text


def test_an_export_holds_no_formula_and_reads_back_to_the_same_register(
    sqlite_desk: Desk, tmp_path: Path
) -> None:
    desk = sqlite_desk
    for name in NAMES:
        register_player(desk.office, name, federation="ITA", born=1990)
    change_player(
        desk.office, 1, since=date(2018, 1, 1), set_={"federation": "FRA"}, reason='=cmd|" /C calc"!A0'
    )

    export(desk.office, tmp_path / "out")

    for path in (tmp_path / "out").glob("*.csv"):
        with path.open(encoding="utf-8", newline="") as stream:
            for cell in (cell for row in csv.reader(stream) for cell in row):
                assert not cell.startswith(tuple("=+@\t\r")), (path.name, cell)
                assert not cell.startswith("-") or cell[1:].isdecimal()
    with (tmp_path / "out" / "players.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert [row["id"] for row in rows] == [str(number) for number in range(1, len(NAMES) + 1)]
    assert rows[0]["name"] == f"'{NAMES[0]}"
    other = Desk.made(str(tmp_path / "other.db"), tmp_path, Clock())
    import_register(other.office, Upload.of(tmp_path / "out" / "players.csv"), date_=date(2018, 1, 1))
    for number, name in enumerate(NAMES, start=1):
        person = registered(other.office, number)
        assert (person.name, person.born) == (name, 1990)
    other.office.close()


@pytest.mark.parametrize("name", NAMES)
def test_a_listed_name_reads_back(tmp_path: Path, name: str) -> None:
    path = tmp_path / "list.csv"
    quoted = escape(name).replace('"', '""')
    path.write_text(f'id,name,rating\n800101,"{quoted}",2000\n', encoding="utf-8")
    assert [row.name for row in read_csv_list(path)] == [name]
