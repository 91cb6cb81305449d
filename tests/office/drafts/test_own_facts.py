"""What an office knows of players and events reaches the rating system of its list, and changes the printed figure."""

from datetime import date
from typing import Any

import pytest

from arpad.lists.canonical import read_canonical
from arpad.model.errors import BadInput
from arpad.model.rules import ListName
from arpad.office.clubs.acts import enter_club, transfer
from arpad.office.decisions.acts import decide
from arpad.office.fide.reference import add_reference
from arpad.office.lists.acts import add_list
from arpad.office.lists.history_rows import canonical_text
from arpad.office.lists.rows import Publication
from arpad.office.verify.acts import verify
from arpad.rating.event_question import answer_event, read_question
from arpad.store.settings import list_named
from tests.builders.chess import event
from tests.builders.offices import WIN, Desk, listed
from tests.builders.reference import row, write_reference
from tests.builders.verbs import import_list

JAN, FEB, MAR = (date(2018, month, 1) for month in (1, 2, 3))
FIRST, LAST = date(2018, 1, 5), date(2018, 1, 7)
STATES = {
    "icu": "id,rating,games\n9001,1800,100\n9002,1700,100\n",
    "dwz": "id,rating,index\n9001,1800,20\n9002,1700,20\n",
    "uschess": "id,rating,games,wins,losses\n9001,2300,100,50,50\n9002,2250,100,50,50\n",
    "uschess-club": "id,rating,games,wins,losses\n9001,1500,100,50,50\n9002,1500,100,50,50\n",
    "glicko2": "id,rating,rd,volatility\n9001,1800,50,0.06\n9002,1700,50,0.06\n",
}
NEWCOMER = """
1 2000 | 3w1
2 1900 | .Z
3 1900 | 1b0
"""
SIX = """
1 2000 | 2w1 2b1 2w1 2b1 2w1 2b1
2 1900 | 1b0 1w0 1b0 1w0 1b0 1w0
"""


def office_with(desk: Desk, states: str, facts: dict[str, str] | None = None) -> ListName:
    """Return the list of a system, which begins with two rated players."""
    system = states.partition("-")[0]
    desk.list(JAN, *(listed(n, 1400) for n in range(1, 4)))
    add_list(desk.office, "own", system=system, since=JAN, facts=facts or {})
    path = desk.folder / "own.csv"
    path.write_text(STATES[states])
    with desk.office.store.reading() as connection:
        own = list_named(connection, "own")
    import_list(desk.office, path, own, JAN)
    return own


def figures(desk: Desk, publication: Publication) -> dict[int, int]:
    """Return the printed figures of a list, whose office must be intact."""
    with desk.office.store.reading() as connection:
        text = canonical_text(connection, publication)
    assert verify(desk.office).intact
    return read_canonical(text).ratings


def answer(system: str, players: dict[str, Any], games: list[Any], **facts: Any) -> dict[int, int]:
    """Return what the calculator prints for an event on the same days."""
    question = {"start": str(FIRST), "end": str(LAST), "players": players, "games": games, **facts}
    rated = answer_event(read_question(system, question)).players
    return {int(name): it.line.figure for name, it in rated.items() if it.line and it.line.figure}


@pytest.mark.parametrize(("system", "field"), [("icu", "k"), ("dwz", "coefficient")])
def test_a_decided_k_counts_for_the_events_of_one_list(sqlite_desk: Desk, system: str, field: str) -> None:
    desk, own = sqlite_desk, office_with(sqlite_desk, system)
    decide(desk.office, "k", player=1, list_=own, date_=FEB, value={"k": "40"}, reason="the board decided")
    desk.report(event("Dublin", WIN, FIRST, LAST))
    february = figures(desk, desk.publish(FEB, own))
    state = {"index": 20} if system == "dwz" else {"games": 100}
    players = {"1": {"rating": 1800, **state, field: 40}, "2": {"rating": 1700, **state}}
    assert february == answer(system, players, [["1", "2", 1]])
    del players["1"][field]
    assert february != answer(system, players, [["1", "2", 1]])
    later = date(2018, 2, 10)
    desk.report(event("Cork", WIN, later, later))
    march = figures(desk, desk.publish(MAR, own))
    after = {"1": {"rating": february[1], **state}, "2": {"rating": february[2], **state}}
    if system == "icu":
        assert march == answer(system, after, [["1", "2", 1]]), "the decision was about February's list"


def test_a_k_is_refused_where_the_system_has_none(sqlite_desk: Desk) -> None:
    own = office_with(sqlite_desk, "glicko2")
    with pytest.raises(BadInput, match="a decision of the kind k"):
        decide(sqlite_desk.office, "k", player=1, list_=own, date_=FEB, value={"k": "40"}, reason="x")


def test_memberships_decide_k_and_who_is_on_the_list_of_ireland(sqlite_desk: Desk) -> None:
    desk, own = sqlite_desk, office_with(sqlite_desk, "icu")
    enter_club(desk.office, "C1", "Phibsboro", since=date(2000, 1, 1))
    transfer(desk.office, 1, "C1", since=date(2014, 9, 1))
    desk.report(event("Dublin", WIN, FIRST, LAST))
    february = figures(desk, desk.publish(FEB, own))
    players: dict[str, dict[str, Any]] = {
        "1": {"rating": 1800, "games": 100, "joined": "2014-09-01"},
        "2": {"rating": 1700, "games": 100},
    }
    expected = answer("icu", players, [["1", "2", 1]])
    assert february == {1: expected[1]}, "the other one is no member"
    del players["1"]["joined"]
    assert expected != answer("icu", players, [["1", "2", 1]])
    transfer(desk.office, 1, "", since=date(2018, 9, 1))
    assert set(figures(desk, desk.publish(date(2018, 12, 1), own, special="late"))) == {1}, (
        "the season before"
    )
    assert not figures(desk, desk.publish(date(2019, 1, 1), own))


@pytest.mark.parametrize("kept", [False, True])
def test_the_fide_rating_of_a_newcomer_is_where_us_chess_begins(sqlite_desk: Desk, *, kept: bool) -> None:
    desk, own = sqlite_desk, office_with(sqlite_desk, "uschess")
    if kept:
        add_reference(
            desk.office, write_reference(desk.folder, "fide.txt", row(9003, "Player 3", rating=1520)), JAN
        )
    desk.report(event("Boston", NEWCOMER, FIRST, LAST))
    published = desk.publish(FEB, own)
    first = {"rating": 2300, "games": 100, "wins": 50, "losses": 50}
    games = [["1", "3", 1]]
    given = answer("uschess", {"1": first, "3": {"fide": 1520 if kept else 1400}}, games)
    assert figures(desk, published)[3] == given[3]
    assert answer("uschess", {"1": first, "3": {}}, games)[3] != given[3]


@pytest.mark.parametrize("dual", [False, True])
def test_a_dual_section_and_a_match_are_those_of_us_chess(sqlite_desk: Desk, *, dual: bool) -> None:
    desk, own = sqlite_desk, office_with(sqlite_desk, "uschess" if dual else "uschess-club")
    desk.report(event("Match", SIX, FIRST, LAST, time_control="60 min" if dual else "90 min"))
    published = figures(desk, desk.publish(FEB, own))
    state = {"games": 100, "wins": 50, "losses": 50}
    ratings = (2300, 2250) if dual else (1500, 1500)
    players = {str(name): {"rating": rating, **state} for name, rating in enumerate(ratings, start=1)}
    games = [["1", "2", 1, number] for number in range(1, 7)]
    assert published == answer("uschess", players, games, facts={"match": True, "dual": dual})
    other = {"match": True} if dual else {"dual": dual}
    assert published != answer("uschess", players, games, facts=other)


def test_the_tau_of_a_glicko_list_is_its_own(sqlite_desk: Desk) -> None:
    desk, own = sqlite_desk, office_with(sqlite_desk, "glicko2", {"tau": "1.2", "low": "10"})
    desk.report(event("Club", SIX.replace("2000", "1700"), FIRST, LAST))
    published = desk.publish(FEB, own)
    players = {
        "1": {"rating": 1800, "rd": 50, "volatility": "0.06"},
        "2": {"rating": 1700, "rd": 50, "volatility": "0.06"},
    }
    games = [["1", "2", 1, number] for number in range(1, 7)]
    assert figures(desk, published) == answer("glicko2", players, games, facts={"tau": "1.2", "low": "10"})


def test_facts_that_the_system_does_not_have_are_refused(sqlite_desk: Desk) -> None:
    for facts in ({"colour": "blue"}, {"tau": "often"}):
        with pytest.raises(BadInput, match=r"facts"):
            add_list(sqlite_desk.office, "own", system="glicko2", facts=facts)


def test_a_newcomer_with_a_fide_rating_enters_dwz_with_it(sqlite_desk: Desk) -> None:
    desk, own = sqlite_desk, office_with(sqlite_desk, "dwz")
    desk.report(event("Berlin", NEWCOMER, FIRST, LAST))
    published = figures(desk, desk.publish(FEB, own))
    entered = answer("dwz", {"1": {"rating": 1800, "index": 20}, "3": {"fide": 1400}}, [["1", "3", 1]])
    assert published == {1: entered[1], 2: 1700, 3: entered[3]}
    assert 3 not in answer("dwz", {"1": {"rating": 1800, "index": 20}, "3": {}}, [["1", "3", 1]])
