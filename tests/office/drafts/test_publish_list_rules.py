"""What a list does to players, seen from the office: inactive, delisted, titled without a rating, round by round."""

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from arpad.lists.published import PublishedList
from arpad.model.errors import BadInput
from arpad.reports.report import Report
from tests.builders.chess import event
from tests.builders.decisions import decide
from tests.builders.office_fixtures import DEEP_ON_POSTGRESQL
from tests.builders.offices import STANDARD, Clock, Desk, listed
from tests.builders.published_lists import federation_lists, players_in
from tests.builders.verbs import accept, draft

JAN, FEB, MAR = (date(2018, month, 1) for month in range(1, 4))
WIN = """
1 2000 | 2w1
2 2000 | 1b0
"""


@DEEP_ON_POSTGRESQL
def test_who_falls_below_the_floor_is_delisted_and_then_unrated(desk: Desk) -> None:
    """K 40, a loss against an equal costs 20: 1010 becomes 990, below the floor of 1000 (7.21)."""
    desk.list(JAN, listed(1, 1010, 40, born=1980), listed(2, 1010, 40, born=1980))
    desk.report(event("January", WIN.replace("2000", "1010"), date(2018, 1, 10)))
    made = draft(desk.office, STANDARD, FEB)
    assert made.result.delisted == (2,)
    assert [row.player for row in players_in(made.result.published, "delisted")] == [2]
    desk.publish(FEB)

    assert (desk.rating(1, FEB), desk.rating(2, FEB)) == (1030, None)
    rows = draft(desk.office, STANDARD, MAR).result.published.rows
    assert [row.player for row in rows] == [1]
    # in an event begun in January he still counts as rated: the others gain from him
    desk.report(event("Late", WIN.replace("2000", "1010"), date(2018, 1, 20)))
    assert draft(desk.office, STANDARD, MAR).result.ratings[1] == 1050


def test_a_year_without_games_is_inactive_and_one_game_brings_back(sqlite_desk: Desk) -> None:
    desk = sqlite_desk
    desk.list(JAN, listed(1, 2000), listed(2, 2000), listed(3, 2100))
    desk.report(event("Last", WIN, date(2018, 12, 10)))
    day = date(2019, 1, 1)
    rows = {row.player: row for row in draft(desk.office, STANDARD, day).result.published.rows}

    assert [rows[player].inactive for player in (1, 2, 3)] == [False, False, True]
    desk.publish(day, special="no list all year")
    assert desk.rating(3, day) == 2100
    assert [
        row.player
        for row in players_in(draft(desk.office, STANDARD, date(2019, 2, 1)).result.published, "top")
    ] == [1, 2]
    desk.report(event("Back", WIN.replace("2 ", "3 ").replace("2w", "3w"), date(2019, 1, 10)))
    rows = {r.player: r for r in draft(desk.office, STANDARD, date(2019, 2, 1)).result.published.rows}
    assert not rows[3].inactive


def test_by_the_text_of_2009_the_inactive_are_listed_for_two_more_years(
    sqlite_place: str, tmp_path: Path
) -> None:
    """7.23a and b: a year without games from July 2009, then two years marked; from then on only computed with."""
    desk = Desk.made(sqlite_place, tmp_path, Clock(date(2009, 7, 1)))
    desk.list(date(2009, 7, 1), listed(1, 2000))

    def shown(year: int, month: int) -> list[bool]:
        made = draft(desk.office, STANDARD, date(year, month, 1)).result
        assert made.ratings == {1: 2000}
        return [row.inactive for row in made.published.rows]

    assert [shown(2010, 5), shown(2010, 7), shown(2012, 5), shown(2012, 7)] == [[False], [True], [True], []]
    desk.office.close()


def test_an_imported_inactive_player_is_listed_for_two_more_years_by_the_text_of_2009(
    sqlite_place: str, tmp_path: Path
) -> None:
    """7.23b: the list of July 2009 marks player 2; only the flag is known, so the two years run from that list."""
    desk = Desk.made(sqlite_place, tmp_path, Clock(date(2009, 7, 1)))
    desk.list(date(2009, 7, 1), listed(1, 2000), listed(2, 2100, flag="i"))

    def shown(year: int, month: int) -> PublishedList:
        made = draft(desk.office, STANDARD, date(year, month, 1)).result
        assert made.ratings == {1: 2000, 2: 2100}
        return made.published

    first = shown(2009, 9)
    assert {row.player: row.inactive for row in first.rows} == {1: False, 2: True}
    assert [row.player for row in federation_lists(first)["ITA"]] == [1]
    assert [row.player for row in players_in(first, "top")] == [1]
    assert [row.player for row in shown(2011, 5).rows] == [1, 2]
    assert [row.player for row in shown(2011, 7).rows] == [1]
    # one rated game brings the player back, with the last published rating (7.23, 7.23c)
    desk.report(event("Back", "1 2000 | 2w=\n2 2100 | 1b=", date(2011, 7, 10)))
    back = {
        row.player: (row.rating, row.inactive)
        for row in draft(desk.office, STANDARD, date(2011, 9, 1)).result.published.rows
    }
    # 100 below: .36 expected, .14 x 20 = 2.8, the K of the imported list
    assert back == {1: (2003, False), 2: (2097, False)}
    desk.office.close()


def test_an_imported_inactive_player_stays_inactive_where_no_such_time_runs(sqlite_desk: Desk) -> None:
    desk = sqlite_desk
    desk.list(JAN, listed(1, 2000), listed(2, 2100, flag="i"))
    rows = draft(desk.office, STANDARD, date(2024, 1, 1)).result.published.rows
    assert [(row.player, row.inactive) for row in rows] == [(1, True), (2, True)]


def test_titled_players_without_a_rating_have_a_list_of_their_own(sqlite_desk: Desk) -> None:
    desk = sqlite_desk
    desk.list(JAN, listed(1, 2000), listed(2, None, title="IM"))

    made = draft(desk.office, STANDARD, FEB)

    assert [row.player for row in players_in(made.result.published, "titled-unrated")] == [2]
    assert 2 not in made.result.states


def league() -> Report:
    """Two rounds, in August and in September: a win, then a draw."""
    days = (date(2009, 8, 10), date(2009, 9, 20))
    report = event("League", "1 2000 | 2w1 2b=\n2 2000 | 1b0 1w=", *days)
    rounds = tuple(replace(cells, day=day) for cells, day in zip(report.rounds, days, strict=True))
    return replace(report, rounds=rounds)


def test_a_long_event_with_the_ratings_of_the_first_day_or_of_each_round(sqlite_desk: Desk) -> None:
    """2009 4.13, K 15: a win between equals is 7.5, and the new rating is rounded half up."""
    desk = sqlite_desk
    desk.list(date(2009, 7, 1), listed(1, 2000, 15), listed(2, 2000, 15))
    desk.report(event("July", WIN, date(2009, 7, 5)))
    desk.publish(date(2009, 9, 1))
    assert (desk.rating(1, date(2009, 9, 1)), desk.rating(2, date(2009, 9, 1))) == (2008, 1993)
    number = desk.report(league())
    november = date(2009, 11, 1)

    # both rounds with the list of July, equals: 7.5 and 0
    assert draft(desk.office, STANDARD, november).result.ratings == {1: 2016, 2: 1986}
    decide(desk.office, "by-round", report=number, reason="league")

    # the second with the list of September, 2008 against 1993, expected 0.52: 7.5 - 0.3 = 7.2
    assert draft(desk.office, STANDARD, november).result.ratings == {1: 2015, 2: 1986}


def test_round_by_round_only_where_the_edition_has_it(sqlite_desk: Desk) -> None:
    desk = sqlite_desk
    desk.list(JAN, listed(1, 2000), listed(2, 2000))
    number = desk.report(event("Match", WIN, date(2018, 1, 10)))
    decide(desk.office, "by-round", report=number, reason="league")

    with pytest.raises(BadInput, match="by-round-not-allowed"):
        draft(desk.office, STANDARD, FEB)


def test_an_interim_report_that_repeats_earlier_rounds_counts_from_the_decided_one(sqlite_desk: Desk) -> None:
    """4.13: the league of January and February, reported after each month."""
    desk = sqlite_desk
    desk.list(JAN, listed(1, 2000), listed(2, 2000))
    desk.report(event("League", WIN, date(2018, 1, 10)))
    desk.publish(FEB)
    days = (date(2018, 1, 10), date(2018, 2, 10))
    whole = event("League", "1 2000 | 2w1 2b=\n2 2000 | 1b0 1w=", *days)
    rounds = tuple(replace(cells, day=day) for cells, day in zip(whole.rounds, days, strict=True))
    desk.on(date(2018, 2, 11))
    sent = desk.send(replace(whole, rounds=rounds))
    assert [finding.code for finding in sent.errors] == ["event-on-file"]

    decide(desk.office, "rounds", report=sent.report, first=2, last=2, reason="interim report")
    accept(desk.office, sent.report)

    # the draw of February with the list of February: 2010 against 1990, expected 0.53, -0.03 x 20 = -0.6
    assert draft(desk.office, STANDARD, MAR).result.ratings == {1: 2009, 2: 1991}


def test_a_newcomer_rated_meanwhile(sqlite_desk: Desk) -> None:
    """8.4, reading 12: begun before he entered, rated after: a change from the entry rating, nothing for opponents."""
    desk = sqlite_desk
    first = """
1 2000 | 6b1 .Z .Z .Z .Z
2 2000 | .Z 6w0 .Z .Z .Z
3 2000 | .Z .Z 6b= .Z .Z
4 2000 | .Z .Z .Z 6w1 .Z
5 2000 | .Z .Z .Z .Z 6b0
6 0 | 1w0 2b1 3w= 4b0 5w1
"""
    desk.list(JAN, *[listed(number, 2000) for number in range(1, 6)])
    desk.report(event("First", first, date(2018, 1, 10), date(2018, 1, 14)))
    desk.publish(FEB)
    assert desk.rating(6, FEB) == 2000
    before = desk.rating(4, FEB)
    second = """
1 2000 | 2w= .Z
2 2000 | 1b= .Z
4 2000 | 6w1 .Z
5 2000 | .Z 6b0
6 0 | 4b0 5w1
"""
    desk.report(event("Meanwhile", second, date(2018, 1, 20), date(2018, 1, 21)))
    desk.publish(MAR)

    # one point of two against equals: no change for him, and none for number 4, who beat him
    assert (desk.rating(6, MAR), desk.rating(4, MAR)) == (2000, before)
