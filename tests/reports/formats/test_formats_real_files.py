"""The real files: every TRF is read and written back to the byte, every list row by row."""

import gzip
from pathlib import Path

import pytest

from arpad.explain.words import LANGUAGES, load_words
from arpad.model.errors import Unreadable
from arpad.reports.formats import read_report, write_report
from arpad.reports.formats.lists.fide_list import open_list
from tests.builders.trf import codes, found
from tests.shared_data import real_file, real_files
from tests.thinning import one_in

REPORTS = real_files("trf")
LISTS = real_files("lists")
INVALID = "tegenterter_invalid.xml"


def name(path: Path) -> str:
    return f"{path.parent.name}/{path.name}"


@pytest.mark.skipif(not REPORTS, reason="the real reports are not here")
@pytest.mark.parametrize("path", REPORTS, ids=name)
def test_a_real_report_is_read_and_written_back_to_the_byte(path: Path) -> None:
    data = path.read_bytes()
    report = read_report(data, path.name)
    lines = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n").removeprefix(b"\xef\xbb\xbf").split(b"\n")
    assert len(report.entrants) == sum(line.startswith(b"001") for line in lines)
    again, findings = write_report(report, report.format)
    assert again == data
    assert findings == ()
    assert read_report(again) == report
    for language in LANGUAGES:
        assert all(load_words(language).finding(finding) for finding in report.findings)


@pytest.mark.skipif(not REPORTS, reason="the real reports are not here")
@pytest.mark.parametrize("path", REPORTS, ids=name)
def test_a_real_report_written_anew_says_the_same(path: Path) -> None:
    report = read_report(path.read_bytes())
    data, findings = write_report(report, "trf26" if report.format != "trf26" else "trfx")
    again = read_report(data)
    assert [entrant.name for entrant in again.entrants] == [entrant.name for entrant in report.entrants]
    assert again.rounds == report.rounds
    if report.format != "trf26":
        assert again.header == report.header
        assert findings == ()


@pytest.mark.skipif(not REPORTS, reason="the real reports are not here")
def test_all_of_them_are_there() -> None:
    assert len(REPORTS) == 89


def test_the_values_of_the_frankfurt_report() -> None:
    report = read_report(real_file("trf", "sklangen-TRF", "example1.trf").read_bytes())
    assert len(report.entrants) == 284
    assert len(report.rounds) == 7
    first = report.entrants[0]
    assert (first.name, first.title, first.rating, first.federation) == ("Vasquez,Rodrigo", "GM", 2558, "CHI")
    assert (first.id, first.half_points, first.rank) == ("3400042", 12, 4)
    assert [game.opponent for game in report.games(0)] == [141, 78, 42, 21, 16, 25, 31]
    assert "".join(game.result for game in report.games(0)) == "11111=="


@pytest.mark.parametrize(
    ("file", "code", "place"),
    [
        ("invalid_code.trf", "line-unknown", (7, 1)),
        ("missing_starting_number.trf", "start-numbers-missing", (7, 5)),
        ("missing_result.trf", "cells-missing", (3, 132)),
        ("too_many_results.trf", "cells-surplus", (2, 142)),
    ],
)
def test_made_negative_cases_get_the_finding_they_were_made_for(
    file: str, code: str, place: tuple[int, int]
) -> None:
    report = read_report(real_file("trf", "py4swiss", file).read_bytes())
    finding = found(report, code)
    assert (finding.line, finding.column) == place


@pytest.mark.parametrize(
    "file", ["incorrect_points.trf", "incompatible_color.trf", "incompatible_result.trf"]
)
def test_contradictions_are_left_to_the_checks(file: str) -> None:
    report = read_report(real_file("trf", "py4swiss", file).read_bytes())
    assert len(report.entrants) == 7
    assert codes(report) == []


def rows_by_hand(path: Path) -> int:
    """How many players a list has, counted without our reader."""
    data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    if path.suffix == ".xml":
        return data.count(b"</player>")
    return sum(1 for line in data.split(b"\n")[1:] if line.strip())


@pytest.mark.skipif(not LISTS, reason="the real lists are not here")
@pytest.mark.parametrize("path", one_in(3, LISTS), ids=name)
def test_a_real_list_is_read_in_full(path: Path) -> None:
    if path.name == INVALID:
        with pytest.raises(Unreadable) as caught:
            list(open_list(path))
        assert caught.value.code == "list-entry-unreadable"
        assert all("\n" not in load_words(language).error(caught.value) for language in LANGUAGES)
        return
    count = 0
    for row in open_list(path):
        count += 1
        assert row.federation == "" or len(row.federation) == 3
        assert row.rating is None or 1000 <= row.rating < 3000
    assert count == rows_by_hand(path)


def test_rows_of_real_lists() -> None:
    with open_list(real_file("lists", "fide-txt", "oct01frl.txt.gz")) as rows:
        second = list(rows)[1]
        assert rows.month is not None
        assert (rows.month.year, rows.month.month) == (2001, 10)
    assert (second.id, second.name, second.title, second.rating, second.games) == (
        1401815, "Aagaard, Jacob", "IM", 2356, 7,
    )  # fmt: skip
    assert second.born is not None
    assert str(second.born) == "1973-07-31"
