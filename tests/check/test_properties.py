"""Events that are right by construction give no finding about the file; one thing broken gives its finding."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from arpad.check import check_event, check_file
from arpad.model import Severity
from arpad.regulations import CHESS
from arpad.report import BYES, MIRROR, Report, Round
from tests.check.made import Game, all_meet, case, report, some_rounds

BOTH = ("10", "01", "==", "+-", "-+", "--", "WL", "DD")
PLAYED = ("10", "01", "==")


@st.composite
def events(draw: st.DrawFn, results: tuple[str, ...] = BOTH) -> Report:
    """A round robin, a double one or a part of one, with results of every kind that mirror."""
    players = draw(st.integers(3, 9))
    cycles = draw(st.integers(1, 2))
    rounds = (
        all_meet(players, cycles) if draw(st.booleans()) else some_rounds(players, draw(st.integers(1, 4)))
    )
    games: list[list[Game]] = [
        [(white, black, draw(st.sampled_from(results)) if black else both) for white, black, both in row]
        for row in rounds
    ]
    ratings = draw(st.lists(st.sampled_from([0, 1450, 1700, 2250, 2720]), min_size=players, max_size=players))
    return report(games, ratings)


@settings(max_examples=60, deadline=None)
@given(events())
def test_what_is_right_by_construction_has_no_finding(made: Report) -> None:
    assert check_file(made) == ()


def changed(made: Report, number: int, cells: Round) -> Report:
    rounds = list(made.rounds)
    rounds[number] = cells
    return replace(made, rounds=tuple(rounds))


def put(text: str, place: int, letter: str) -> str:
    return text[:place] + letter + text[place + 1 :]


@settings(max_examples=60, deadline=None)
@given(events(PLAYED), st.data())
def test_one_result_turned_is_found_where_it_is(made: Report, data: st.DataObject) -> None:
    number = data.draw(st.integers(0, len(made.rounds) - 1))
    cells = made.rounds[number]
    place = data.draw(st.sampled_from([here for here, opponent in enumerate(cells.opponents) if opponent]))
    letter = data.draw(st.sampled_from([r for r in MIRROR if r != cells.results[place]]))
    found = check_file(changed(made, number, replace(cells, results=put(cells.results, place, letter))))

    about = [f for f in found if not f.code.startswith("points")]
    assert [f.code in {"results-not-mirrored", "both-win"} for f in about] == [True]
    (only,) = about
    pair = {made.entrants[place].number, cells.opponents[place]}
    assert (only.round, {only.player, only.facts["opponent"]}) == (number + 1, pair)


@settings(max_examples=40, deadline=None)
@given(events(), st.data())
def test_one_colour_turned_is_found(made: Report, data: st.DataObject) -> None:
    number = data.draw(st.integers(0, len(made.rounds) - 1))
    cells = made.rounds[number]
    place = data.draw(st.sampled_from([here for here, opponent in enumerate(cells.opponents) if opponent]))
    turned = "w" if cells.colours[place] == "b" else "b"
    found = check_file(changed(made, number, replace(cells, colours=put(cells.colours, place, turned))))

    assert [(f.code, f.round) for f in found] == [("colours-clash", number + 1)]


@settings(max_examples=40, deadline=None)
@given(events(), st.data())
def test_a_bye_with_an_opponent_is_found(made: Report, data: st.DataObject) -> None:
    number = data.draw(st.integers(0, len(made.rounds) - 1))
    cells = made.rounds[number]
    place = data.draw(st.sampled_from([here for here, opponent in enumerate(cells.opponents) if opponent]))
    letter = data.draw(st.sampled_from(sorted(BYES - {"U"})))
    found = check_file(changed(made, number, replace(cells, results=put(cells.results, place, letter))))

    (about,) = [f for f in found if not f.code.startswith("points")]
    assert (about.code, about.player) == ("bye-with-opponent", made.entrants[place].number)


@settings(max_examples=40, deadline=None)
@given(events(), st.data())
def test_wrong_points_are_found(made: Report, data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(made.entrants) - 1))
    entrants = list(made.entrants)
    right = entrants[place].half_points or 0
    entrants[place] = replace(entrants[place], half_points=right + data.draw(st.integers(1, 5)))
    found = check_file(replace(made, entrants=tuple(entrants)))

    assert [(f.code, f.player) for f in found] == [("points-not-the-sum", entrants[place].number)]


@settings(max_examples=40, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.lists(st.integers(0, 6), min_size=4, max_size=4),
            st.text("wb- x", min_size=4, max_size=4),
            st.text("1=0+-WDLHFUZ *x", min_size=4, max_size=4),
        ),
        max_size=4,
    ),
    st.lists(st.integers(0, 5), min_size=4, max_size=4),
    st.sampled_from(CHESS),
)
def test_nothing_raises(rows: list[tuple[list[int], str, str]], numbers: list[int], edition: object) -> None:
    made = report(some_rounds(4, 1), [2000, 0, 1800, 0])
    entrants = tuple(replace(e, number=n) for e, n in zip(made.entrants, numbers, strict=True))
    rounds = tuple(Round(tuple(opponents), colours, results) for opponents, colours, results in rows)
    odd = replace(made, entrants=entrants, rounds=rounds)

    check_file(odd)
    for chosen in CHESS:
        if chosen is edition:
            findings = check_event(case(odd, chosen.id))
            assert {finding.severity for finding in findings} <= set(Severity)
