"""Rating lists: every layout that its header tells, XML in both layouts, and files that are traps."""

import gzip
import io
import tracemalloc
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import BinaryIO, cast

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arpad.model.errors import BadInput, Unreadable
from arpad.model.rules import ListName
from arpad.publishing.fide_list import write_columns, write_list
from arpad.reports.formats.lists.fide_list import RatingList, open_list, read_list
from arpad.reports.formats.lists.fide_rows import ListRow
from tests.thinning import examples


def rows(data: bytes | str) -> list[ListRow]:
    return list(a_list(data))


def a_list(data: bytes | str) -> RatingList:
    return read_list(io.BytesIO(data.encode() if isinstance(data, str) else data))


def refused(data: bytes | str) -> Unreadable:
    with pytest.raises(Unreadable) as caught:
        rows(data)
    return caught.value


# -------------------------------------------------------------------------------------------------- text

COMBINED_HEADER = (
    "ID Number      Name                                                         Fed Sex Tit  WTit OTit           "
    "FOA SRtng SGm SK RRtng RGm Rk BRtng BGm BK B-day Flag"
)


def combined(other_titles: str, online: str, rest: str) -> str:
    person = f"{'12345':<15}{'Rossi, Ada':<61}ITA F   WIM  WIM  "
    return f"{person}{other_titles:<15}{online:<4}{rest}"


FIGURES = "2264  3   20 1838  0   20 2023  11  40 2000  w   "


def test_a_combined_list() -> None:
    (row,) = rows(f"{COMBINED_HEADER}\n{combined('IA,FT', 'AFM', FIGURES)}\n")
    assert row == ListRow(
        12345, "Rossi, Ada", "ITA", "F", "WIM", "WIM", "IA,FT", "AFM", 2264, 3, 20, 1838, 0, 20, 2023, 11, 40,
        2000, "w",
    )  # fmt: skip
    assert row.figures(ListName.STANDARD) == (2264, 3, 20)
    assert row.figures(ListName.RAPID) == (1838, 0, 20)
    assert row.figures(ListName.BLITZ) == (2023, 11, 40)
    assert not row.inactive


@pytest.mark.parametrize("moved", [False, True])
def test_titles_that_run_into_the_next_column(moved: bool) -> None:
    titles = "LSI,FI,SI,SLI,NA"
    usual = combined("IA", "", FIGURES)
    tangled = combined(titles, "    "[: 4 if moved else 3], FIGURES)
    one, two = rows(f"{COMBINED_HEADER}\n{usual}\n{tangled}\n")
    assert two == one._replace(other_titles=titles)


def test_a_single_list_takes_its_month_from_the_header() -> None:
    found = a_list(
        "ID Number      Name                      Fed Sex Tit  WTit OTit           SEP14 Gms K  B-day Flag\n"
        "10207538       A E M, Doshtagir          BAN M                            1860  0   20 1974  i   \n"
    )
    assert (found.month, found.combined) == (date(2014, 9, 1), False)
    (row,) = found
    assert (row.id, row.rating, row.games, row.k, row.born, row.flag) == (10207538, 1860, 0, 20, 1974, "i")
    assert row.inactive


def test_the_present_single_list_with_the_online_title_before_the_rating() -> None:
    (row,) = rows(
        "ID Number      Name          Fed Sex Tit  WTit OTit           FOA JUL25 Gms K  B-day Flag\n"
        "10207538       Ada           ITA F   GM                       AGM 2500  12  10 1999  w   \n"
    )
    assert (row.online_title, row.rating, row.games, row.k, row.born) == ("AGM", 2500, 12, 10, 1999)


def test_old_layouts() -> None:
    found = a_list(
        "  ID_NUMBER NAME                             TITLE COUNTRY JAN01 GAMES FLAG\n"
        "   5004373  Aarthie, Ramaswamy               wm    IND     2250   12   w   \n"
        "   8700206   Mtine, Joy                            ZAM     2050    0   wi  \n"
    )
    assert found.columns == ("id", "name", "title", "federation", "rating", "games", "flag")
    one, two = found
    assert (one.id, one.name, one.title, one.federation, one.rating, one.games) == (
        5004373, "Aarthie, Ramaswamy", "WIM", "IND", 2250, 12,
    )  # fmt: skip
    assert (two.id, two.name, two.flag, two.born) == (8700206, "Mtine, Joy", "wi", None)


def test_births_with_day_and_without() -> None:
    header = "ID_NUMBER NAME       BIRTHDAY   SEX\n"
    one, two, three = rows(
        header
        + "1         Uno        17.01.1972 M\n2         Due          .  .     F\n3         Tre        0000       F\n"
    )
    assert (one.born, two.born, three.born) == (date(1972, 1, 17), None, None)


def test_unknown_columns_are_left_aside() -> None:
    (row,) = rows("ID Number Name   Shoe Rtng\n1         Ada    42   2100\n")
    assert (row.name, row.rating) == ("Ada", 2100)


def test_a_list_without_header_is_refused() -> None:
    error = refused("\n 1701991  Aaberg, Anton      2383    0  17.01.72       \n")
    assert (error.code, error.facts["line"]) == ("list-without-header", 2)


def test_a_row_that_does_not_fit_its_columns_is_refused_with_its_place() -> None:
    header = "ID Number Name   Rtng Gms\n"
    good = "1         Ada    2100 3\n"
    seen: list[int] = []
    with pytest.raises(Unreadable) as caught:
        seen.extend(row.id for row in a_list(header + good * 2 + "2         Ugo    21oo 3\n"))
    assert seen == [1, 1]
    assert (caught.value.code, caught.value.facts) == (
        "list-row-unreadable",
        {"line": 4, "column": 18, "text": "21oo"},
    )


@pytest.mark.parametrize(("row", "text"), [("1  Ada  10000 20", "10000"), ("1  Ada  2100  100", "100")])
def test_ratings_and_k_that_were_never_anybodys_are_refused(row: str, text: str) -> None:
    assert [it.rating for it in a_list("ID Name Rtng  K\n1  Ada  9999  99\n")] == [9999]
    error = refused(f"ID Name Rtng  K\n{row}\n")
    assert (error.code, error.facts["line"], error.facts["text"]) == ("list-row-unreadable", 2, text)


def test_western_letters() -> None:
    found = a_list("ID Number Name\n1         Ada\n2         Muñoz\n".encode("cp1252"))
    assert [row.name for row in found] == ["Ada", "Muñoz"]


def test_each_line_of_a_list_may_have_letters_of_its_own() -> None:
    """FIDE's lists of 2001 mix them: each line is read for itself."""
    lines = [
        b"ID Number Name",
        "1         Muñiz, José".encode("cp850"),
        "2         Vaño, María".encode("cp1252"),
    ]
    lines.append("3         Šimánek, Čeněk".encode())
    found = a_list(b"\n".join(lines))
    assert [row.name for row in found] == ["Muñiz, José", "Vaño, María", "Šimánek, Čeněk"]


def test_a_compressed_list(tmp_path: Path) -> None:
    path = tmp_path / "lista.txt.gz"
    path.write_bytes(gzip.compress(b"ID Number Name\n1         Ada\n"))
    assert [row.name for row in open_list(path)] == ["Ada"]


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "file-empty"),
        (b"\n\n", "file-empty"),
        (b"PK\x03\x04....", "file-damaged"),
        (b"ID Number Name\n1\0        Ada\n", "file-binary"),
        (b"ID Number Name\n" + b"1" * 5000, "line-too-long"),
        (gzip.compress(b"ID Number Name\n" + b"1         Ada\n" * 1000, mtime=0)[:-20], "file-damaged"),
        (b"\x1f\x8bnothing", "file-damaged"),
        (b"<html></html>", "xml-not-a-list"),
        (b"<playerslist><player>", "xml-broken"),
        (b"<playerslist><player><fideid>test</fideid></player></playerslist>", "list-entry-unreadable"),
        (b"<playerslist><player><name>Ada</name></player></playerslist>", "list-entry-unreadable"),
        (b'<?xml version="1.0" encoding="klingon"?><playerslist/>', "xml-encoding-unknown"),
        (b"<playerslist>" + b"<a>" * 100, "xml-not-a-list"),
    ],
)
def test_a_file_that_is_no_list_is_refused(data: bytes, code: str) -> None:
    assert refused(data).code == code


def test_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match="file-not-opened"):
        open_list(tmp_path / "manca.xml")


# --------------------------------------------------------------------------------------------------- XML


def test_elements_and_attributes() -> None:
    data = """<?xml version="1.0"?><playerslist>
        <player><fideid>7</fideid><name> Rossi  &amp; C. </name><country>ITA</country><sex>F</sex>
        <title>WGM</title><w_title>WGM</w_title><o_title>IA</o_title><foa_title></foa_title>
        <rating>2300</rating><games>0</games><k>20</k><rapid_rating></rapid_rating>
        <blitz_rating>2200</blitz_rating><blitz_k>20</blitz_k><birthday>1985</birthday><flag>w</flag></player>
        <player FIDEID="8"><name>Verdi</name><birthday>1962-02-02</birthday><rating>0</rating></player>
    </playerslist>"""
    one, two = rows(data)
    assert (one.id, one.name, one.title, one.rating, one.games) == (7, "Rossi  & C.", "WGM", 2300, 0)
    assert (one.rapid_rating, one.blitz_rating, one.blitz_k, one.born, one.flag) == (
        None,
        2200,
        20,
        1985,
        "w",
    )
    assert (two.id, two.name, two.born, two.rating) == (8, "Verdi", date(1962, 2, 2), None)


LAUGHS = """<?xml version="1.0"?><!DOCTYPE playerslist [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">
<!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;">]>
<playerslist><player><fideid>1</fideid><name>&c;</name></player></playerslist>"""
OUTSIDE = """<!DOCTYPE playerslist [<!ENTITY x SYSTEM "file:///etc/hostname">]>
<playerslist><player><fideid>1</fideid><name>&x;</name></player></playerslist>"""


@pytest.mark.parametrize("data", [LAUGHS, OUTSIDE])
def test_entities_are_refused(data: str) -> None:
    assert refused(data).code == "xml-entities"


def test_the_place_of_broken_xml() -> None:
    error = refused("<playerslist>\n<player><fideid>1</name></player></playerslist>")
    assert (error.code, error.facts["line"]) == ("xml-broken", 2)


class Endless(io.RawIOBase):
    """A piece of text again and again, up to a size."""

    def __init__(self, start: bytes, piece: bytes, size: int, end: bytes = b"") -> None:
        self.left, self.piece, self.size, self.end = start, piece, size, end

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        while len(self.left) < len(buffer) and self.size > 0:
            self.left += self.piece
            self.size -= len(self.piece)
            self.left += self.end if self.size <= 0 else b""
        given = self.left[: len(buffer)]
        self.left = self.left[len(buffer) :]
        buffer[: len(given)] = given
        return len(given)


@pytest.mark.parametrize(
    ("start", "piece"),
    [
        (b"<playerslist><player><name>", b"a" * 1000),
        (b"<playerslist><player x='", b"a" * 100_000),
        (b"<playerslist><", b"a" * 100_000),
    ],
)
def test_an_entry_without_end_is_refused_before_it_fills_the_memory(start: bytes, piece: bytes) -> None:
    tracemalloc.start()
    try:
        with pytest.raises(Unreadable, match="xml-entry-too-long"):
            list(read_list(cast("BinaryIO", Endless(start, piece, 200_000_000))))
        assert tracemalloc.get_traced_memory()[1] < 20_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.deep
@pytest.mark.parametrize(
    ("start", "piece", "end"),
    [
        (b"ID Number Name      Rtng\n", b"1         Ada       2100\n" * 100, b""),
        (b"<playerslist>", b"<player><fideid>1</fideid><name>Ada</name></player>\n" * 100, b"</playerslist>"),
    ],
)
def test_memory_does_not_grow_with_the_list(start: bytes, piece: bytes, end: bytes) -> None:
    def peak(size: int) -> int:
        tracemalloc.start()
        try:
            stream = Endless(start, piece, size, end)
            found = read_list(cast("BinaryIO", stream))
            assert sum(1 for row in found if row.id) > size // 100
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    peak(30_000)
    assert peak(900_000) < peak(300_000) + 500_000  # 11,000 rows more would take megabytes


# ----------------------------------------------------------------------------------------------- writing

names = st.text("abcàßŠ'- ,.&<>\"", max_size=58).map(lambda text: " ".join(text.split()))
counts = st.none() | st.integers(0, 99)
figures = st.none() | st.integers(1000, 2900)
made_rows = st.builds(
    ListRow,
    id=st.integers(1, 10**9),
    name=names,
    federation=st.sampled_from(["", "ITA", "FID"]),
    sex=st.sampled_from(["", "M", "F"]),
    title=st.sampled_from(["", "GM", "WFM"]),
    women_title=st.sampled_from(["", "WFM"]),
    other_titles=st.sampled_from(["", "IA", "FA,FT,NA"]),
    online_title=st.sampled_from(["", "AFM"]),
    rating=figures,
    games=counts,
    k=st.none() | st.sampled_from([10, 20, 40]),
    rapid_rating=figures,
    rapid_games=counts,
    rapid_k=st.none() | st.sampled_from([10, 20]),
    blitz_rating=figures,
    blitz_games=counts,
    blitz_k=st.none() | st.sampled_from([10, 20]),
    born=st.none() | st.integers(1900, 2020),
    flag=st.sampled_from(["", "i", "w", "wi"]),
    number=st.none(),
    identifiers=st.none(),
    delisted=st.just(False),
)


def written(given_rows: list[ListRow], layout: str) -> bytes:
    out = io.BytesIO()
    assert write_list(given_rows, out, layout) == ()
    return out.getvalue()


@settings(max_examples=examples(40))
@given(st.lists(made_rows, max_size=4))
def test_combined_and_xml_lists_are_read_back(given_rows: list[ListRow]) -> None:
    assert rows(written(given_rows, "combined")) == given_rows
    assert rows(written(given_rows, "xml")) == given_rows


@settings(max_examples=examples(20))
@given(st.lists(made_rows, max_size=4))
def test_single_lists_are_read_back(given_rows: list[ListRow]) -> None:
    single = [
        row._replace(
            online_title="", rapid_rating=None, rapid_games=None, rapid_k=None, blitz_rating=None,
            blitz_games=None, blitz_k=None,
        )
        for row in given_rows
    ]  # fmt: skip
    assert rows(written(single, "single")) == single


def test_a_written_list_has_the_columns_of_a_real_one() -> None:
    data = written([ListRow(419214, "", "ENG", "M", rating=1736, games=0, k=20)], "combined").decode()
    header, row, end = data.split("\r\n")
    assert header == COMBINED_HEADER
    assert row == f"{'419214':<76}ENG M{'':32}1736  0   20{'':27}0000      "
    assert end == ""


def test_the_month_heads_the_ratings_of_a_single_list() -> None:
    out = io.BytesIO()
    write_list([], out, "single", date(2014, 9, 1))
    assert a_list(out.getvalue()).month == date(2014, 9, 1)


def test_losses_in_a_list_give_findings() -> None:
    def given_rows() -> Iterator[ListRow]:
        yield ListRow(1, "x" * 61, born=date(1990, 1, 2), rapid_rating=2000)
        yield ListRow(2, other_titles="LSI,FI,SI,SLI,NA", rating=123456)

    out = io.BytesIO()
    findings = write_list(given_rows(), out, "single")
    assert [(finding.code, finding.line) for finding in findings] == [
        ("list-figures-not-held", 2),
        ("list-only-year", 2),
        ("list-field-cut", 2),
        ("list-field-cut", 3),
        ("list-field-cut", 3),
    ]
    one, two = rows(out.getvalue())
    assert (one.name, one.born) == ("x" * 60, 1990)
    assert (two.other_titles, two.rating) == ("LSI,FI,SI,SLI", None)


def test_a_loss_is_said_of_every_row_that_has_it() -> None:
    long = "LSI,FI,SI,SLI,NA"
    given_rows = [ListRow(1, other_titles=long), ListRow(2, "Rossi"), ListRow(3, other_titles=long)]
    findings = write_list(given_rows, io.BytesIO(), "single")
    assert [(finding.code, finding.line) for finding in findings] == [
        ("list-field-cut", 2),
        ("list-field-cut", 4),
    ]


def test_columns_that_rows_lack_are_blank() -> None:
    given_rows = [ListRow(419214, "Rossi, Mario"), ListRow(419215, "Bianchi, Anna")]
    names = pl.DataFrame({"id": ["419214", "419215"], "name": ["Rossi, Mario", "Bianchi, Anna"]})
    with_names, with_all = io.BytesIO(), io.BytesIO()
    write_columns(names, with_names, "combined")
    write_list(given_rows, with_all, "combined")
    assert with_names.getvalue() == with_all.getvalue()


def test_an_unknown_layout() -> None:
    with pytest.raises(BadInput, match="layout-unknown"):
        write_list([], io.BytesIO(), "html")
