"""Without a rapid or blitz rating the standard one counts (reading 41): the checks say what the list then does."""

from datetime import date

import pytest

from arpad.model.rules import ListName
from arpad.office.inbox.check_report import CheckedReport, check
from arpad.reports.event_facts import EventFacts
from arpad.reports.report import Report
from tests.builders.chess import event
from tests.builders.office_fixtures import DEEP_ON_POSTGRESQL
from tests.builders.offices import Desk, listed
from tests.builders.verbs import adopt_edition, draft

RAPID = ListName.RAPID
MAY, JUNE = date(2024, 5, 1), date(2024, 6, 1)
DAY = date(2024, 5, 10)
FACTS = EventFacts(registered=date(2024, 4, 1), licensed_arbiters=True, match_games=1)

MATCH = """
1 2050 | 2w1
2 1900 | 1b0
"""


def rapid(table: str, day: date = DAY) -> Report:
    return event("Rapid", table, day, time_control="15+10")


def looked_at(desk: Desk, report: Report, facts: EventFacts = FACTS) -> CheckedReport:
    with desk.office.store.reading() as connection:
        return check(connection, report, facts)


def codes(checked: CheckedReport) -> set[str]:
    return {finding.code for finding in checked.findings}


def two_lists(desk: Desk, day: date = MAY) -> None:
    """Everybody has a standard rating, only the first a rapid one."""
    desk.list(day, *(listed(n, 2100 - 100 * n) for n in range(1, 6)))
    desk.list(day, listed(1, 2050), on_list=RAPID)


@DEEP_ON_POSTGRESQL
def test_a_match_with_the_standard_rating_is_a_match_of_two_rated_players(desk: Desk) -> None:
    """The difference of 150 expects .70 (8.1.2); a first game on the list has K 40."""
    two_lists(desk)

    checked = looked_at(desk, rapid(MATCH))

    assert checked.on_list == RAPID
    assert codes(checked).isdisjoint({"match-with-unrated", "rating-only-told", "first-event-assumed"})
    assert checked.rated is not None
    previewed = [(one.rating, one.k, one.change and one.change.new_rating) for one in checked.rated.players]
    assert previewed == [(2050, 20, 2056), (1900, 40, 1888)]
    desk.report(rapid(MATCH), facts=FACTS)
    desk.publish(JUNE, RAPID)
    assert [desk.rating(1, JUNE, RAPID), desk.rating(2, JUNE, RAPID)] == [2056, 1888]


@DEEP_ON_POSTGRESQL
def test_a_standard_rating_of_2500_brings_no_k_of_10(desk: Desk) -> None:
    """Case 26's player at 2500: a win against 2500 is .5 x 40 = 20; the preview and the list say the same."""
    desk.list(MAY, listed(1, 2500, 10))
    desk.list(MAY, listed(2, 2500, 10), on_list=RAPID)
    report = rapid("1 2500 | 2w1\n2 2500 | 1b0\n")

    checked = looked_at(desk, report)

    assert checked.rated is not None
    previewed = [(one.k, one.change and one.change.new_rating) for one in checked.rated.players]
    assert previewed == [(40, 2520), (10, 2495)]
    desk.report(report, facts=FACTS)
    desk.publish(JUNE, RAPID)
    assert [desk.rating(1, JUNE, RAPID), desk.rating(2, JUNE, RAPID)] == [2520, 2495]
    # now 2520 is published as a rapid rating, and the list shows the K that goes with it
    rows = draft(desk.office, RAPID, date(2024, 7, 1)).result.published.rows
    assert {row.player: row.k for row in rows} == {1: 10, 2: 10}


def test_who_fell_below_1400_in_rapid_plays_with_the_standard_rating(sqlite_desk: Desk) -> None:
    """May: 1405 loses to 1405, K 40: 1385, out of the list. June: with 1500, a win against 1500 is 20: 1520."""
    desk = sqlite_desk
    desk.list(MAY, listed(1, 1500), listed(2, 1500))
    desk.list(MAY, listed(1, 1405, 40), listed(2, 1405, 40), listed(3, 1500), on_list=RAPID)
    facts = EventFacts(registered=date(2024, 4, 1), licensed_arbiters=True)
    games = "1 1405 | 2w1\n2 1405 | 1b0\n3 1500 | .Z\n"
    desk.report(event("May", games, date(2024, 5, 10), time_control="15+10"), facts=facts)
    desk.publish(JUNE, RAPID)
    assert [desk.rating(n, JUNE, RAPID) for n in (1, 2)] == [1425, None]

    games = "1 1425 | .Z\n2 1500 | 3w1\n3 1500 | 2b0\n"
    desk.report(event("June", games, date(2024, 6, 10), time_control="15+10"), facts=facts)
    july = date(2024, 7, 1)
    desk.publish(july, RAPID)

    assert [desk.rating(n, july, RAPID) for n in (2, 3)] == [1520, 1490]


def test_many_reports_at_once_are_told_the_same(sqlite_desk: Desk) -> None:
    desk = sqlite_desk
    two_lists(desk)
    sent = desk.send(rapid(MATCH), facts=FACTS)
    assert "match-with-unrated" not in {finding.code for finding in sent.findings}


@pytest.mark.parametrize(
    ("on_list", "control", "unrated"),
    [(RAPID, "15+10", False), (ListName.BLITZ, "5+0", False), (ListName.STANDARD, "90+30", True)],
)
def test_only_the_quick_lists_take_it(
    sqlite_desk: Desk, on_list: ListName, control: str, unrated: bool
) -> None:
    desk = sqlite_desk
    desk.list(MAY, listed(1, 2000))
    if on_list != ListName.STANDARD:
        desk.list(MAY, listed(2, 1900), on_list=on_list)
    report = event("Match", "1 2000 | 2w1\n2 1900 | 1b0\n", DAY, time_control=control)
    checked = looked_at(desk, report)
    assert checked.on_list == on_list
    assert ("match-with-unrated" in codes(checked)) == unrated


ROUND_ROBIN = """
1 2050 | 4w1 3b1 2w1
2 1900 | 3w1 4b1 1b0
3 1800 | 2b0 1w0 4b1
4 1700 | 1b0 2w0 3w0
"""


def test_a_round_robin_counts_them_among_the_rated(sqlite_desk: Desk) -> None:
    """One rapid rating among four is too few (6.31, 6.32); with three standard ones beside it all are rated."""
    desk, day = sqlite_desk, date(2013, 5, 10)
    two_lists(desk, date(2013, 5, 1))
    report = event("Robin", ROUND_ROBIN, day, time_control="15+10")
    facts = EventFacts(registered=date(2013, 4, 1))
    said = codes(looked_at(desk, report, facts))
    assert not {code for code in said if "few-rated" in code or "first-event" in code}


NEWCOMER = """
1 2050 | 6w1 2w1 3w1
2 1900 | 3w1 1b0 6w1
3 1800 | 2b0 6b1 1b0
6 0 | 1b0 3w0 2b0
"""


def test_newcomers_have_met_them_as_rated_opponents(sqlite_desk: Desk) -> None:
    """Three games against rated opponents, two of whom have a standard rating only; he himself has none at all."""
    desk = sqlite_desk
    two_lists(desk)
    checked = looked_at(desk, event("Swiss", NEWCOMER, DAY, time_control="15+10"))
    assert checked.rated is not None
    assert [one.rating for one in checked.rated.players] == [2050, 1900, 1800, None]
    initial = checked.rated.players[3].initial
    assert initial is not None
    ignored = {f.player: f.facts for f in checked.findings if f.code.startswith("first-event-ignored")}
    assert set(ignored) == {6}


def test_an_office_that_abolishes_it_calls_them_unrated(sqlite_desk: Desk) -> None:
    desk = sqlite_desk
    own = 'id = "own"\nbase = "fide-2024"\n[rapid]\nentry_takes_standard = "none"\n'
    adopt_edition(desk.office, own, lists=[RAPID], since=MAY, reason="board")
    two_lists(desk)
    assert "match-with-unrated" in codes(looked_at(desk, rapid(MATCH)))


@pytest.mark.parametrize(("declared", "said"), [(2, False), (1, True)])
def test_what_the_file_declares_is_held_against_the_file(
    sqlite_desk: Desk, declared: int, said: bool
) -> None:
    """Whatever the lists say of the two, the file has two rated players."""
    desk = sqlite_desk
    desk.list(MAY, listed(1, 2000))
    report = event("Match", MATCH, DAY, rated_players=declared)
    checked = looked_at(desk, report)
    assert "rating-only-told" in codes(checked)
    assert ("count-of-rated" in codes(checked)) == said
