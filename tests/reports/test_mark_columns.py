"""The marks of games on columns are those of the games one by one."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from arpad.reports.duplicates import game_marks
from arpad.reports.formats import read_report
from arpad.reports.formats.trf_tables import read_tables
from arpad.reports.mark_columns import marks_of_tables
from tests.builders.changed_reports import changed_files
from tests.builders.trf import HEAD, player, text
from tests.thinning import examples


@settings(max_examples=examples(200), deadline=None)
@given(st.lists(changed_files(), min_size=1, max_size=4))
def test_whatever_is_changed_the_marks_are_the_same(files: list[bytes]) -> None:
    reports = [report for report in read_tables(files) if report is not None]
    keys = [report.column("name") for report in reports]
    expected = [
        game_marks(read_report(b"".join(line.encode() for line in it.source)), it.column("name"))
        for it in reports
    ]
    assert marks_of_tables(reports, keys) == expected


def test_games_of_the_same_players_with_the_same_result_are_told_apart() -> None:
    cells = ("   2 w 1", "   2 b 1", "   2 w 1")
    answers = ("   1 b 0", "   1 w 0", "   1 b 0")
    data = text(
        *HEAD,
        player(1, *cells, name="Bianchi, Ada", points="3.0"),
        player(2, *answers, name="Verdi, Ugo", rank=2),
    )
    (report,) = read_tables([data])
    assert report is not None
    (marks,) = marks_of_tables([report], [report.column("name")])
    assert len(marks) == 3 * 8
    assert marks == game_marks(read_report(data), report.column("name"))
