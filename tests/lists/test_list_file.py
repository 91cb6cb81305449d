"""A list file becomes tables of some thousands of rows, whatever its format."""

import gzip
from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from arpad.lists import list_file
from arpad.lists.list_file import read_list_tables, table_of
from arpad.lists.rating_lookup import read_list_rows
from arpad.model.errors import Unreadable
from arpad.model.rules import ListName
from tests.reports.formats.lists.test_fide_list import COMBINED_HEADER, FIGURES, combined

TEXT = [COMBINED_HEADER, *[combined("IA", "", FIGURES), combined("", "", FIGURES), ""] * 3]
ENTRY = (
    "<player><fideid>7</fideid><name> Rossi &amp; C.</name><country>ITA</country><sex>F</sex><title>m</title>"
    "<rating>2300</rating><games/><k>20</k><rapid_rating>1900</rapid_rating><birthday>1985-02-03</birthday>"
    "<flag>wi</flag></player>"
)
XML = ["<?xml version='1.0' encoding='utf-8'?>", "<playerslist>", *[ENTRY] * 6, "</playerslist>"]


@pytest.fixture(autouse=True)
def small_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make a table of four rows."""
    monkeypatch.setattr(list_file, "_ROWS", 4)


@pytest.mark.parametrize("on_list", [ListName.STANDARD, ListName.RAPID, None])
@pytest.mark.parametrize(("lines", "rating"), [(TEXT, 1838), (XML, 1900)])
def test_the_tables_have_all_rows_in_order(
    tmp_path: Path, lines: list[str], rating: int, on_list: ListName | None
) -> None:
    path = tmp_path / "list"
    path.write_bytes(gzip.compress("\n".join(lines).encode()))
    tables = list(read_list_tables(path, on_list))
    assert [table.height for table in tables] == [4, 2]
    assert_frame_equal(pl.concat(tables), table_of(read_list_rows(path), on_list))
    if on_list is ListName.RAPID:
        assert set(tables[0]["rating"]) == {rating}


def test_a_fault_is_told_after_the_rows_before_it(tmp_path: Path) -> None:
    path = tmp_path / "list"
    path.write_text("\n".join(TEXT[:-2]).replace("2264", "22x4", 1), encoding="utf-8")
    with pytest.raises(Unreadable) as refused:
        list(read_list_tables(path, ListName.STANDARD))
    assert (refused.value.code, refused.value.facts["line"]) == ("list-row-unreadable", 2)
    later = [*TEXT[:-2], combined("", "", FIGURES).replace("2264", "22x4")]
    path.write_text("\n".join(later), encoding="utf-8")
    tables = read_list_tables(path, ListName.STANDARD)
    assert next(tables).height == 4
    with pytest.raises(Unreadable):
        next(tables)
