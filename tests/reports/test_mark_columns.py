"""The marks of the games of many reports are those of one report after the other."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from arpad.model.names import all_spelled
from arpad.reports.duplicates import game_marks
from arpad.reports.formats.trf_tables import read_tables
from arpad.reports.mark_columns import marks_of_table, player_digests
from tests.builders.changed_reports import changed_files, made_files
from tests.thinning import examples


def assert_same_marks(files: list[bytes]) -> None:
    reports = [report for report in read_tables(files) if report is not None]
    for table in {id(report.table): report.table for report in reports}.values():
        marks = marks_of_table(table, player_digests(all_spelled(table.names)))
        for report in reports:
            if report.table is table:
                assert marks[report.index] == game_marks(report, all_spelled(report.column("name")))


def test_the_marks_of_a_month_are_the_same() -> None:
    assert_same_marks([*made_files()])


@settings(max_examples=examples(100), deadline=None)
@given(st.lists(changed_files(), min_size=1, max_size=3))
def test_whatever_is_changed_the_marks_are_the_same(files: list[bytes]) -> None:
    assert_same_marks(files)
