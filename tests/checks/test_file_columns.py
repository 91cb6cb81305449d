"""The checks of a file on columns find what the checks of a file find."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from arpad.checks import check_file
from arpad.checks.file_columns import check_files, contradictory
from arpad.reports.formats import read_report
from arpad.reports.formats.trf_tables import read_tables
from tests.builders.changed_reports import changed_files, made_files
from tests.thinning import examples


@settings(max_examples=examples(300), deadline=None)
@given(st.lists(changed_files(), min_size=1, max_size=4))
def test_whatever_is_changed_both_find_the_same(files: list[bytes]) -> None:
    pairs = [(report, data) for report, data in zip(read_tables(files), files, strict=True) if report]
    assert check_files([report for report, _ in pairs]) == [
        check_file(read_report(data)) for _, data in pairs
    ]


def test_reports_in_order_are_not_looked_at_again() -> None:
    reports = [report for report in read_tables(made_files()) if report is not None]
    assert sum(contradictory(report.table)[report.index] for report in reports) < len(reports) // 2


def test_a_wrong_result_is_found_in_its_report_only() -> None:
    first, second = made_files()[:2]
    line = next(line for line in first.split(b"\r\n") if line.startswith(b"001    1 "))
    wrong = first.replace(line, line[:80] + b" 9.5" + line[84:])
    reports = [report for report in read_tables([wrong, second]) if report is not None]
    codes = [{finding.code for finding in findings} for findings in check_files(reports)]
    assert "points-not-the-sum" in codes[0]
    assert "points-not-the-sum" not in codes[1]
