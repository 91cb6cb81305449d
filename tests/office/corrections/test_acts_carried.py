"""A correction is carried into every list that was made from the corrected one."""

from datetime import date

import pytest

from arpad.model.draughts import Category, DraughtsState
from arpad.model.rules import ListName, Severity
from arpad.office.draughts.records import points_register
from arpad.office.inbox.closed_years import late_reports
from arpad.office.lists.history_rows import ratings
from arpad.office.lists.tables import BASE
from arpad.reports.event_facts import EventFacts
from arpad.reports.formats.lists import draughts_list_csv as capitals
from tests.builders.chess import event
from tests.builders.draughts_entries import enrol
from tests.builders.draughts_lists import INTERNAZIONALE, ITALIANA, played
from tests.builders.office_fixtures import DEEP_ON_POSTGRESQL
from tests.builders.offices import STANDARD, Desk, listed
from tests.builders.verbs import (
    accept,
    import_list,
    lists_to_revise,
    merge,
    publications,
    report_detail,
    revise,
    verify,
    withdraw,
)
from tests.builders.verbs import publish as office_publish
from tests.commands import run, run_json

RAPID, BLITZ = ListName.RAPID, ListName.BLITZ
JANUARY, FEBRUARY, MARCH, APRIL = (date(2025, month, 1) for month in (1, 2, 3, 4))

ALL_LOST = """
1 2000 | 2w0 3b0 4w0
2 1900 | 1b1 4w= 3b=
3 1800 | 4w= 1w1 2w=
4 1700 | 3b= 2b= 1b1
"""
ALL_WON = """
1 0 | 2w1 3b1 4w1
2 1900 | 1b0 4w= 3b=
3 1800 | 4w= 1w0 2w=
4 1700 | 3b= 2b= 1b0
"""
FACTS = EventFacts(registered=date(2024, 1, 1), licensed_arbiters=True)


def standard_before_rapid(desk: Desk) -> int:
    """Player 1 has a standard rating only and loses 20 x 2.25 = 45 points; in February the player enters rapid.

    2000 against 1900, 1800, 1700 expects .64 + .76 + .85, 1955 expects .58 + .71 + .81: 1955 + 40 x 0.90 = 1991.
    """
    desk.list(JANUARY, *(listed(number, 2100 - 100 * number) for number in (1, 2, 3, 4)))
    desk.list(JANUARY, *(listed(number, 2100 - 100 * number) for number in (2, 3, 4)), on_list=RAPID)
    lost = desk.report(event("Slow", ALL_LOST, date(2025, 1, 10), date(2025, 1, 12)), facts=FACTS)
    desk.publish(FEBRUARY)
    desk.publish(FEBRUARY, RAPID)
    desk.report(event("Quick", ALL_WON, date(2025, 2, 10), time_control="15+10"), facts=FACTS)
    for day in (MARCH, APRIL):
        desk.publish(day)
        desk.publish(day, RAPID)
    assert desk.rating(1, FEBRUARY) == 1955
    assert [desk.rating(1, day, RAPID) for day in (MARCH, APRIL)] == [1991, 1991]
    return lost


@DEEP_ON_POSTGRESQL
def test_a_corrected_standard_list_is_carried_into_rapid(desk: Desk) -> None:
    """RB 7.2.1: 2000 + 40 x (3 - .85 - .76 - .64) = 2030, and the opponents lose to a player of 2000."""
    lost = standard_before_rapid(desk)
    opponents = [desk.rating(number, APRIL, RAPID) for number in (2, 3, 4)]
    withdraw(desk.office, lost, reason="false results")
    assert lists_to_revise(desk.office) == ()

    revised = revise(desk.office, STANDARD, reason="withdrawn")

    told = [(RAPID, MARCH, 2, "basis")]
    assert [(it.list, it.first, it.lists, it.cause) for it in revised.to_revise] == told
    assert [(it.list, it.first, it.lists, it.cause) for it in lists_to_revise(desk.office)] == told

    again = revise(desk.office, RAPID, reason="withdrawn")

    assert [revision.publication.name for revision in again.revisions] == [
        "rapid-2025-03-01-r2",
        "rapid-2025-04-01-r2",
    ]
    assert desk.rating(1, APRIL, RAPID) == 2030
    # .58, .71, .81 become .64, .76, .85 for the winner, so each opponent loses less
    assert [desk.rating(number, APRIL, RAPID) for number in (2, 3, 4)] > opponents
    assert again.to_revise == ()
    assert lists_to_revise(desk.office) == ()
    assert revise(desk.office, RAPID, reason="once more").revisions == ()
    assert verify(desk.office, recompute=True).intact


def test_who_has_a_rapid_rating_gives_no_cause(sqlite_desk: Desk) -> None:
    """All entrants of the rapid event have rapid ratings: the standard list may change as it will."""
    desk = sqlite_desk
    rows = [listed(number, 2100 - 100 * number) for number in (1, 2, 3, 4)]
    desk.list(JANUARY, *rows)
    desk.list(JANUARY, *rows, on_list=RAPID)
    lost = desk.report(event("Slow", ALL_LOST, date(2025, 1, 10), date(2025, 1, 12)), facts=FACTS)
    desk.publish(FEBRUARY)
    desk.publish(FEBRUARY, RAPID)
    desk.report(event("Quick", ALL_WON, date(2025, 2, 10), time_control="15+10"), facts=FACTS)
    desk.publish(MARCH, RAPID)
    withdraw(desk.office, lost, reason="false results")

    assert revise(desk.office, STANDARD, reason="withdrawn").to_revise == ()
    assert revise(desk.office, RAPID, reason="withdrawn").revisions == ()


def test_a_list_made_after_the_correction_stays(sqlite_desk: Desk) -> None:
    """The event began before the revision was out: reading 3 keeps the rating of that day, and nobody is told."""
    desk = sqlite_desk
    desk.list(JANUARY, *(listed(number, 2100 - 100 * number) for number in (1, 2, 3, 4)))
    desk.list(JANUARY, *(listed(number, 2100 - 100 * number) for number in (2, 3, 4)), on_list=RAPID)
    lost = desk.report(event("Slow", ALL_LOST, date(2025, 1, 10), date(2025, 1, 12)), facts=FACTS)
    desk.publish(FEBRUARY)
    desk.publish(FEBRUARY, RAPID)
    desk.report(event("Quick", ALL_WON, date(2025, 2, 10), time_control="15+10"), facts=FACTS)
    withdraw(desk.office, lost, reason="false results")
    desk.on(date(2025, 2, 20))
    assert revise(desk.office, STANDARD, reason="withdrawn").to_revise == ()

    desk.publish(MARCH, RAPID)

    assert desk.rating(1, MARCH, RAPID) == 1991
    assert lists_to_revise(desk.office) == ()
    assert revise(desk.office, RAPID, reason="look").revisions == ()


def test_a_revision_that_changes_nothing_is_considered_once(sqlite_desk: Desk) -> None:
    """The player without a rapid rating was only paired, and played no rated game: no list changes."""
    desk = sqlite_desk
    desk.list(JANUARY, *(listed(number, 2100 - 100 * number) for number in (1, 2, 3, 4)))
    desk.list(JANUARY, *(listed(number, 2100 - 100 * number) for number in (2, 3, 4)), on_list=RAPID)
    lost = desk.report(event("Slow", ALL_LOST, date(2025, 1, 10), date(2025, 1, 12)), facts=FACTS)
    desk.publish(FEBRUARY)
    desk.publish(FEBRUARY, RAPID)
    table = "1 0 | 2w- 3b- .Z\n2 1900 | 1b+ 4w= 3b=\n3 1800 | 4w= 1w+ 2w=\n4 1700 | 3b= 2b= .Z"
    desk.report(event("Quick", table, date(2025, 2, 10), time_control="15+10"), facts=FACTS)
    desk.publish(MARCH, RAPID)
    withdraw(desk.office, lost, reason="false results")
    (told,) = revise(desk.office, STANDARD, reason="withdrawn").to_revise
    assert (told.list, told.first) == (RAPID, MARCH)

    revised = revise(desk.office, RAPID, reason="withdrawn")

    assert (revised.revisions, revised.to_revise) == ((), ())
    assert lists_to_revise(desk.office) == ()
    assert verify(desk.office).intact


# ----------------------------------------------------------------------------------------------------- draughts

CAPITALS = (3500, 3200, 2900, 2500)
SUMMER_2008, END_2008 = date(2008, 6, 30), date(2008, 12, 31)
SPRING, SUMMER = date(2009, 3, 31), date(2009, 6, 30)
ALL_DRAWN = """
1 0 | 2w= 3b= 4w=
2 0 | 1b= 4w= 3b=
3 0 | 4w= 1w= 2w=
4 0 | 3b= 2b= 1b=
"""


def begin_2008(desk: Desk, *standings: DraughtsState, on_list: ListName = ITALIANA) -> None:
    desk.on(date(2008, 1, 1))
    path = desk.folder / f"{on_list}.csv"
    path.write_bytes(capitals.write(standings))
    import_list(desk.office, path, on_list, date(2008, 1, 1))


def of_2007(number: int, points: int, category: Category = Category.MAESTRO) -> DraughtsState:
    return DraughtsState(
        f"Player {number}", points, category, str(9000 + number), last_event=date(2007, 6, 1)
    )


def publish(desk: Desk, day: date, *names: ListName) -> None:
    desk.on(max(day, desk.clock.day))
    for on_list in names or (ITALIANA,):
        office_publish(desk.office, on_list, day)


def december_event(desk: Desk) -> int:
    """An event of 13 and 14 December 2008, reported on 8 January 2009, after the list of the year's end."""
    begin_2008(desk, *(of_2007(number, points) for number, points in enumerate(CAPITALS, start=1)))
    publish(desk, END_2008)
    assert on(desk, END_2008) == [3450, 3150, 2850, 2450]
    desk.on(date(2009, 1, 8))
    return played(desk, "Dicembre", ALL_DRAWN, date(2008, 12, 13), last=date(2008, 12, 14))


def on(desk: Desk, day: date, on_list: ListName = ITALIANA) -> list[int | None]:
    """The capitals on the newest revision of the list of a day."""
    publication = [p for p in publications(desk.office, on_list) if p.day == day and p.kind != BASE][-1]
    with desk.office.store.reading() as connection:
        found = ratings(connection, publication.id)
    return [found.get(number) for number in (1, 2, 3, 4)]


RIGHT = [3420, 3177, 2948, 2657]


@DEEP_ON_POSTGRESQL
def test_a_report_of_a_closed_year_that_is_added_counts_once(desk: Desk) -> None:
    report = december_event(desk)
    publish(desk, SPRING)
    assert on(desk, SPRING) == [3370, 3127, 2898, 2607]

    revise(desk.office, ITALIANA, add=[report], reason="late")

    assert (on(desk, END_2008), on(desk, SPRING)) == (RIGHT, RIGHT)
    publish(desk, SUMMER)
    assert on(desk, SUMMER) == RIGHT
    assert verify(desk.office, recompute=True).intact


def test_a_report_that_is_added_counts_on_every_list_of_its_year(sqlite_desk: Desk) -> None:
    """The event of February misses the lists of March and June: both are made again with it."""
    desk = sqlite_desk
    begin_2008(desk, *(of_2007(number, points) for number, points in enumerate(CAPITALS, start=1)))
    spring = date(2008, 3, 31)
    publish(desk, spring)
    publish(desk, SUMMER_2008)
    report = played(desk, "Febbraio", ALL_DRAWN, date(2008, 2, 13), last=date(2008, 2, 14))

    revise(desk.office, ITALIANA, add=[report], reason="late")

    assert (on(desk, spring), on(desk, SUMMER_2008)) == (RIGHT, RIGHT)
    publish(desk, END_2008)
    assert on(desk, END_2008) == RIGHT


def test_only_the_next_start_can_be_corrected_across_a_year(sqlite_desk: Desk) -> None:
    """The lists stay; the next one starts from the year's end as it should have been, and rates the event once."""
    desk = sqlite_desk
    report = december_event(desk)
    publish(desk, SPRING)

    revise(desk.office, ITALIANA, add=[report], reason="late", mode="base")

    assert on(desk, SPRING) == [3370, 3127, 2898, 2607]
    publish(desk, SUMMER)
    assert on(desk, SUMMER) == RIGHT


def test_a_late_event_of_a_closed_year_names_players_and_lists(sqlite_desk: Desk) -> None:
    """Table 18b: four of five players lost fifty points for a year in which they played."""
    desk = sqlite_desk
    begin_2008(desk, *(of_2007(number, points) for number, points in enumerate((*CAPITALS, 2000), start=1)))
    publish(desk, END_2008)
    desk.on(date(2009, 1, 8))
    report = event("Dicembre", ALL_DRAWN, date(2008, 12, 13), date(2008, 12, 14))

    sent = desk.send(report, facts=EventFacts(list=ITALIANA))
    accepted = accept(desk.office, sent.report)

    names = tuple(f"Player {number}" for number in (1, 2, 3, 4))
    for findings, number in ((sent.findings, "N"), (accepted.late, sent.report)):
        (late,) = (finding for finding in findings if finding.code == "draughts-closed-year-malus")
        assert (late.severity, late.article) == (Severity.WARNING, "Tab. 18b")
        assert late.facts == {
            "year": 2008, "list": "italiana", "day": END_2008, "lists": (END_2008,), "players": names,
            "report": number,
        }  # fmt: skip
    with desk.office.store.reading() as connection:
        assert late_reports(connection) == []
    publish(desk, SPRING)
    with desk.office.store.reading() as connection:
        assert [filed.id for filed in late_reports(connection)] == [sent.report]


def test_the_draft_and_the_report_say_so_until_it_is_corrected(
    sqlite_desk: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    desk = sqlite_desk
    report = december_event(desk)
    publish(desk, SPRING)
    where = ("--db", desk.place, "--lang", "en", "--now", "2009-04-01T10:00:00Z")
    _, draft, _ = run(capsys, "office", "draft", "italiana", "2009-06-30", *where)
    said = " ".join(draft.split())
    assert "as if they had not played: Player 1, Player 2, Player 3, Player 4." in said
    assert "An officer can add it under Corrections" in said
    document = run_json(capsys, "office", "draft", "italiana", "2009-06-30", *where)
    assert [it["code"] for it in document["late"]] == ["draughts-closed-year-malus"]
    detail = report_detail(desk.office, report)
    assert "draughts-closed-year-malus" in {finding.code for finding in detail.findings}

    revise(desk.office, ITALIANA, add=[report], reason="late")

    accounts = points_register(desk.office, ITALIANA).accounts
    assert [account.player for account in accounts if account.total] == []
    codes = {finding.code for finding in report_detail(desk.office, report).findings}
    assert "draughts-closed-year-malus" not in codes
    assert run_json(capsys, "office", "draft", "italiana", "2009-06-30", *where)["late"] == []


def test_a_report_that_comes_in_time_or_replaces_one_of_its_year_is_not_late(sqlite_desk: Desk) -> None:
    desk = sqlite_desk
    begin_2008(desk, *(of_2007(number, points) for number, points in enumerate(CAPITALS, start=1)))
    wrong = played(desk, "Dicembre", ALL_DRAWN, date(2008, 12, 13), last=date(2008, 12, 14))
    publish(desk, END_2008)
    desk.on(date(2009, 1, 8))
    table = ALL_DRAWN.replace("1 0 | 2w=", "1 0 | 2w1").replace("2 0 | 1b=", "2 0 | 1b0")
    right = event("Dicembre", table, date(2008, 12, 13), date(2008, 12, 14))

    sent = desk.send(right, facts=EventFacts(list=ITALIANA), replaces=wrong)

    assert [finding.code for finding in sent.findings if "closed-year" in finding.code] == []
    assert accept(desk.office, sent.report).late == ()
    codes = {finding.code for finding in report_detail(desk.office, wrong).findings}
    assert not [code for code in codes if "closed-year" in code]


def test_a_year_that_an_imported_list_closed_cannot_be_corrected(sqlite_desk: Desk) -> None:
    desk = sqlite_desk
    begin_2008(desk, *(of_2007(number, points) for number, points in enumerate(CAPITALS, start=1)))
    late = event("Dicembre", ALL_DRAWN, date(2008, 1, 1).replace(year=2007, month=12), date(2007, 12, 14))

    sent = desk.send(late, facts=EventFacts(list=ITALIANA))

    assert "draughts-closed-year-imported" in {finding.code for finding in sent.findings}


def test_a_report_with_a_later_day_moves_to_the_list_that_takes_it(sqlite_desk: Desk) -> None:
    """The event was played in January 2009, not in December: the year 2008 is without it."""
    desk = sqlite_desk
    begin_2008(desk, *(of_2007(number, points) for number, points in enumerate(CAPITALS, start=1)))
    wrong = played(desk, "Gara", ALL_DRAWN, date(2008, 12, 13), last=date(2008, 12, 14))
    publish(desk, END_2008)
    publish(desk, SPRING)
    right = event("Gara", ALL_DRAWN, date(2009, 1, 13), date(2009, 1, 14))
    sent = desk.send(right, facts=EventFacts(list=ITALIANA), replaces=wrong)
    accept(desk.office, sent.report)

    revise(desk.office, ITALIANA, reason="the day was wrong")

    # fifty points taken, then the event
    assert on(desk, END_2008) == [3450, 3150, 2850, 2450]
    assert on(desk, SPRING) == [3370, 3127, 2898, 2607]
    publish(desk, SUMMER)
    assert on(desk, SUMMER) == [3370, 3127, 2898, 2607]


def test_a_report_with_a_later_day_waits_for_the_next_list(sqlite_desk: Desk) -> None:
    desk = sqlite_desk
    desk.list(JANUARY, *(listed(number, 2100 - 100 * number) for number in (1, 2, 3, 4)))
    wrong = desk.report(event("Slow", ALL_LOST, date(2025, 1, 10), date(2025, 1, 12)), facts=FACTS)
    desk.publish(FEBRUARY)
    desk.on(date(2025, 2, 14))
    right = event("Slow", ALL_LOST, date(2025, 2, 10), date(2025, 2, 12))
    accept(desk.office, desk.send(right, facts=FACTS, replaces=wrong).report)

    revise(desk.office, STANDARD, reason="the day was wrong")
    desk.publish(MARCH)

    # as the event began the first revision was in force: 1955 against 1905, 1815, 1725 expects .57 + .69 + .79
    assert [desk.rating(1, day) for day in (date(2025, 2, 20), MARCH)] == [2000, 2000 - 41]


# ------------------------------------------------------------------------------------- between the two disciplines


def debut_of_2008(desk: Desk) -> int:
    """Player 1 becomes Nazionale of dama internazionale with an event that never took place (table 21).

    As a Nazionale the debut is 1000, 1000 + 1.46 x 150 = 1219 and ten; as a Regionale 300, 554 and ten.
    """
    enrol(desk, 3)
    begin_2008(desk, of_2007(2, 2000, Category.NAZIONALE))
    begin_2008(
        desk, of_2007(1, 2490, Category.REGIONALE), of_2007(3, 2490, Category.REGIONALE), on_list=INTERNAZIONALE
    )  # fmt: skip
    basis = played(desk, "Falsa", "1 0 | 3w1\n3 0 | 1b0", date(2008, 1, 20), INTERNAZIONALE)
    publish(desk, date(2008, 1, 31), INTERNAZIONALE)
    played(desk, "Esordio", "1 0 | 2w1\n2 0 | 1b0", date(2008, 2, 10))
    publish(desk, date(2008, 2, 28))
    publish(desk, SUMMER_2008)
    assert on(desk, SUMMER_2008)[:2] == [1229, 1791]
    return basis


def test_a_debut_whose_basis_is_withdrawn_is_made_again(sqlite_desk: Desk) -> None:
    desk = sqlite_desk
    basis = debut_of_2008(desk)
    withdraw(desk.office, basis, reason="never played")

    revised = revise(desk.office, INTERNAZIONALE, reason="withdrawn")

    assert [(it.list, it.first, it.lists) for it in revised.to_revise] == [(ITALIANA, date(2008, 2, 28), 2)]
    again = revise(desk.office, ITALIANA, reason="withdrawn")
    assert [r.publication.day for r in again.revisions] == [date(2008, 2, 28), SUMMER_2008]
    assert on(desk, SUMMER_2008)[:2] == [564, 1757]
    assert again.to_revise == ()
    publish(desk, END_2008)
    assert on(desk, END_2008)[:2] == [564, 1757]
    assert verify(desk.office, recompute=True).intact


def test_the_next_start_alone_can_have_the_corrected_debut(sqlite_desk: Desk) -> None:
    desk = sqlite_desk
    withdraw(desk.office, debut_of_2008(desk), reason="never played")
    revise(desk.office, INTERNAZIONALE, reason="withdrawn")

    revise(desk.office, ITALIANA, reason="withdrawn", mode="base")

    assert on(desk, SUMMER_2008)[:2] == [1229, 1791]
    assert lists_to_revise(desk.office) == ()
    for day in (date(2008, 9, 30), END_2008, SPRING):
        publish(desk, day)
        assert on(desk, day)[:2] == [564, 1757]
    assert verify(desk.office, recompute=True).intact


def test_a_merge_with_a_player_of_the_other_discipline_moves_the_debut(sqlite_desk: Desk) -> None:
    """Player 1 begins in italiana as a newcomer, and is the Nazionale 3 of internazionale."""
    desk = sqlite_desk
    enrol(desk, 3)
    begin_2008(desk, of_2007(2, 2000, Category.NAZIONALE))
    begin_2008(desk, of_2007(3, 2600, Category.NAZIONALE), on_list=INTERNAZIONALE)
    played(desk, "Esordio", "1 0 | 2w1\n2 0 | 1b0", date(2008, 2, 10))
    publish(desk, SUMMER_2008)
    assert on(desk, SUMMER_2008)[:2] == [564, 1757]

    merge(desk.office, 1, 3, reason="one person", confirmed=True)

    assert [(it.list, it.cause) for it in lists_to_revise(desk.office)] == [(ITALIANA, "merges")]
    revise(desk.office, ITALIANA, reason="one person")
    assert on(desk, SUMMER_2008)[:2] == [1229, 1791]
