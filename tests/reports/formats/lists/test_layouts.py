"""Lists without header, columns that the reader names, archives, and files that are cut."""

import io
import zipfile
from datetime import date
from pathlib import Path

import polars as pl
import pytest

from arpad.lists.list_file import read_list_tables
from arpad.lists.rating_lookup import read_list_rows
from arpad.model.errors import BadInput, Unreadable
from arpad.model.rules import ListName
from arpad.reports.formats.lists.fide_rows import ListRow
from arpad.reports.formats.lists.layouts import Reading, parse_columns
from tests.shared_data import real_file

HEADER = "ID Number      Name                Fed Sex SEP14 Gms K  B-day Flag\n"
ROWS = (
    "2500035        Orr, Mark           IRL M   2240  0   15 1955       \n"
    "2500036        Orr, Ada            IRL     2140  0   15 1960  wi   \n"
)
OF_2004 = (
    "\n 1701991  Aaberg, Anton                         SWE  2383    0  17.01.72       \n"
    " 8700206  Mtine, Joy                        wf  ZAM  2050   12  03.05.03    wi  \n"
)


def both(path: Path, reading: Reading) -> list[ListRow]:
    """Return the rows read one by one, after holding that the reader of columns returns the same."""
    rows = [row for row, _ in read_list_rows(path, reading)]
    tables = pl.concat(list(read_list_tables(path, ListName.STANDARD, reading)))
    figures = tables.select("id", "name", "sex", "rating", "born", "inactive").rows()
    assert figures == [(r.id, r.name, r.known_sex, r.rating, str(r.born or ""), r.inactive) for r in rows]
    return rows


def written(folder: Path, data: str | bytes, name: str = "list.txt") -> Path:
    path = folder / name
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return path


def zipped(**files: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name.replace("_", "."), data)
    return out.getvalue()


def test_the_layout_of_2004_is_recognised_and_two_digits_are_years_before_the_list(tmp_path: Path) -> None:
    one, two = both(written(tmp_path, OF_2004), Reading(latest=2004))
    assert one == ListRow(1701991, "Aaberg, Anton", "SWE", rating=2383, games=0, born=date(1972, 1, 17))
    assert (two.title, two.games, two.flag, two.known_sex) == ("WFM", 12, "wi", "F")
    assert two.born == date(1903, 5, 3), "nobody of one year is on a list"
    assert both(written(tmp_path, OF_2004), Reading(latest=2006))[1].born == date(2003, 5, 3)


def test_a_real_list_of_2004_has_its_women_and_births() -> None:
    path = real_file("lists", "fide-txt", "jan04frl.txt.gz")
    table = pl.concat(list(read_list_tables(path, ListName.STANDARD, Reading(latest=2004))))
    assert (table.height, (table["sex"] == "F").sum()) == (50_458, 3_484)
    years = table.filter(pl.col("born") != "")["born"].str.slice(0, 4).cast(pl.Int32)
    assert (years.min(), years.max()) == (1906, 2000)


@pytest.mark.parametrize("columns", ["id=1-8,name=9-30,rating=31-34,flag=36-37", "fide-2004"])
def test_columns_that_the_reader_names(tmp_path: Path, columns: str) -> None:
    line = "    1234Rossi, Ada            2100 w\n"
    path = written(tmp_path, OF_2004 if columns == "fide-2004" else line)
    row = both(path, Reading(parse_columns(columns), 2004))[0]
    assert row.rating == (2383 if columns == "fide-2004" else 2100)


def test_a_header_is_skipped_if_columns_are_named(tmp_path: Path) -> None:
    path = written(tmp_path, "NUMBER  PLAYER\n    1234Ada  2100\n")
    assert both(path, Reading(parse_columns("id=1-8,name=9-12,rating=14-17")))[0].rating == 2100


def test_cells_of_a_csv_without_header(tmp_path: Path) -> None:
    path = written(tmp_path, "Orr, Mark;2500035;2240\n", "list.csv")
    rows = both(path, Reading(parse_columns("id=2,name=1,rating=3")))
    assert rows == [ListRow(2500035, "Orr, Mark", rating=2240)]


@pytest.mark.parametrize(
    ("columns", "code"),
    [
        ("id=1-8,shoe=9-10", "columns-field"),
        ("id=1-8,id=9-10,name=1-2", "columns-field"),
        ("id=8-1,name=9-10", "columns-range"),
        ("id=1-8", "columns-needed"),
        ("id=1-8,name=9", "columns-mixed"),
    ],
)
def test_columns_that_cannot_be_meant_are_refused(columns: str, code: str) -> None:
    with pytest.raises(BadInput) as caught:
        parse_columns(columns)
    assert caught.value.code == code


def test_a_list_in_a_zip(tmp_path: Path) -> None:
    path = written(tmp_path, zipped(list_txt=(HEADER + ROWS).encode()), "list.zip")
    assert [row.id for row in both(path, Reading())] == [2500035, 2500036]


@pytest.mark.parametrize(
    ("data", "code", "place"),
    [
        (zipped(one_txt=b"a", two_xml=b"b"), "zip-lists", (None, None)),
        (zipped(list_txt=(HEADER + ROWS).encode())[:100], "file-damaged", (1, None)),
        ((HEADER + ROWS)[:-20].encode(), "list-cut", (3, 49)),
        ((HEADER + ROWS.replace("1955", "1850")).encode(), "list-row-unreadable", (2, 57)),
    ],
    ids=["two lists", "cut archive", "cut list", "birth"],  # an archive has the time in its bytes
)
def test_a_damaged_list_is_refused_with_its_place(
    tmp_path: Path, data: bytes, code: str, place: tuple[int | None, int | None]
) -> None:
    with pytest.raises(Unreadable) as caught:
        list(read_list_tables(written(tmp_path, data), None))
    facts = caught.value.facts
    assert (caught.value.code, facts.get("line"), facts.get("column")) == (code, *place)


def test_a_last_line_without_end_is_complete(tmp_path: Path) -> None:
    assert len(both(written(tmp_path, (HEADER + ROWS).rstrip()), Reading())) == 2


def test_a_reference_has_the_figures_of_all_lists(tmp_path: Path) -> None:
    header = "ID Number Name   SRtng RRtng BRtng\n"
    path = written(tmp_path, header + "1         Ada    2100  2000  1900 \n")
    (table,) = read_list_tables(path, None)
    assert table.select("rating", "rapid_rating", "blitz_rating").rows() == [(2100, 2000, 1900)]
