"""Explanations on demand: what is computed for one player equals what the whole period contains."""

from dataclasses import replace
from datetime import date
from fractions import Fraction
from typing import Any

import pytest
from sqlalchemy import Connection

from arpad.model.rules import Severity
from arpad.office.lists import rows as lists
from arpad.office.players.explain import CACHE, eventful_lists, explain_change, explain_changes
from arpad.reports.report import Report
from tests import commands
from tests.builders.chess import event
from tests.builders.explanations import agree
from tests.builders.offices import STANDARD, Desk, listed
from tests.builders.verbs import accept, change_player, explain, find_players

JAN, FEB, MAR = date(2018, 1, 1), date(2018, 2, 1), date(2018, 3, 1)


def lists_with_changes(connection: Connection, player: int) -> set[int]:
    """Return the lists on which something happened to a player."""
    published = lists.all_publications(connection)
    eventful = eventful_lists(connection, player, published)
    return {it.id for it in published if it.id in eventful and explain_change(connection, it, player)}


ROUND_ROBIN = """
1 2000 | 2w1 3b1 4w1
2 1900 | 1b0 4w= 3b1
3 1800 | 4b1 1w0 2w0
4 0 | 3w0 2b= 1b0
"""
EARLIER = """
1 2000 | 4b0
2 1900 | 3w1
3 1800 | 2b0
4 0 | 1w1
"""


def take(desk: Desk, report: Report, **more: Any) -> None:
    """File a report and accept it whatever the checks say."""
    desk.on(report.header.last_day or JAN)
    sent = desk.send(report)
    codes = {found.code for found in sent.findings if found.severity == Severity.ERROR}
    accept(desk.office, sent.report, overrule=tuple(codes), reason="a test", **more)


def test_an_explanation_equals_that_of_the_whole_period(desk: Desk) -> None:
    desk.list(JAN, listed(1, 2000), listed(2, 1900), listed(3, 1800), listed(5, 1700))
    take(desk, event("First", EARLIER, date(2018, 1, 3)))
    take(desk, event("Closed", ROUND_ROBIN, date(2018, 1, 10), date(2018, 1, 12)), matches={4: 5})
    desk.publish(FEB)
    take(desk, event("Late", EARLIER, date(2018, 1, 20)), matches={4: 5})
    desk.publish(MAR)

    assert agree(desk) == 2 * 5
    with desk.office.store.reading() as connection:
        assert lists_with_changes(connection, 4) == set(), "the fourth of the list plays nowhere"
        assert lists_with_changes(connection, 2) == {2, 3}


@pytest.mark.parametrize("day", [date(2016, 6, 1), date(2016, 7, 1)])
def test_earlier_events_decide_whether_a_newcomer_has_played_before(sqlite_desk: Desk, day: date) -> None:
    """A round robin whose newcomer played an earlier event of the same period, under the procedure of 8.58."""
    desk = sqlite_desk
    begun = date(day.year, day.month - 1, 1)
    desk.list(begun, listed(1, 2000), listed(2, 1900), listed(3, 1800))
    take(desk, event("First", EARLIER, begun.replace(day=3)))
    number = max(found.id for found in find_players(desk.office, "Player 4"))
    take(
        desk, event("Closed", ROUND_ROBIN, begun.replace(day=10), begun.replace(day=12)), matches={4: number}
    )
    desk.publish(day)

    assert agree(desk) == 4


SWISS = """
1 2000 | 6w1 2b= 3w1 4b1 5w1
2 1900 | 3w1 1w= 6b1 5b= 4w1
3 1800 | 2b0 4w1 1b0 6w1 7b=
4 1700 | 5w= 3b0 7w1 1w0 2b0
5 1650 | 4b= 6w1 8w= 2w= 1b0
6 0 | 1b0 5b0 2w0 3b0 8w=
7 0 | 8w1 .Z 4b0 .Z 3w=
8 1600 | 7b0 .Z 5b= .Z 6b=
"""
LONG = """
1 2000 | 6w= 2b1
2 1900 | 3w1 1w0
3 1800 | 2b0 7w1
4 1700 | 5w1 8b0
5 1650 | 4b0 6w1
6 0 | 1b= 5b0
7 0 | 8w1 3b0
8 1600 | 7b0 4w1
"""


def test_opponents_are_enough_under_an_edition_without_a_procedure_for_round_robins(
    sqlite_desk: Desk,
) -> None:
    """A newcomer enters the list while a long event lasts; others stay unrated; nobody meets everybody."""
    desk, january, february, march = sqlite_desk, *(date(2025, month, 1) for month in (1, 2, 3))
    rated = [listed(number, rating) for number, rating in ((1, 2000), (2, 1900), (3, 1800), (4, 1700))]
    desk.list(january, *rated, listed(5, 1650), listed(8, 1600))
    take(desk, event("Swiss", SWISS, date(2025, 1, 3), date(2025, 1, 8)))
    numbers = {n: max(it.id for it in find_players(desk.office, f"Player {n}")) for n in (6, 7)}
    desk.publish(february)
    take(desk, event("Long", LONG, date(2025, 1, 20), date(2025, 2, 10)), matches=numbers)
    desk.publish(march)

    assert desk.rating(numbers[6], february) is not None
    assert desk.rating(numbers[7], february) is None
    assert agree(desk) == 2 * 8
    with desk.office.store.reading() as connection:
        last = lists.all_publications(connection, STANDARD)[-1]
        met = explain_change(connection, last, 1)
    assert met is not None
    assert [game.reason for game in met.events[0].games] == ["rated-meanwhile", ""]


def test_the_rating_in_force_is_explained_by_the_list_that_changed_it(sqlite_desk: Desk) -> None:
    desk = sqlite_desk
    desk.list(JAN, listed(1, 2000), listed(2, 1900), listed(3, 1800))
    take(desk, event("First", EARLIER, date(2018, 1, 3)))
    desk.publish(FEB)
    desk.publish(MAR)

    explanation = explain(desk.office, 2, STANDARD, MAR)

    assert explanation.since is not None
    assert explanation.since.day == FEB
    assert explanation.change is not None
    # 1900 against 1800, won: 0.36 above the expectation of 0.64, times 20, is 7.2
    assert (explanation.change.before, explanation.change.after) == (1900, 1907)
    assert [game.change for game in explanation.change.events[0].games] == [Fraction(9, 25)]


def test_an_explanation_that_left_the_cache_is_computed_again(
    sqlite_desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = sqlite_desk
    desk.list(JAN, listed(1, 2000), listed(2, 1900), listed(3, 1800))
    take(desk, event("Closed", ROUND_ROBIN, date(2018, 1, 10), date(2018, 1, 12)))
    monkeypatch.setattr(CACHE, "size", 1)
    published = desk.publish(FEB)
    with desk.office.store.reading() as connection:
        for _ in range(4):  # each time another player is in the cache
            assert explain_changes(connection, published, [1, 2, 3]).keys() == {1, 2, 3}


def three_games(name: str, day: date, results: str) -> Report:
    """A newcomer, number 4, against 2000, 1900 and 1800."""
    own = dict(zip((1, 2, 3), results, strict=True))
    other = {"1": "0", "0": "1", "=": "="}
    lines = [
        f"{n} {2100 - 100 * n} | {' '.join(f'4b{other[own[n]]}' if n == r else '.Z' for r in (1, 2, 3))}"
        for n in (1, 2, 3)
    ]
    newcomer = " ".join(f"{n}w{own[n]}" for n in (1, 2, 3))
    return event(name, "\n".join([*lines, f"4 0 | {newcomer}"]), day, day)


def test_a_first_rating_is_explained_with_all_the_events_that_it_pools(
    sqlite_desk: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    """Three games in January, three in February: the entry of 1 March pools both (12.4).

    Two points of six against 1900 on average: p = .33, dp = -125 (8.1a), 1900 - 125 = 1775.
    """
    desk = sqlite_desk
    desk.list(JAN, listed(1, 2000), listed(2, 1900), listed(3, 1800))
    take(desk, three_games("January", date(2018, 1, 10), "01="))
    desk.publish(FEB)
    take(desk, three_games("February", date(2018, 2, 10), "0=0"))
    desk.publish(MAR)

    change = explain(desk.office, 4, STANDARD, MAR).change
    assert change is not None
    assert change.after == 1775
    assert [(e.name, len(e.games)) for e in change.pooled] == [("January", 3)]
    assert [(e.name, len(e.games)) for e in change.events] == [("February", 3)]
    assert [(t.event, t.score, t.games, counts) for t, counts in change.tranches] == [
        ("January", 3, 3, True),
        ("February", 1, 3, True),
    ]
    assert change.entry is not None
    assert sum(t.score for t, _ in change.tranches) == change.entry.score == 4

    status, out, _ = commands.run(
        capsys, "office", "explain", "4", "--date", "2018-03-01", "--db", desk.place
    )
    assert status == 0
    assert "January: 1.5 points in 3 games, average of the opponents 1900." in out
    assert "Together: 2 points in 6 games of 2 tournaments." in out
    assert out.count("Player 1 ") == out.count("Player 3 ") == 2
    story = commands.run_json(capsys, "office", "explain", "4", "--date", "2018-03-01", "--db", desk.place)[
        "story"
    ]
    assert [event["name"] for event in story["pooled"]] == ["January"]
    assert [(it["name"], it["score"], it["counts"]) for it in story["entry"]["events"]] == [
        ("January", "1.5", True),
        ("February", "0.5", True),
    ]


def test_opponents_are_named_as_in_the_register(sqlite_desk: Desk) -> None:
    """A report spelled the opponent in its own way; the officer said who it is."""
    desk = sqlite_desk
    desk.list(JAN, listed(1, 2000), listed(2, 1900, name="Maldardoni, Dario"))
    report = event("Open", "1 2000 | 2w1\n2 1900 | 1b0", date(2018, 1, 10))
    misspelt = replace(report.entrants[1], name="Maldardoni, Dariö")
    desk.report(replace(report, entrants=(report.entrants[0], misspelt)))
    publication = desk.publish(FEB)

    def named() -> str:
        with desk.office.store.reading() as connection:
            change = explain_change(connection, publication, 1)
        assert change is not None
        return change.events[0].games[0].name

    assert named() == "Maldardoni, Dario"
    change_player(desk.office, 2, since=FEB, reason="marriage", set_={"name": "Rossi, Dario"})
    assert named() == "Rossi, Dario"
