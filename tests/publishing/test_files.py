"""The files of a published list: what Arpad's own readers make of them, and that nothing in them depends on a clock."""

import io
import zipfile
from dataclasses import replace
from zipfile import ZipFile

import pytest

from arpad.explain.words import LANGUAGES, load_words
from arpad.lists.published import ListedPlayer, PublishedList
from arpad.lists.published_table import ListTable
from arpad.model.errors import BadInput
from arpad.publishing import list_pdf as rating_list
from arpad.publishing.fide_list import fide_columns
from arpad.publishing.files import KINDS, list_files, usual_kinds
from arpad.reports.formats.lists import draughts_list_csv as capitals
from arpad.reports.formats.lists.fide_list import read_list
from arpad.reports.formats.lists.fide_rows import ListRow
from arpad.reports.formats.sheet_grid import read_grid
from arpad.reports.formats.sheet_xlsx import read_workbook
from tests.builders import plain_lists
from tests.builders.published_lists import CHESS, DRAUGHTS, MARCHESI, REVISED, fide_rows, table_of_list
from tests.builders.random_lists import random_list
from tests.thinning import one_in

TEXTS = ("canonical", "txt", "xml", "csv", "sections")


def made(published: PublishedList, *kinds: str) -> dict[str, bytes]:
    found = {}
    for file in list_files(table_of_list(published), kinds or KINDS, publisher="Federazione di Bellariva"):
        stream = io.BytesIO()
        file.write(stream)
        found[file.name] = stream.getvalue()
    return found


@pytest.mark.parametrize("layout", ["txt", "xml"])
def test_fides_files_are_read_back_to_the_same_list(layout: str) -> None:
    stream = io.BytesIO()
    (file,) = list_files(table_of_list(CHESS), (layout,))
    assert file.write(stream) == ()
    stream.seek(0)
    with read_list(stream) as found:
        rows = list(found)
        assert rows == fide_rows(CHESS)
        assert found.month == (CHESS.day if layout == "txt" else None)
    assert rows[0] == ListRow(
        800101, "Marchesi, Leonardo", "ITA", "M", "IM", "", "FI,NA", rating=2431, games=9, k=10, born=1985
    )
    assert [(row.id, row.flag) for row in rows] == [
        (800101, ""), (800102, "w"), (3, "i"), (4, "w"), (5, ""), (6, ""), (9, "wi"),
    ]  # fmt: skip


def test_a_number_that_is_anothers_fide_number_is_left_out_and_said() -> None:
    other = ListedPlayer(800101, "Omonimo, Ugo", rating=1500)
    rows, findings = fide_columns(table_of_list(replace(CHESS, rows=(MARCHESI, other))))
    assert rows["name"].to_list() == ["Marchesi, Leonardo"]
    assert [(finding.code, finding.facts["number"]) for finding in findings] == [
        ("list-number-taken", 800101)
    ]


def grid(data: bytes) -> list[list[str]]:
    rows = read_grid(data.decode().splitlines(), lambda sheet: len(sheet.rows[0].cells)).rows
    return [[row.cells.get(column, "") for column in range(1, 16)] for row in rows]


def test_csv_has_everybody_under_english_headings() -> None:
    files = made(CHESS, "csv")
    rows = grid(files["standard-2024-03-01-r1.csv"])
    assert (
        rows[0]
        == (
            "id name federation sex title women_title other_titles rating games k born inactive delisted"
            " fide_number fsi_number"
        ).split()
    )
    assert rows[1] == [
        "1", "Marchesi, Leonardo", "ITA", "M", "IM", "", "FI,NA", "2431", "9", "10", "1985", "", "", "800101", "A-12",
    ]  # fmt: skip
    assert rows[7][:2] == ["7", "Guerrini, Amedeo"]
    assert rows[7][12] == "d"
    assert len(rows) == 10


def test_a_draughts_list_is_read_back_by_the_draughts_reader() -> None:
    files = made(DRAUGHTS)
    rows = capitals.read_rows(files["italiana-2024-12-31-r1.csv"])
    assert [(r.number, r.standing.name, r.standing.capital, str(r.standing.category)) for r in rows] == [
        (11, "Rondine, Ada", 4120, "maestro"),
        (12, "Scoiattolo, Bice", 312, "provinciale"),
        (13, "Tasso, Ciro", 3000, "candidato-maestro"),
    ]
    # the number by which reports know a player is the federation's, not the register's
    assert [r.standing.id for r in rows] == ["77", "", ""]
    assert not any(name.endswith((".txt", ".xml")) and "canonical" not in name for name in files)


def test_an_unknown_kind_is_refused_before_anything_is_written() -> None:
    with pytest.raises(BadInput, match="list-kind"):
        list_files(table_of_list(CHESS), ("txt", "odt"))


def test_a_very_long_list_gets_no_workbook_unless_requested() -> None:
    assert usual_kinds(199_999) == KINDS
    assert "xlsx" not in usual_kinds(200_000)
    assert usual_kinds(200_000, ("xlsx",)) == ("xlsx",)


def test_sections_are_files_of_their_own() -> None:
    files = made(CHESS, "sections")
    cuts = {name.removeprefix("standard-2024-03-01-r1-"): grid(data)[1:] for name, data in files.items()}
    assert {name: [row[0] for row in rows] for name, rows in cuts.items()} == {
        "top.csv": ["1", "2", "4", "5", "6"],
        "women.csv": ["2", "4"],
        "juniors.csv": ["4"],
        "titled-unrated.csv": ["8"],
        "delisted.csv": ["7"],
        "federation-FIN.csv": ["3"],
        "federation-ITA.csv": ["1", "2", "5", "9", "6"],
        "federation-SWE.csv": ["4"],
    }


def test_worksheets() -> None:
    book = read_workbook(made(CHESS, "xlsx")["standard-2024-03-01-r1.it.xlsx"])
    assert [sheet.name for sheet in book] == [
        "Classifica", "I migliori", "Femminile", "Giovani", "Titolati senza rating", "Depennati",
    ]  # fmt: skip
    ranking = book[0].rows
    assert ranking[0].cells[1] == "Lista Elo standard, 1° marzo 2024: Classifica"
    assert list(ranking[2].cells.values()) == [
        "1", "IM", "Marchesi, Leonardo", "ITA", "M", "2431", "9", "10", "1985", "1", "800101", "A-12",
    ]  # fmt: skip


def test_a_name_like_a_formula_is_escaped_and_numbers_are_numbers() -> None:
    odd = replace(CHESS, rows=(MARCHESI._replace(name="=1+1"),))
    data = made(odd, "xlsx", "csv")
    with zipfile.ZipFile(io.BytesIO(data["standard-2024-03-01-r1.en.xlsx"])) as book:
        sheet = book.read("xl/worksheets/sheet1.xml").decode()
    assert "<f>" not in sheet
    assert "'=1+1" in sheet
    assert "<v>2431</v>" in sheet
    assert ",2431," in data["standard-2024-03-01-r1.csv"].decode()
    assert "1,'=1+1,ITA" in data["standard-2024-03-01-r1.csv"].decode()


@pytest.mark.parametrize("published", [REVISED, DRAUGHTS], ids=["chess", "draughts"])
def test_equal_lists_give_equal_bytes(published: PublishedList, monkeypatch: pytest.MonkeyPatch) -> None:
    first = made(published)
    monkeypatch.setattr("time.time", lambda: 1.9e9)
    again = made(replace(published, rows=tuple(reversed(published.rows))))
    assert again == first
    assert {name for name in first if name.endswith(".pdf")} == {
        f"{published.name}.{language}.pdf" for language in LANGUAGES
    }
    assert all(data.startswith(b"%PDF") for name, data in first.items() if name.endswith(".pdf"))


def test_a_short_list_is_marked_for_screen_readers_and_a_long_one_is_light(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = table_of_list(CHESS)
    short = rating_list.pdf_list(table, load_words("it"), "0" * 64)
    monkeypatch.setattr(rating_list, "MOST_TAGGED", 0)
    long = rating_list.pdf_list(table, load_words("it"), "0" * 64)
    assert b"/TD" in short
    assert b"/TD" not in long
    assert len(long) < len(short)


def test_the_day_of_birth_is_nowhere() -> None:
    row = ListedPlayer(1, "Anonimo, Ugo", rating=1500, born=1985)
    assert isinstance(row.born, int)  # the value has no room for more


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
