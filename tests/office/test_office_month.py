"""A month of the office, with numbers worked by hand."""

from datetime import date
from typing import Any

import pytest

from arpad.lists.canonical import read_canonical
from arpad.model.errors import BadInput
from arpad.office.reports import rows as reports
from arpad.reports.formats.lists.fide_list import open_list
from tests.builders.chess import event
from tests.builders.decisions import decide
from tests.builders.office_fixtures import DEEP_ON_POSTGRESQL
from tests.builders.offices import STANDARD, WIN, Desk, listed, trf
from tests.builders.verbs import accept, draft, explain, ledger, submit, verify, verify_bundle, withdraw

JAN, FEB, MAR = date(2018, 1, 1), date(2018, 2, 1), date(2018, 3, 1)

# 2000 beats 1900: expected 0.64, so +0.36 x 20 = +7.2; 1900 loses 7.2 with the same K: rounded +7 and -7.

DRAW = """
1 2000 | 2w=
2 1900 | 1b=
"""


def test_a_game_from_report_to_list(desk: Desk) -> None:
    desk.list(JAN, listed(1, 2000), listed(2, 1900))
    desk.report(event("Match", WIN, date(2018, 1, 10)))

    publication = desk.publish(FEB)

    assert (desk.rating(1, date(2018, 2, 1)), desk.rating(2, date(2018, 2, 1))) == (2007, 1893)
    assert (publication.number, publication.revision) == (2, 1)
    assert desk.rating(1, date(2018, 1, 31)) == 2000
    assert verify(desk.office).intact
    assert verify_bundle(desk.folder / "lists" / "standard-2018-02-01-r1.bundle.zip").intact


def test_without_numpy_a_list_is_made_the_readable_way(
    sqlite_desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(_: object) -> None:
        raise AssertionError

    monkeypatch.setattr("arpad.lists.compute_fast.compute_list_fast", never)
    monkeypatch.setattr("arpad.lists.compute.ON_COLUMNS", False)
    monkeypatch.setattr("arpad.lists.inputs.ON_COLUMNS", False)
    desk = sqlite_desk
    desk.list(JAN, listed(1, 2000), listed(2, 1900))
    desk.report(event("Match", WIN, date(2018, 1, 10)))
    desk.publish(FEB)

    assert (desk.rating(1, FEB), desk.rating(2, FEB)) == (2007, 1893)
    assert verify_bundle(desk.folder / "lists" / "standard-2018-02-01-r1.bundle.zip").intact


def test_the_files_are_read_back_to_the_same_list(desk: Desk) -> None:
    desk.list(JAN, listed(1, 2000), listed(2, 1900))
    desk.report(event("Match", WIN, date(2018, 1, 10)))
    desk.publish(FEB)
    folder = desk.folder / "lists"

    canonical = read_canonical((folder / "standard-2018-02-01-r1.canonical.txt").read_bytes())
    expected = [(9001, "Player 1", 2007, 1, 20), (9002, "Player 2", 1893, 1, 20)]

    assert [(int(r.identifier("fide")), r.name, r.rating, r.games, r.k) for r in canonical.rows] == expected
    for suffix in ("txt", "xml"):
        with open_list(folder / f"standard-2018-02-01-r1.{suffix}") as rows:
            assert [(r.id, r.name, r.rating, r.games, r.k) for r in rows] == expected


@DEEP_ON_POSTGRESQL
def test_a_late_report_falls_into_the_next_list_with_the_ratings_of_its_own_first_day(desk: Desk) -> None:
    desk.list(JAN, listed(1, 2000), listed(2, 1900))
    desk.report(event("First", WIN, date(2018, 1, 10)))
    desk.publish(FEB)
    # rated with the list of January, 2000 against 1900, and added to the ratings of February
    desk.report(event("Late", WIN, date(2018, 1, 20)))
    desk.publish(MAR)

    assert (desk.rating(1, MAR), desk.rating(2, MAR)) == (2014, 1886)


@pytest.mark.parametrize(("last", "taken"), [(date(2018, 1, 29), True), (date(2018, 1, 30), False)])
def test_the_cut_off_is_three_days_before_the_list(sqlite_desk: Desk, last: date, taken: bool) -> None:
    desk = sqlite_desk
    desk.list(JAN, listed(1, 2000), listed(2, 1900))
    desk.report(event("Match", WIN, date(2018, 1, 10), last))

    made = draft(desk.office, STANDARD, FEB)

    assert bool(made.reports) is taken
    assert [left.reason for left in made.left_out] == ([] if taken else ["after-cutoff"])


def test_a_report_without_days_did_not_end_after_the_cut_off(sqlite_desk: Desk) -> None:
    desk = sqlite_desk
    desk.list(JAN, listed(1, 2000), listed(2, 1900))
    dated = trf(event("Match", WIN, date(2018, 1, 10))).splitlines(keepends=True)
    undated = b"".join(line for line in dated if line[:3] not in (b"042", b"052", b"132"))
    submit(desk.office, undated, "match.trf")

    assert [left.reason for left in draft(desk.office, STANDARD, FEB).left_out] == ["without-last-day"]


def test_official_events_have_until_the_last_day(sqlite_desk: Desk) -> None:
    desk = sqlite_desk
    desk.list(JAN, listed(1, 2000), listed(2, 1900))
    report = desk.report(event("Match", WIN, date(2018, 1, 10), date(2018, 1, 31)))
    assert not draft(desk.office, STANDARD, FEB).reports

    decide(desk.office, "official", report=report, reason="continental championship")

    assert len(draft(desk.office, STANDARD, FEB).reports) == 1


def test_only_reports_that_can_fall_in_are_read(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Twenty years of rated reports cost the next list nothing."""
    desk.list(JAN, listed(1, 2000), listed(2, 1900))
    for day in range(3, 9):
        desk.report(event(f"Match {day}", WIN, date(2018, 1, day)))
    withdrawn = desk.report(event("Withdrawn", WIN, date(2018, 1, 9)))
    withdraw(desk.office, withdrawn, reason="a mistake")
    desk.publish(FEB)
    late = desk.report(event("Late", WIN, date(2018, 1, 20)))
    desk.on(date(2018, 2, 11))
    waiting = desk.send(event("Waiting", WIN, date(2018, 2, 10))).report
    read: list[int] = []
    filed = reports.Filed

    def noted(*fields: Any) -> reports.Filed:
        report = filed(*fields)
        read.append(report.id)
        return report

    monkeypatch.setattr(reports, "Filed", noted)
    made = draft(desk.office, STANDARD, MAR)

    assert ([taken.id for taken in made.reports], [left.report.id for left in made.left_out]) == (
        [late],
        [waiting],
    )
    assert set(read) == {late, waiting}


def test_what_is_left_out_is_said(sqlite_desk: Desk) -> None:
    desk = sqlite_desk
    desk.list(JAN, listed(1, 2000), listed(2, 1900))
    desk.on(date(2018, 1, 11))
    desk.send(event("Waiting", WIN, date(2018, 1, 10)))
    unrated = desk.report(event("Evening in a pub", WIN, date(2018, 1, 15)))
    decide(desk.office, "not-rated", report=unrated, reason="not played by the Laws")

    made = draft(desk.office, STANDARD, FEB)

    assert [(left.report.name, left.reason) for left in made.left_out] == [
        ("Waiting", "received"),
        ("Evening in a pub", "not-rated"),
    ]
    assert made.result.movements == ()


@DEEP_ON_POSTGRESQL
def test_a_newcomer_gets_a_number_and_then_a_rating(desk: Desk) -> None:
    # one event, five games against an average of 2000, two and a half points: 50 %, hence Ru = 2000 (8.2, 7.14)
    table = """
1 2000 | 6b1 .Z .Z .Z .Z
2 2000 | .Z 6w0 .Z .Z .Z
3 2000 | .Z .Z 6b= .Z .Z
4 2000 | .Z .Z .Z 6w1 .Z
5 2000 | .Z .Z .Z .Z 6b0
6 0 | 1w0 2b1 3w= 4b0 5w1
"""
    desk.list(JAN, *[listed(number, 2000) for number in range(1, 6)])
    report = event("Open", table, date(2018, 1, 10), date(2018, 1, 14))
    desk.on(date(2018, 1, 15))
    sent = desk.send(report)
    accepted = accept(desk.office, sent.report)
    assert accepted.newcomers == (6,)

    desk.publish(FEB)

    assert desk.rating(6, FEB) == 2000
    told = explain(desk.office, 6, STANDARD, FEB)
    assert told.change is not None
    assert told.change.entry is not None
    assert (told.change.entry.rating, told.change.entry.games) == (2000, 5)


def test_a_newcomer_who_lacks_games_is_kept_and_pooled(desk: Desk) -> None:
    # three games in January and two in February make five: 2.5 of 5 against 2000 (8.3)
    first = """
1 2000 | 6b1 .Z .Z
2 2000 | .Z 6w0 .Z
3 2000 | .Z .Z 6b=
4 2000 | .Z 5w= .Z
5 2000 | .Z 4b= .Z
6 0 | 1w0 2b1 3w=
"""
    second = """
1 2000 | 2w= .Z
2 2000 | 1b= .Z
4 2000 | 6w1 .Z
5 2000 | .Z 6b0
6 0 | 4b0 5w1
"""
    desk.list(JAN, *[listed(number, 2000) for number in range(1, 6)])
    desk.report(event("First", first, date(2018, 1, 10), date(2018, 1, 12)))
    desk.publish(FEB)
    told = explain(desk.office, 6, STANDARD, FEB)
    assert (told.rating, told.pending) == (None, 1)
    assert told.change is not None
    assert told.change.entry is not None
    assert told.change.entry.reason == "too-few-games"

    desk.report(event("Second", second, date(2018, 2, 10), date(2018, 2, 11)))
    desk.publish(MAR)

    assert desk.rating(6, MAR) == 2000


def test_a_list_is_published_once(desk: Desk) -> None:
    desk.list(JAN, listed(1, 2000), listed(2, 1900))
    desk.report(event("Match", WIN, date(2018, 1, 10)))
    first = desk.publish(FEB)
    files = {path.name: path.read_bytes() for path in (desk.folder / "lists").iterdir()}
    acts = len(ledger(desk.office))
    desk.report(event("Late", WIN, date(2018, 1, 20)))

    again = desk.publish(FEB)

    assert again == first
    assert {path.name: path.read_bytes() for path in (desk.folder / "lists").iterdir()} == files
    assert len(ledger(desk.office)) == acts + 2  # the late report was sent and accepted
    with pytest.raises(BadInput, match="list-out"):
        draft(desk.office, STANDARD, JAN)


@pytest.mark.parametrize("day", [date(2018, 2, 2), date(2018, 1, 31)])
def test_a_list_comes_out_on_the_calendar(sqlite_desk: Desk, day: date) -> None:
    sqlite_desk.list(JAN, listed(1, 2000))
    with pytest.raises(BadInput, match="off-calendar"):
        draft(sqlite_desk.office, STANDARD, day)


def test_six_lists_a_year_in_2009(sqlite_desk: Desk) -> None:
    desk = sqlite_desk
    desk.list(date(2009, 7, 1), listed(1, 2000, 15), listed(2, 1900, 15))
    with pytest.raises(BadInput, match="off-calendar"):
        draft(desk.office, STANDARD, date(2009, 8, 1))

    # the cut-off is seven days: 25 August is in time, 26 August is not (readings 2)
    desk.report(event("In time", WIN, date(2009, 8, 24), date(2009, 8, 25)))
    desk.report(event("Too late", DRAW, date(2009, 8, 20), date(2009, 8, 26)))
    made = draft(desk.office, STANDARD, date(2009, 9, 1))

    assert [filed.name for filed in made.reports] == ["In time"]
    assert made.result.published.valid_to == date(2009, 10, 31)
