"""A list file read by columns: the same values and the same refusals as row by row."""

from __future__ import annotations

import gzip
import io
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

from arpad.lists import list_file
from arpad.lists.list_file import read_list_tables
from arpad.lists.rating_lookup import read_list_rows
from arpad.model.errors import BadInput
from arpad.model.rules import ListName
from arpad.publishing.fide_list import write_list
from arpad.reports.formats.lists import fide_txt_table, fide_xml_table
from arpad.reports.formats.lists.fide_rows import ListRow
from arpad.reports.formats.lists.list_columns import SCHEMA
from arpad.reports.formats.lists.row_table import table_of
from tests.reports.formats.lists.test_fide_list import COMBINED_HEADER, FIGURES, combined, made_rows
from tests.shared_data import real_files
from tests.thinning import one_in

LISTS = real_files("lists")
KINDS = (ListName.STANDARD, ListName.RAPID, ListName.BLITZ)


def by_columns(path: Path, on_list: ListName) -> pl.DataFrame | BadInput:
    try:
        return pl.concat([pl.DataFrame(schema=SCHEMA), *read_list_tables(path, on_list)])
    except BadInput as error:
        return error


def by_rows(path: Path, on_list: ListName) -> pl.DataFrame | BadInput:
    try:
        return table_of(read_list_rows(path), on_list)
    except BadInput as error:
        return error


def assert_same(path: Path) -> None:
    for on_list in KINDS:
        columns, rows = by_columns(path, on_list), by_rows(path, on_list)
        if isinstance(rows, BadInput) or isinstance(columns, BadInput):
            assert isinstance(columns, BadInput), rows
            assert isinstance(rows, BadInput), columns
            assert (columns.code, columns.facts) == (rows.code, rows.facts)
        else:
            assert_frame_equal(columns, rows)


@pytest.mark.skipif(not LISTS, reason="the real lists are not here")
@pytest.mark.parametrize("path", one_in(8, LISTS, 3), ids=lambda path: path.name)
@pytest.mark.deep
def test_real_lists(path: Path) -> None:
    assert_same(path)


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read two or three rows at a time."""
    monkeypatch.setattr(fide_txt_table, "_BLOCK", 400)
    monkeypatch.setattr(fide_xml_table, "_BLOCK", 400)


@pytest.fixture
def columns_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fail if a file is read row by row."""

    def refuse(_path: Path) -> None:
        raise AssertionError("read row by row")

    monkeypatch.setattr(list_file, "read_list_rows", refuse)


TITLES = "LSI,FI,SI,SLI,NA"
MADE = [combined("IA", "", FIGURES), combined("", "", FIGURES).replace("Rossi, Ada", "Müller, Ö "), ""]
TANGLED = [combined(TITLES, "    "[:blanks], FIGURES) for blanks in (3, 4)]
TEXT = [COMBINED_HEADER, *MADE * 3, *TANGLED, *MADE, *TANGLED, "   "]
ENTRY = (
    "<player><fideid>7</fideid><name> Rossi &amp; C.</name><country>ITA</country><sex>F</sex><title>m</title>"
    "<rating>2300</rating><games/><k>20</k><rapid_rating>1900</rapid_rating><birthday>1985-02-03</birthday>"
    "<flag>wi</flag></player>"
)
XML = [
    "<?xml version='1.0' encoding='utf-8'?>",
    "<playerslist>",
    *[ENTRY, ENTRY.replace(" &amp; C.", "")] * 5,
    "</playerslist>",
]


@pytest.mark.usefixtures("small_blocks", "columns_only")
@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("lines", [TEXT, XML])
def test_a_plain_list_is_read_by_columns(tmp_path: Path, lines: list[str], end: str) -> None:
    path = tmp_path / "list"
    path.write_bytes((end.join(lines)).encode())
    assert_same(path)
    path.write_bytes(gzip.compress((end.join(lines) + end).encode()))
    assert_same(path)
    assert isinstance(table := by_columns(path, ListName.RAPID), pl.DataFrame)
    assert set(table["rating"]) == ({1838} if lines is TEXT else {1900})


def changed(lines: list[str], line: int, before: str, after: str) -> str:
    assert before in lines[line]
    return "\n".join([*lines[:line], lines[line].replace(before, after), *lines[line + 1 :]])


BROKEN = [
    *(
        changed(TEXT, line, before, after)
        for line in (1, 4, 11)
        for before, after in [
            ("2264", "22x4"), ("2264", "٢٢٦٤"), ("12345 ", "0     "), ("12345 ", "      "), ("12345", "1234é"),
            ("2000", "3.13"), ("2000", "1.2."), (" 20 ", "100 "), ("1838", "18\t8"), ("11 ", "-1 "),
            ("Rossi", "Ro\0si"),
            ("Rossi", "Ro\rsi"), ("Rossi", "Ro\x1csi"), ("Rossi", "Ro\x1asi"), ("Rossi", "R\u2003 \u00a0i"),
            ("Rossi", "Rossi" + 5000 * " "), ("WIM", "wm "), ("WIM", "  g"), ("2264", "0   "),
        ]
    ),
    *(
        changed(XML, line, before, after)
        for line in (2, 5)
        for before, after in [
            ("<k>", "<K>"), ("<k>20</k>", ""), ("<k>20</k>", "<k>200</k>"), ("<k>", "<!-- x --><k>"),
            (">ITA<", ">&bad;<"),
            ("<k>20</k>", "<k>20</k><k>10</k>"), ("</k>", "</g>"), ("<k>20</k>", "<k>2<b/>0</k>"),
            ("ITA", "<![CDATA[ITA]]>"),
            ("ITA", "]]>"), ("ITA", "I\tA"), ("ITA", "\uffff"), ("7", "x"), ("<player>", "<player k='10'>"),
            ("ITA", "I\x01A"),
            ("<player>", "x<player>"), ("<player>", "<person>"), ("<sex>", "y<sex>"), ("ITA", "</player><player>"),
            ("<player>", "<!-- </player> --><player>"), ("1985-02-03", "1985-02"), ("</player>", "</player><!-- z -->"),
        ]
    ),
    "\n".join(XML[:-1]), "\n".join(XML) + "<x/>", "\n".join(XML).replace("utf-8", "latin-1"),
    "\n".join(XML).replace("utf-8", "klingon"), "<playerslist/>", "\n".join(XML[:2] + XML[-1:]), "\n".join(XML[2:]),
    "ID Number Name\n", "ID Number\n1\n", "", "\n\n", "\ufeff" + "\n".join(TEXT), "\ufeff" + "\n".join(XML),
    "ID Name Rtng RTG\n1  Ada  21oo 2200\n2  Ugo  2100 22oo\n",
    "ID Name Regno delisted\n1  Ada  1     \n2  Ugo  3     d\n",
    "id,name,rating,k\n1,Ada,2000,20\n2,Ugo,,x\n", "id,name,rating,k\n1,Ada,2000,20\n2,Ugo,,\n",
]  # fmt: skip


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("text", one_in(6, BROKEN))
def test_a_list_with_a_fault(tmp_path: Path, text: str) -> None:
    path = tmp_path / "list"
    path.write_bytes(text.encode())
    assert_same(path)


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("lines", [TEXT, XML])
def test_other_letters_and_damage(tmp_path: Path, lines: list[str]) -> None:
    path = tmp_path / "list"
    text = "\n".join(lines).replace("Rossi", "Muñoz")
    packed = gzip.compress(text.encode())
    for data in (text.encode("cp1252", "replace"), packed[:-9], packed[:60], text.encode("utf-16")):
        path.write_bytes(data)
        assert_same(path)


@settings(deadline=None)
@given(st.lists(made_rows, max_size=8), st.sampled_from(["single", "combined", "xml"]), st.data())
def test_any_list_with_any_bytes_changed(
    tmp_path_factory: pytest.TempPathFactory, rows: list[ListRow], layout: str, data: st.DataObject
) -> None:
    out = io.BytesIO()
    write_list(rows, out, layout)
    written = bytearray(out.getvalue())
    if written:
        for _ in range(data.draw(st.integers(0, 2))):
            written[data.draw(st.integers(0, len(written) - 1))] = data.draw(st.integers(0, 255))
    path = tmp_path_factory.mktemp("list") / "list"
    path.write_bytes(bytes(written))
    assert_same(path)
