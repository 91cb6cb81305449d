"""Events that are rated in parts: rounds keep the numbers they have in the whole event."""

from dataclasses import replace
from datetime import date

import pytest

from arpad.checks import check_file
from arpad.lists.inputs import select_rounds
from arpad.rating.preview import rate
from arpad.regulations.editions import chess_edition
from arpad.regulations.fide.games import decided_in
from arpad.reports.report import Report
from tests.builders.chess import event
from tests.builders.decisions import decide
from tests.builders.explanations import agree
from tests.builders.office_fixtures import DEEP_ON_POSTGRESQL
from tests.builders.offices import STANDARD, Desk, listed
from tests.builders.verbs import accept, draft, explain, revise, withdraw

WIN = """
1 2000 | 2w1
2 2000 | 1b0
"""


def league(table: str, *days: date) -> Report:
    """An event of several months, one round on each day."""
    report = event("League", table, days[0], days[-1])
    rounds = tuple(replace(cells, day=day) for cells, day in zip(report.rounds, days, strict=True))
    return replace(report, rounds=rounds)


def rounds_told(desk: Desk, player: int, day: date) -> list[list[int]]:
    """The numbers of the rounds in an explanation, part by part."""
    change = explain(desk.office, player, STANDARD, day).change
    assert change is not None
    return [[game.round for game in part.games] for part in change.events]


def test_ratings_by_round_are_explained_with_the_rounds_own_numbers(sqlite_desk: Desk) -> None:
    """2009 4.13: the rounds of August take the list of July, that of September its own."""
    desk = sqlite_desk
    desk.list(date(2009, 7, 1), listed(1, 2000, 15), listed(2, 2000, 15))
    desk.report(event("July", WIN, date(2009, 7, 5)))
    desk.publish(date(2009, 9, 1))
    days = (date(2009, 8, 10), date(2009, 8, 20), date(2009, 9, 20))
    number = desk.report(league("1 2000 | 2w1 2b= 2w=\n2 2000 | 1b0 1w= 1b=", *days))
    decide(desk.office, "by-round", report=number, reason="league")
    desk.publish(date(2009, 11, 1))

    assert rounds_told(desk, 1, date(2009, 11, 1)) == [[1, 2], [3]]
    assert agree(desk)


def test_a_correction_divides_a_league_by_the_newest_lists(sqlite_desk: Desk) -> None:
    """The list of September is corrected between two rounds; once all is corrected, both take the same revision."""
    desk = sqlite_desk
    desk.list(date(2009, 7, 1), listed(1, 2000, 15), listed(2, 2000, 15))
    false = [desk.report(event(name, WIN, date(2009, 7, day))) for name, day in (("July", 5), ("Never", 20))]
    desk.publish(date(2009, 9, 1))
    days = (date(2009, 9, 5), date(2009, 9, 20))
    desk.on(date(2009, 9, 10))
    withdraw(desk.office, false[0], reason="never played")
    revise(desk.office, STANDARD, reason="never played")
    number = desk.report(league("1 2000 | 2w1 2b=\n2 2000 | 1b0 1w=", *days))
    decide(desk.office, "by-round", report=number, reason="league")
    desk.publish(date(2009, 11, 1))
    assert rounds_told(desk, 1, date(2009, 11, 1)) == [[1], [2]]

    withdraw(desk.office, false[1], reason="never played either")
    revise(desk.office, STANDARD, reason="never played either")

    assert rounds_told(desk, 1, date(2009, 11, 1)) == [[1, 2]]
    # 2000 against 2000 with K 15: a win and a draw
    assert desk.rating(1, date(2009, 12, 1)) == 2008


def test_an_interim_report_is_explained_with_the_rounds_own_numbers(sqlite_desk: Desk) -> None:
    desk = sqlite_desk
    january, february, march = (date(2018, month, 1) for month in range(1, 4))
    desk.list(january, listed(1, 2000), listed(2, 2000))
    desk.report(event("League", WIN, date(2018, 1, 10)))
    desk.publish(february)
    whole = league("1 2000 | 2w1 2b=\n2 2000 | 1b0 1w=", date(2018, 1, 10), date(2018, 2, 10))
    desk.on(date(2018, 2, 11))
    sent = desk.send(whole)
    decide(desk.office, "rounds", report=sent.report, first=2, last=2, reason="interim report")
    accept(desk.office, sent.report)
    desk.publish(march)

    assert rounds_told(desk, 1, march) == [[2]]


@DEEP_ON_POSTGRESQL
def test_decided_rounds_and_the_ratings_of_each_round_together(desk: Desk) -> None:
    """Round 1 was reported before: round 2 with the list of July, round 3 with that of September, K 15.

    Round 2: a draw between equals. Round 3: 2008 draws with 1993, .52 expected: -.3, so 2007.7 and 1993.3.
    """
    desk.list(date(2009, 7, 1), listed(1, 2000, 15), listed(2, 2000, 15))
    desk.report(event("July", WIN, date(2009, 7, 5)))
    desk.publish(date(2009, 9, 1))
    days = (date(2009, 8, 10), date(2009, 8, 20), date(2009, 9, 20))
    number = desk.report(league("1 2000 | 2w1 2b= 2w=\n2 2000 | 1b0 1w= 1b=", *days))
    decide(desk.office, "rounds", report=number, first=2, last=3, reason="round 1 is on file")
    decide(desk.office, "by-round", report=number, reason="league")

    november = date(2009, 11, 1)
    assert draft(desk.office, STANDARD, november).result.ratings == {1: 2008, 2: 1993}
    desk.publish(november)
    assert rounds_told(desk, 1, november) == [[2], [3]]


MATCH = """
1 2000 | 2w1 2b1 2w1 2b1
2 2000 | 1b0 1w0 1b0 1w0
"""


def test_a_part_is_rated_and_checked_with_the_rounds_own_numbers() -> None:
    days = [date(2018, 4, day) for day in (1, 2, 3, 4)]
    whole = league(MATCH, *days)
    part = select_rounds(whole, 3, 4)

    rated = rate(part, edition=chess_edition("fide-2017"))

    assert [game.cell.round for game in rated.players[0].games] == [3, 4]
    assert [game.rated for game in rated.players[0].games] == [True, True]
    assert [game.round for game in part.games(0)] == [3, 4]
    assert decided_in(part, 1) == 3


@pytest.mark.parametrize(("first", "played"), [(1, 2), (3, 4)])
def test_the_rounds_of_a_part_are_counted_in_the_whole(first: int, played: int) -> None:
    report = league(MATCH, *[date(2018, 4, day) for day in (1, 2, 3, 4)])
    report = replace(report, header=replace(report.header, rounds=9))
    (early,) = [
        it for it in check_file(select_rounds(report, first, first + 1)) if it.code == "stopped-early"
    ]
    assert early.facts == {"played": played, "planned": 9}


def test_a_contradiction_in_a_part_is_placed_in_its_own_round() -> None:
    report = league(MATCH, *[date(2018, 4, day) for day in (1, 2, 3, 4)])
    wrong = replace(report.rounds[2], results="11")
    report = replace(report, rounds=(*report.rounds[:2], wrong, report.rounds[3]))
    said = check_file(select_rounds(report, 2, 4))
    assert {finding.round for finding in said if finding.round} == {3}
