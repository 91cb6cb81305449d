"""Corrections: a published list stays, a revision stands beside it; the next period starts from what is right."""

from contextlib import nullcontext
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from arpad.lists.canonical import read_canonical
from arpad.model.errors import BadInput
from arpad.office.corrections.acts import reports_to_add
from arpad.reports.report import Report
from tests.builders.chess import event
from tests.builders.decisions import decide
from tests.builders.office_fixtures import DEEP_ON_POSTGRESQL
from tests.builders.offices import FEW, STANDARD, Clock, Desk, listed, report_file, trf
from tests.builders.verbs import (
    accept,
    appeal,
    draft,
    init,
    ratings_in_force,
    revise,
    settle,
    submit,
    verify,
    verify_bundle,
    withdraw,
)

JAN, FEB, MAR, APR, MAY = (date(2018, month, 1) for month in range(1, 6))

# equals: a win is worth 0.5 x 20 = 10 points; with 2010 against 1990 the expectation is 0.53
WIN = """
1 2000 | 2w1
2 2000 | 1b0
"""
DRAW = """
1 2000 | 2w=
2 2000 | 1b=
"""
LOSS = """
1 2000 | 2w0
2 2000 | 1b1
"""


def two_months(desk: Desk) -> tuple[int, int]:
    """January: 1 beats 2, 2010 and 1990. February: again, rated with the list of February: 0.47 x 20 = 9.4."""
    desk.list(JAN, listed(1, 2000), listed(2, 2000))
    first = desk.report(event("January", WIN, date(2018, 1, 10)))
    desk.publish(FEB)
    second = desk.report(event("February", WIN, date(2018, 2, 10)))
    desk.publish(MAR)
    assert (desk.rating(1, FEB), desk.rating(2, FEB)) == (2010, 1990)
    assert (desk.rating(1, MAR), desk.rating(2, MAR)) == (2019, 1981)
    return first, second


def replace_first(desk: Desk, first: int) -> None:
    """The game of January was a draw after all."""
    desk.on(date(2018, 3, 10))
    sent = desk.send(event("January", DRAW, date(2018, 1, 10)), replaces=first)
    accept(desk.office, sent.report, reason="scoresheet")


@DEEP_ON_POSTGRESQL
def test_every_list_that_changes_gets_its_revision(desk: Desk) -> None:
    first, _ = two_months(desk)
    replace_first(desk, first)

    revised = revise(desk.office, STANDARD, desk.folder / "lists", reason="wrong result", kinds=FEW)

    # February: nobody moved. March: equals again, so the win of February is worth 10.
    shown = [
        (r.publication.name, [(d.player, d.before, d.after) for d in r.differences])
        for r in revised.revisions
    ]
    assert shown == [
        ("standard-2018-02-01-r2", [(1, 2010, 2000), (2, 1990, 2000)]),
        ("standard-2018-03-01-r2", [(1, 2019, 2010), (2, 1981, 1990)]),
    ]
    # what was in force until the revision came out stays what it was
    assert desk.rating(1, date(2018, 3, 5)) == 2019
    assert desk.rating(1, date(2018, 3, 10)) == 2010
    for name in ("standard-2018-02-01-r1", "standard-2018-02-01-r2", "standard-2018-03-01-r2"):
        assert verify_bundle(desk.folder / "lists" / f"{name}.bundle.zip").intact, name
    assert verify(desk.office).intact


def test_the_next_period_starts_from_the_revised_ratings(sqlite_desk: Desk) -> None:
    desk = sqlite_desk
    first, _ = two_months(desk)
    replace_first(desk, first)
    revise(desk.office, STANDARD, reason="wrong result")
    # began on 5 March, when revision 1 was out: 2019 against 1981, expected 0.55, so -0.55 x 20 = -11
    desk.report(event("March", LOSS, date(2018, 3, 5)))
    desk.publish(APR)

    assert (desk.rating(1, APR), desk.rating(2, APR)) == (2010 - 11, 1990 + 11)


def test_only_the_base_of_the_next_list_is_corrected(desk: Desk) -> None:
    first, _ = two_months(desk)
    replace_first(desk, first)

    revised = revise(desk.office, STANDARD, desk.folder / "lists", reason="wrong result", mode="base")

    # the lists stand; the ten points of January go, the 9.4 of February stay: 2000 + 9 and 2000 - 9
    assert [(d.player, d.before, d.after) for d in revised.revisions[0].differences] == [
        (1, 2019, 2009),
        (2, 1981, 1991),
    ]
    assert desk.rating(1, date(2018, 3, 31)) == 2019
    desk.report(event("March", DRAW, date(2018, 3, 20)))
    desk.publish(APR)
    # 2019 against 1981 on the list in force: expected 0.55, a draw costs 0.05 x 20 = 1
    assert (desk.rating(1, APR), desk.rating(2, APR)) == (2008, 1992)
    assert verify(desk.office).intact
    assert revise(desk.office, STANDARD, reason="once more", mode="base").revisions == ()


def newcomers_win(first: int, second: int, name: str, day: date, last: date | None = None) -> Report:
    """A game between two players of K 40: the first wins."""
    table = f"{first} 2000 | {second}w1\n{second} 2000 | {first}b0\n"
    return event(name, table, day, last)


def test_a_corrected_base_keeps_what_an_earlier_revision_corrected(sqlite_desk: Desk) -> None:
    """Reading 3: a recomputation takes the revised ratings, also where only the base is corrected."""
    desk = sqlite_desk
    desk.list(JAN, *(listed(number, 2000, 40) for number in (1, 2, 3, 4)))
    wrong = desk.report(newcomers_win(1, 2, "Wrong", date(2018, 1, 10)))
    desk.publish(FEB)
    desk.report(newcomers_win(1, 3, "Right", date(2018, 2, 10)))
    other = desk.report(newcomers_win(2, 4, "Other", date(2018, 2, 11)))
    desk.publish(MAR)
    # 2020 beats 2000: .53 expected, .47 x 40 = 18.8
    assert (desk.rating(1, MAR), desk.rating(3, MAR)) == (2039, 1981)
    desk.on(date(2018, 3, 5))
    withdraw(desk.office, wrong, reason="never played")
    revise(desk.office, STANDARD, reason="never played")
    # equals again: .5 x 40 = 20
    assert (desk.rating(1, date(2018, 3, 6)), desk.rating(3, date(2018, 3, 6))) == (2020, 1980)

    desk.on(date(2018, 3, 7))
    withdraw(desk.office, other, reason="never played either")
    revise(desk.office, STANDARD, reason="never played either", mode="base")
    desk.publish(APR)

    # the game of 2 and 4 is gone, and nothing else has changed
    assert ratings_in_force(desk.office, STANDARD, APR) == {1: 2020, 2: 2000, 3: 1980, 4: 2000}
    assert verify(desk.office).intact


def test_a_decision_about_something_else_revises_no_list(sqlite_desk: Desk) -> None:
    """Reading 3: an event that began before a revision was out keeps the ratings of its first day."""
    desk = sqlite_desk
    desk.list(JAN, *(listed(number, 2000, 40) for number in (1, 2, 3)))
    wrong = desk.report(newcomers_win(1, 2, "Wrong", date(2018, 1, 10)))
    desk.publish(FEB)
    rated = desk.report(newcomers_win(1, 3, "Right", date(2018, 2, 3), date(2018, 2, 10)))
    desk.on(date(2018, 2, 20))
    withdraw(desk.office, wrong, reason="never played")
    revise(desk.office, STANDARD, reason="never played")
    desk.publish(MAR)
    # 2020 on the first day: 18.8 points, added to the corrected 2000
    assert (desk.rating(1, MAR), desk.rating(3, MAR)) == (2019, 1981)

    desk.on(date(2018, 3, 5))
    decide(desk.office, "rating-officer", federation="ITA", name="A. Bianchi", reason="elected")
    assert revise(desk.office, STANDARD, reason="nothing to correct").revisions == ()

    # a decision about the list itself does: a draw of equals
    decide(desk.office, "result", report=rated, number=1, round=1, result="=", reason="scoresheet")
    revise(desk.office, STANDARD, reason="scoresheet")
    assert (desk.rating(1, date(2018, 3, 6)), desk.rating(3, date(2018, 3, 6))) == (2000, 2000)


def test_a_list_taken_over_since_stays_the_start_of_the_next(sqlite_desk: Desk) -> None:
    desk = sqlite_desk
    first, _ = two_months(desk)
    desk.list(APR, listed(1, 2300), listed(2, 2300))
    withdraw(desk.office, first, reason="the hall was double-booked")

    assert revise(desk.office, STANDARD, reason="withdrawn", mode="base").revisions == ()

    desk.publish(MAY)
    assert (desk.rating(1, MAY), desk.rating(2, MAY)) == (2300, 2300)


def test_a_withdrawn_report_and_nothing_else_changes(sqlite_desk: Desk) -> None:
    desk = sqlite_desk
    first, second = two_months(desk)
    desk.on(date(2018, 3, 10))
    withdraw(desk.office, second, reason="the hall was double-booked")

    revised = revise(desk.office, STANDARD, reason="withdrawn")

    assert [r.publication.name for r in revised.revisions] == ["standard-2018-03-01-r2"]
    assert (desk.rating(1, date(2018, 3, 10)), desk.rating(2, date(2018, 3, 10))) == (2010, 1990)
    assert revise(desk.office, STANDARD, reason="again").revisions == ()
    assert first


def test_a_late_report_can_be_added_to_the_list_it_missed(desk: Desk) -> None:
    two_months(desk)
    desk.on(date(2018, 3, 10))
    late = desk.report(event("Late", DRAW, date(2018, 1, 20)))
    desk.report(event("In time for the next list", DRAW, date(2018, 3, 9)))
    with desk.office.store.reading() as connection:
        assert [report.id for report in reports_to_add(connection, STANDARD)] == [late]

    revised = revise(desk.office, STANDARD, reason="lost in the post", add=[late])

    # a draw between equals changes nobody's rating, only the games: both lists have a revision, nobody moves
    assert [(r.publication.name, r.differences) for r in revised.revisions] == [
        ("standard-2018-02-01-r2", ()),
        ("standard-2018-03-01-r2", ()),
    ]
    assert late not in {report.id for report in draft(desk.office, STANDARD, APR).reports}


@pytest.mark.parametrize("mode", ["lists", "base"])
def test_a_report_rated_late_moves_to_the_list_it_missed_and_counts_once(
    sqlite_desk: Desk, mode: str
) -> None:
    desk = sqlite_desk
    desk.list(JAN, listed(1, 2000), listed(2, 2000))
    desk.publish(FEB)
    late = desk.report(event("Late", WIN, date(2018, 1, 20)))
    desk.publish(MAR)
    desk.on(date(2018, 3, 10))

    folder = desk.folder / "lists"
    revise(desk.office, STANDARD, folder, reason="it was here in time", mode=mode, add=[late], kinds=FEW)
    desk.publish(APR)

    assert (desk.rating(1, APR), desk.rating(2, APR)) == (2010, 1990)
    if mode == "lists":
        shown = [
            [(row.rating, row.games) for row in read_canonical(path.read_bytes()).rows]
            for path in sorted(folder.glob("*-r2.canonical.txt"))
        ]
        assert shown == [[(2010, 1), (1990, 1)], [(2010, 0), (1990, 0)]]


def test_a_report_that_corrects_a_rated_one_waits_for_the_revision(sqlite_desk: Desk) -> None:
    first, _ = two_months(sqlite_desk)
    replace_first(sqlite_desk, first)

    made = draft(sqlite_desk.office, STANDARD, APR)

    assert [left.reason for left in made.left_out] == ["corrects-published"]


def test_a_result_changed_after_play_is_a_decision_and_the_report_keeps_the_game(sqlite_desk: Desk) -> None:
    desk = sqlite_desk
    first, _ = two_months(desk)
    desk.on(date(2018, 3, 10))
    before = report_file(desk.office, first)[1]
    decide(desk.office, "result", report=first, number=1, round=1, result="=", reason="appeals committee")

    revise(desk.office, STANDARD, reason="appeals committee")

    assert desk.rating(1, date(2018, 3, 10)) == 2010
    assert report_file(desk.office, first)[1] == before


def test_a_decided_k_counts_for_one_list(sqlite_desk: Desk) -> None:
    desk = sqlite_desk
    desk.list(JAN, listed(1, 2000), listed(2, 2000))
    desk.report(event("January", WIN, date(2018, 1, 10)))
    decide(
        desk.office,
        "k",
        player=1,
        on_list=STANDARD,
        day=FEB,
        k=40,
        reason="junior, birth not in the register",
    )
    desk.publish(FEB)

    assert (desk.rating(1, FEB), desk.rating(2, FEB)) == (2020, 1990)


def test_who_is_left_out_is_computed_and_used_but_not_published(sqlite_desk: Desk) -> None:
    desk = sqlite_desk
    desk.list(JAN, listed(1, 2000), listed(2, 2000, federation="ARU"))
    decide(desk.office, "suspended", federation="ARU", day=JAN, reason="general assembly")
    desk.report(event("January", WIN, date(2018, 1, 10)))
    made = draft(desk.office, STANDARD, FEB)
    assert [row.player for row in made.result.published.rows] == [1]
    assert made.result.ratings == {1: 2010, 2: 1990}

    decide(desk.office, "dispensation", player=2, day=JAN, reason="refugee")

    made = draft(desk.office, STANDARD, FEB)
    assert [row.player for row in made.result.published.rows] == [1, 2]


def test_an_appeal_in_time_can_be_upheld(sqlite_desk: Desk) -> None:
    desk = sqlite_desk
    desk.list(JAN, listed(1, 2000), listed(2, 2000))
    report = desk.report(event("January", WIN, date(2018, 1, 10)))
    decision = decide(desk.office, "not-rated", report=report, reason="only one arbiter")
    desk.on(date(2018, 1, 17))
    appealed = appeal(desk.office, decision, by="organiser", reason="there were two")
    settle(desk.office, appealed.appeal, "upheld", reason="there were two")

    assert len(draft(desk.office, STANDARD, FEB).reports) == 1


def test_an_appeal_after_seven_days_is_late(sqlite_desk: Desk) -> None:
    desk = sqlite_desk
    desk.list(JAN, listed(1, 2000), listed(2, 2000))
    report = desk.report(event("January", WIN, date(2018, 1, 10)))
    decision = decide(desk.office, "not-rated", report=report, reason="only one arbiter")
    desk.on(date(2018, 1, 18))

    with pytest.raises(BadInput, match="appeal-late"):
        appeal(desk.office, decision, by="organiser", reason="there were two")


@pytest.mark.parametrize(("day", "late"), [(17, False), (18, True)])
def test_seven_days_to_appeal_under_the_text_of_2009(
    sqlite_place: str, tmp_path: Path, day: int, late: bool
) -> None:
    desk = Desk.made(sqlite_place, tmp_path, Clock(date(2010, 1, 1)))
    desk.list(date(2010, 1, 1), listed(1, 2000), listed(2, 2000))
    report = desk.report(event("January", WIN, date(2010, 1, 10)))
    decision = decide(desk.office, "not-rated", report=report, reason="only one arbiter")
    desk.on(date(2010, 1, day))

    with pytest.raises(BadInput, match="appeal-late") if late else nullcontext():
        appeal(desk.office, decision, by="organiser", reason="there were two")
    desk.office.close()


def test_the_days_of_an_appeal_are_those_of_the_federation(sqlite_place: str, tmp_path: Path) -> None:
    """A decision of half past midnight of 18 January in Rome, the 17th in UTC, can be appealed until the 25th."""
    moment = [datetime(2018, 1, 1, 12, tzinfo=UTC)]
    office = init(
        sqlite_place, federation="ITA", time_zone="Europe/Rome", now=lambda: moment[0], author="T. Officer"
    )
    report = submit(office, trf(event("January", WIN, date(2018, 1, 10))), "january.trf").report
    moment[0] = datetime(2018, 1, 17, 23, 30, tzinfo=UTC)
    decision = decide(office, "not-rated", report=report, reason="only one arbiter")

    moment[0] = datetime(2018, 1, 25, 12, tzinfo=UTC)
    assert appeal(office, decision, by="organiser", reason="there were two")
    moment[0] = datetime(2018, 1, 26, 12, tzinfo=UTC)
    with pytest.raises(BadInput, match="appeal-late"):
        appeal(office, decision, by="organiser", reason="there were two")
    office.close()
