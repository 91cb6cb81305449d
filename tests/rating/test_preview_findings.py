"""Looking without rating says what rating says: the same list, the same findings, in the same order."""

from dataclasses import replace
from datetime import timedelta
from runpy import run_path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arpad.model.rules import LISTS, ListName
from arpad.rating.preview import findings_only, listed_on, rate
from arpad.regulations.editions import CHESS_EDITIONS
from arpad.reports.event_facts import EventFacts, KnownPlayer
from arpad.reports.formats import read_report
from arpad.reports.report import Report
from tests.builders.chess import report as chess_report
from tests.builders.random_reports import reports
from tests.paths import BENCHMARKS
from tests.thinning import one_in

WORLD = run_path(str(BENCHMARKS / "world.py"), run_name="world")


def agree(report: Report, facts: EventFacts | None = None) -> None:
    rated = rate(report, facts=facts)
    assert findings_only(report, facts=facts) == (rated.on_list, rated.findings)
    assert listed_on(report, facts or EventFacts()) == rated.on_list


@pytest.mark.parametrize("edition", one_in(3, (edition.id for edition in CHESS_EDITIONS), 1))
def test_a_made_month_under_each_edition(edition: str) -> None:
    made_world = WORLD["world"](1000, 1)
    first = next(e.starts(ListName.STANDARD) for e in CHESS_EDITIONS if e.id == edition)
    for index in range(14):
        report = read_report(WORLD["report"](made_world, index, 1)[0].encode())
        moved = replace(report.header, first_day=first, last_day=first + timedelta(days=3))
        agree(replace(report, header=moved), EventFacts(received=first + timedelta(days=40)))


@given(reports(), st.sampled_from([None, *LISTS][:4]), st.booleans())
def test_whatever_a_report_holds(report: Report, on_list: ListName | None, known: bool) -> None:
    players = {"1": KnownPlayer(k=40, games=3), "2": KnownPlayer(rating=1500)} if known else {}
    agree(report, EventFacts(list=on_list, players=players))


def test_where_only_counting_tells() -> None:
    """K times the games is over 700, and a newcomer of a round robin is removed after another was (6.1)."""
    games = " ".join(("2w1", "2b1") * 10), " ".join(("1b0", "1w0") * 10)
    long = chess_report(f"1 2000 | {games[0]}\n2 1990 | {games[1]}")
    known = {"1": KnownPlayer(k=40), "2": KnownPlayer(k=40)}
    agree(long, EventFacts(players=known))
    assert "k-reduced-alone" in {
        finding.code for finding in findings_only(long, facts=EventFacts(players=known))[1]
    }
    removed = chess_report("1 2000 | 2w1 3b1 .Z\n2 0 | 1b0 .Z 3w1\n3 0 | .Z 1w0 2b0")
    agree(removed)
    assert "first-event-removed" in {finding.code for finding in findings_only(removed)[1]}
