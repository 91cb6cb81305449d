"""Reports of tables: none, or exactly what the reader proper reads."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest
from hypothesis import given, settings

from arpad.model.errors import ArpadError
from arpad.reports.formats import read_report
from arpad.reports.formats.trf_tables import read_tables
from arpad.reports.report import Entrant, Report
from arpad.reports.report_table import TableReport
from tests.builders.changed_reports import changed_files, made_files
from tests.builders.trf import HEAD, PAIR, player, text
from tests.shared_data import real_files
from tests.thinning import examples

COUNTS = ("062 4", "072 4")
FULL = text(
    *HEAD, *COUNTS,
    player(1, "   2 w 1", "   3 b =", "0000 - H", name="Bianchi, Ada", points="2.0", title="WFM", sex="w"),
    player(2, "   1 b 0", "   4 w +", "   3 w 0", name="Öztürk, Ela", points="1.0", rank=3, born="1990/00/00"),
    player(3, "   4 w =", "   1 w =", "   2 b 1", name="陈, 静", points="2.0", rank=2, born="", rating=""),
    player(4, "   3 b =", "   2 b -", "0000 - Z", points="0.5", rank=4, federation="", id="0012"),
    end="\r\n",
)  # fmt: skip


def assert_same(report: TableReport, data: bytes) -> None:
    """Compare a report of a table with the report that the reader proper reads."""
    plain = read_report(data)
    for field in fields(Entrant):
        assert list(report.column(field.name)) == list(plain.column(field.name)), field.name
    assert [report.entrant(place) for place in range(report.size)] == list(plain.entrants)
    for name in (
        "round_numbers", "paired_rounds", "rounds_with_pairs", "all_paired", "unplayed_cells", "without_federation",
    ):  # fmt: skip
        assert getattr(report, name) == getattr(plain, name), name
    assert [*report.round_days] == [*plain.round_days]
    pairs = [{*plain.pairs(cells)} for cells in plain.rounds]
    assert len({pair for in_round in pairs for pair in in_round}) <= plain.most_pairs
    assert report.most_pairs == sum(map(len, pairs))
    for field in fields(Report):
        assert getattr(report, field.name) == getattr(plain, field.name), field.name


def test_a_regular_report_is_read_into_a_table() -> None:
    (report,) = read_tables([FULL])
    assert isinstance(report, TableReport)
    assert_same(report, FULL)


def test_reports_with_as_many_rounds_share_a_table() -> None:
    files = [*made_files(), b"", FULL, text(*HEAD, *PAIR)]
    reports = read_tables(files)
    regular = [report for report in reports if report is not None]
    assert len(regular) > len(files) // 2
    assert len({id(report.table) for report in regular}) < len(regular)
    for report, data in zip(reports, files, strict=True):
        if report is not None:
            assert_same(report, data)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"001    4", b"001    9"),
        (b"   2 w 1", b" 2 2 w 1"),
        (b"   2 w 1", b"   2 w x"),
        (b"   2 w 1", b"   2 w H"),
        (b"1990/05/17", b"1990/02/30"),
        (b"WFM", b"WXM"),
        (b"ITA             1990", b"XYZ             1990"),
        (b"2.0    1", b"2.3    1"),
        (b"  0.5    4", b"  0.5     "),
        (b"2024/03/01", b"01.03.2024"),
        (b"012 Open", b"099 Open"),
        (b"\r\n001    4", b"\n001    4"),
        (b"Bianchi, Ada", b"           "),
    ],
    ids=str,
)
def test_a_file_that_needs_a_judgement_is_left_to_the_reader_proper(old: bytes, new: bytes) -> None:
    assert old in FULL
    assert read_tables([FULL.replace(old, new, 1)]) == [None]


def test_a_changed_copy_is_a_plain_report() -> None:
    (report,) = read_tables([FULL])
    assert report is not None
    copy = replace(report, header=replace(report.header, name="Another"))
    assert type(copy) is Report
    assert (copy.entrants, copy.header.name) == (read_report(FULL).entrants, "Another")


@settings(max_examples=examples(400), deadline=None)
@given(changed_files())
def test_whatever_is_changed_both_readers_agree(data: bytes) -> None:
    (report,) = read_tables([data])
    if report is not None:
        assert_same(report, data)


def test_real_reports_are_read_alike() -> None:
    files = real_files("trf")
    if not files:
        pytest.skip("the real files are not here")
    contents = [path.read_bytes() for path in files[:150]]
    reports = read_tables(contents)
    for report, data in zip(reports, contents, strict=True):
        if report is not None:
            assert_same(report, data)
    assert any(report is not None for report in reports)


def test_a_file_that_cannot_be_read_is_no_table() -> None:
    with pytest.raises(ArpadError):
        read_report(b"012 Nobody\n")
    assert read_tables([b"012 Nobody\n"]) == [None]
