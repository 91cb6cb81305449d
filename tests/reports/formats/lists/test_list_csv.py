"""Rating lists as CSV: each cell is read like the same field of FIDE's own files."""

from datetime import date
from pathlib import Path

import pytest

from arpad.model.errors import Unreadable
from arpad.reports.formats.lists.fide_rows import ListRow
from arpad.reports.formats.lists.list_csv import is_csv_list, names_quick_lists, read_csv_list


def rows(tmp_path: Path, text: str) -> list[ListRow]:
    path = tmp_path / "list.csv"
    path.write_bytes(text.encode())
    return list(read_csv_list(path))


def test_a_list_in_italian_with_semicolons(tmp_path: Path) -> None:
    text = "\ufeffId;Nome;Federazione;Elo;Partite;K;Nato\n9001;Rossi, Anna;ITA;2050;12;20;1990-05-04\n"
    assert is_csv_list(text.encode())
    assert not names_quick_lists(text.encode())
    (row,) = rows(tmp_path, text)
    assert row == ListRow(9001, "Rossi, Anna", "ITA", rating=2050, games=12, k=20, born=date(1990, 5, 4))


def test_nothing_and_zero_are_no_rating(tmp_path: Path) -> None:
    text = "id,rating,rapid,blitz,born\n1,2000,0,,\n2,0,1500,1400,1990\n,2100,,,\n"
    assert names_quick_lists(text.encode())
    assert rows(tmp_path, text) == [
        ListRow(1, rating=2000),
        ListRow(2, rapid_rating=1500, blitz_rating=1400, born=1990),
    ]


@pytest.mark.parametrize(
    ("cells", "column"),
    [("9001,high,1990", 2), ("x,2000,1990", 1), (f"{'9' * 5000},2000,1990", 1), ("9001,2000,boh", 3)],
    ids=["rating", "id", "endless", "birth"],
)
def test_a_cell_that_cannot_be_read_is_named_with_its_place(tmp_path: Path, cells: str, column: int) -> None:
    with pytest.raises(Unreadable) as caught:
        rows(tmp_path, f'id,rating,born\n"1",2000,1990\n{cells}\n')
    assert caught.value.code == "list-row-unreadable"
    assert (caught.value.facts["line"], caught.value.facts["column"]) == (3, column)


def test_quotes_that_never_close_are_refused(tmp_path: Path) -> None:
    with pytest.raises(Unreadable) as caught:
        rows(tmp_path, 'id,name,rating\n1,Rossi,2000\n2,"' + "x" * 200_000 + ",2000\n")
    assert (caught.value.code, caught.value.facts["line"]) == ("sheet-quotes", 3)
