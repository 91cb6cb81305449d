"""The files that are written from columns are equal, byte for byte, to those written row by row."""

from __future__ import annotations

import io
from dataclasses import replace
from zipfile import ZipFile

import pytest

from arpad.explain.words import LANGUAGES, load_words
from arpad.lists.published_table import ListTable
from arpad.publishing.files import list_files
from tests.builders import plain_lists
from tests.builders.published_lists import CHESS, MARCHESI, table_of_list
from tests.builders.random_lists import random_list
from tests.thinning import one_in

TEXTS = ("canonical", "txt", "xml", "csv", "sections")


def written(table: ListTable, *kinds: str) -> dict[str, bytes]:
    made = {}
    for file in list_files(table, kinds):
        stream = io.BytesIO()
        file.write(stream)
        made[file.name] = stream.getvalue()
    return made


@pytest.mark.parametrize("seed", one_in(4, range(40)))
def test_text_files_are_those_written_row_by_row(seed: int) -> None:
    published = random_list(seed)
    made, expected = written(table_of_list(published), *TEXTS), plain_lists.files(published)
    assert list(made) == list(expected)
    for name, data in made.items():
        assert data.split(b"\n") == expected[name].split(b"\n"), name


@pytest.mark.parametrize("seed", range(0, 40, 2))
def test_what_fides_text_cannot_hold_gives_the_same_findings(seed: int) -> None:
    published = random_list(seed)
    (file,) = list_files(table_of_list(published), ("txt",))
    findings = file.write(io.BytesIO())
    assert [(it.code, it.line, it.column, dict(it.facts)) for it in findings] == plain_lists.txt_file(
        published
    )[1]


@pytest.mark.parametrize("seed", [4, 5, 7, 18])
def test_workbooks_are_those_that_the_library_writes_cell_by_cell(seed: int) -> None:
    published = random_list(seed)
    made = written(table_of_list(published), "xlsx")
    assert made == {
        f"{published.name}.{language}.xlsx": plain_lists.xlsx_file(published, load_words(language))
        for language in LANGUAGES
    }


def test_a_text_like_a_rich_string_stays_a_text() -> None:
    """The library takes such a text for its own markup and writes a workbook that cannot be opened."""
    table = table_of_list(replace(CHESS, rows=(MARCHESI._replace(name="<r>x</r>"),)))
    for data in written(table, "xlsx").values():
        sheet = ZipFile(io.BytesIO(data)).read("xl/worksheets/sheet1.xml").decode()
        assert "<t>&lt;r&gt;x&lt;/r&gt;</t>" in sheet
