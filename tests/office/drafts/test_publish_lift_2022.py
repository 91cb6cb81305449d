"""The adjustment of October 2022 looks at the standard list of the same day, whatever is published first (reading 45).

Otherwise rapid and blitz lists look at standard lists of earlier days only, so that the order does not matter.
"""

from datetime import date

import pytest

from arpad.model.errors import BadInput
from arpad.model.rules import ListName
from arpad.office.lists.rows import Publication
from arpad.reports.event_facts import EventFacts
from arpad.reports.report import Report
from tests.builders.chess import event
from tests.builders.office_fixtures import DEEP_ON_POSTGRESQL
from tests.builders.offices import STANDARD, Clock, Desk, listed
from tests.builders.verbs import draft, lists_to_revise, publications, ratings_in_force, verify, withdraw
from tests.builders.verbs import revise as office_revise
from tests.commands import refusal, run, run_json

RAPID, BLITZ = ListName.RAPID, ListName.BLITZ
SEPTEMBER, OCTOBER, NOVEMBER = date(2022, 9, 1), date(2022, 10, 1), date(2022, 11, 1)

QUICK = (listed(1, 2283), listed(2, 2000), listed(3, 2000), listed(4, 1900))
STANDARD_OF_OCTOBER = (listed(1, 2732, 10), listed(2, 2100), listed(3, 2101))
EXPECTED = {1: 2632, 2: 2000, 3: 2001, 4: 1900}
"""Case 41: 2732 - 100; exactly 100 below stays; 101 below rises by one; without a standard rating nothing."""


@pytest.mark.parametrize("on_list", [RAPID, BLITZ])
def test_standard_ratings_imported_for_that_day_lift(sqlite_desk: Desk, on_list: ListName) -> None:
    desk = sqlite_desk
    desk.list(SEPTEMBER, *QUICK, on_list=on_list)
    desk.list(OCTOBER, *STANDARD_OF_OCTOBER)
    desk.publish(OCTOBER, on_list)
    assert ratings_in_force(desk.office, on_list, OCTOBER) == EXPECTED


def test_the_standard_list_of_the_same_day_counts_and_not_the_one_before(sqlite_desk: Desk) -> None:
    """The standard list of September has 2726: it would give 2626."""
    desk = sqlite_desk
    desk.list(SEPTEMBER, *QUICK, on_list=RAPID)
    desk.list(SEPTEMBER, listed(1, 2726, 10), listed(2, 2100), listed(3, 2101), listed(5, 2726, 10))
    desk.report(game(12))
    with pytest.raises(BadInput, match="standard-list-first") as refused:
        draft(desk.office, RAPID, OCTOBER)
    assert (refused.value.facts["list"], refused.value.facts["day"]) == ("rapid", OCTOBER)
    with pytest.raises(BadInput, match="standard-list-first"):
        desk.publish(OCTOBER, RAPID)
    assert [p.list for p in publications(desk.office, RAPID) if p.day == OCTOBER] == []

    desk.publish(OCTOBER)
    desk.publish(OCTOBER, RAPID)

    # a win between equals with K 10 is 5 points: 2731
    assert desk.rating(1, OCTOBER) == 2731
    assert desk.rating(1, OCTOBER, RAPID) == 2631


def game(day: int, cells: tuple[str, str] = ("5w1", "1b0"), name: str = "Match") -> Report:
    table = f"1 2726 | {cells[0]}\n5 2726 | {cells[1]}\n"
    return event(name, table, date(2022, 9, day))


def test_an_office_without_any_standard_list_lifts_nobody(sqlite_desk: Desk) -> None:
    desk = sqlite_desk
    desk.list(SEPTEMBER, *QUICK, on_list=RAPID)
    desk.publish(OCTOBER, RAPID)
    assert ratings_in_force(desk.office, RAPID, OCTOBER) == {1: 2283, 2: 2000, 3: 2000, 4: 1900}
    assert lists_to_revise(desk.office) == ()

    # ratings that come later are not lost: the officer is told, and a correction takes them
    desk.list(OCTOBER, *STANDARD_OF_OCTOBER)
    assert [(it.list, it.first) for it in lists_to_revise(desk.office)] == [(RAPID, OCTOBER)]
    revised = office_revise(desk.office, RAPID, reason="standard list came")
    assert [r.publication.day for r in revised.revisions] == [OCTOBER]
    assert ratings_in_force(desk.office, RAPID, OCTOBER) == EXPECTED
    assert lists_to_revise(desk.office) == ()


def test_a_standard_list_that_was_never_made_does_not_stop_the_others(sqlite_desk: Desk) -> None:
    """Of September and November only: that of October can no longer come, the one in force that day counts."""
    desk = sqlite_desk
    desk.list(SEPTEMBER, *QUICK, on_list=RAPID)
    desk.list(SEPTEMBER, listed(1, 2726, 10))
    desk.list(NOVEMBER, listed(1, 2740, 10))
    desk.publish(OCTOBER, RAPID)
    assert desk.rating(1, OCTOBER, RAPID) == 2626


@DEEP_ON_POSTGRESQL
def test_a_revision_of_the_standard_list_affects_the_quick_lists_of_that_day(desk: Desk) -> None:
    """Without its one game the standard rating stays 2726, and the rapid one is 2626."""
    for on_list in (RAPID, BLITZ):
        desk.list(SEPTEMBER, *QUICK, on_list=on_list)
    desk.list(SEPTEMBER, listed(1, 2726, 10), listed(5, 2726, 10))
    number = desk.report(game(12))
    for on_list in (STANDARD, RAPID, BLITZ):
        desk.publish(OCTOBER, on_list)
    for on_list in (STANDARD, RAPID, BLITZ):
        desk.publish(NOVEMBER, on_list)
    assert lists_to_revise(desk.office) == ()
    assert desk.rating(1, NOVEMBER, RAPID) == 2631

    withdraw(desk.office, number, reason="never played")
    revised = office_revise(desk.office, STANDARD, reason="never played")

    told = {(RAPID, OCTOBER), (BLITZ, OCTOBER)}
    assert {(it.list, it.first) for it in revised.to_revise} == told
    assert {(it.list, it.first) for it in lists_to_revise(desk.office)} == told
    again = office_revise(desk.office, RAPID, reason="standard list revised")
    assert [(r.publication.day, r.publication.revision) for r in again.revisions] == [
        (OCTOBER, 2),
        (NOVEMBER, 2),
    ]
    assert [desk.rating(1, day, RAPID) for day in (OCTOBER, NOVEMBER)] == [2631, 2626]
    assert {(it.list, it.first) for it in again.to_revise} == {(BLITZ, OCTOBER)}
    assert verify(desk.office, recompute=True).intact


def test_the_commands_say_what_to_do_and_what_is_affected(
    sqlite_desk: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    desk = sqlite_desk
    desk.list(SEPTEMBER, *QUICK, on_list=RAPID)
    desk.list(SEPTEMBER, listed(1, 2726, 10), listed(5, 2726, 10))
    number = desk.report(game(12))
    where = ("--db", desk.place, "--lang", "en")
    for verb in ("draft", "publish"):
        assert refusal(capsys, "office", verb, "rapid", "2022-10-01", *where) == (
            "the rapid list of 1 October 2022 looks at the standard list of the same day, and the last one is of "
            "1 September 2022: publish or import the standard list of 1 October 2022 first"
        )
    desk.publish(OCTOBER)
    desk.publish(OCTOBER, RAPID)
    withdraw(desk.office, number, reason="never played")

    revise = ("office", "revise", "standard", "--reason", "x", "--now", "2022-10-05T10:00:00Z", *where)
    status, out, _ = run(capsys, *revise)

    assert status == 0
    said = "rapid, 1 published list from 1 October 2022 on: another list that they were made from has changed since"
    assert said in " ".join(out.split())
    again = run_json(capsys, *revise)
    assert again["revise"] == [{"list": "rapid", "first": "2022-10-01", "lists": 1, "cause": "basis"}]


# ----------------------------------------------------------------------------------------- either order, same lists

SWISS = """
1 2050 | 2w1 3b1
2 0 | 1b0 4w1
3 0 | 4b1 1w0
4 1700 | 3w0 2b0
"""


@pytest.mark.parametrize(
    ("first", "second", "quick"),
    [
        pytest.param(*days, quick, marks=[pytest.mark.deep] * (quick != usual or days[0].year != 2022))
        for *days, usual in (
            (date(2013, 5, 1), date(2013, 6, 1), RAPID),
            (date(2018, 5, 1), date(2018, 6, 1), BLITZ),
            (date(2022, 11, 1), date(2022, 12, 1), RAPID),
            (date(2024, 2, 1), date(2024, 3, 1), BLITZ),
            (date(2024, 5, 1), date(2024, 6, 1), RAPID),
        )
        for quick in (RAPID, BLITZ)
    ],
)
def test_both_orders_give_the_same_lists(
    sqlite_desk: Desk, tmp_path_factory: pytest.TempPathFactory, first: date, second: date, quick: ListName
) -> None:
    """Two players bring a standard rating (RB 7.2.1) that a standard event of the same month changes.

    Rapid and blitz take turns; the other list of each month with the deep tests.
    """
    other = Desk.made(str(tmp_path_factory.mktemp("other") / "office.db"), sqlite_desk.folder, Clock())
    lists = []
    for desk, order in ((sqlite_desk, (STANDARD, quick)), (other, (quick, STANDARD))):
        lists.append(sorted(_month(desk, first, second, order, quick)))
        third = second.replace(month=second.month + 1) if second.month < 12 else date(second.year + 1, 1, 1)
        lists[-1] += sorted(publication.digest for publication in map(desk.publish, [third] * 2, order))
    assert lists[0] == lists[1]
    other.office.close()


def _month(desk: Desk, first: date, second: date, order: tuple[ListName, ...], quick: ListName) -> list[str]:
    desk.list(first, *(listed(n, 2100 - 100 * n) for n in range(1, 5)))
    desk.list(first, listed(1, 2050), on_list=quick)
    facts = EventFacts(registered=date(first.year - 1, 1, 1), licensed_arbiters=True)
    day = first.replace(day=10)
    control = "15+10" if quick == RAPID else "5+0"
    desk.report(event("Quick", SWISS, day, time_control=control), facts=facts)
    desk.report(event("Slow", "2 1900 | 3w1\n3 1800 | 2b0\n", day), facts=facts)
    made: list[Publication] = [desk.publish(second, on_list) for on_list in order]
    return [publication.digest for publication in made]
