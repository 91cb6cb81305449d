"""Events that are right by construction give no finding about the file; one thing broken gives its finding."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arpad.checks import check_event, check_file
from arpad.checks import pairings as check_cells
from arpad.model.rules import Edition, Severity
from arpad.regulations.editions import CHESS_EDITIONS
from arpad.regulations.fide.rules import ChessRules
from arpad.reports.report import BYES, MIRROR, Report, Round
from tests.builders.trf import Game, all_meet, case, report, some_rounds

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


@given(events())
def test_a_correct_report_has_no_finding(made: Report) -> None:
    assert check_file(made) == ()


def changed(made: Report, number: int, cells: Round) -> Report:
    rounds = list(made.rounds)
    rounds[number] = cells
    return replace(made, rounds=tuple(rounds))


def put(text: str, place: int, letter: str) -> str:
    return text[:place] + letter + text[place + 1 :]


@given(events(PLAYED), st.data())
def test_one_wrong_result_is_found_in_its_cell(made: Report, data: st.DataObject) -> None:
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


@given(events(), st.data())
def test_one_colour_turned_is_found(made: Report, data: st.DataObject) -> None:
    number = data.draw(st.integers(0, len(made.rounds) - 1))
    cells = made.rounds[number]
    place = data.draw(st.sampled_from([here for here, opponent in enumerate(cells.opponents) if opponent]))
    turned = "w" if cells.colours[place] == "b" else "b"
    found = check_file(changed(made, number, replace(cells, colours=put(cells.colours, place, turned))))

    assert [(f.code, f.round) for f in found] == [("colours-clash", number + 1)]


@given(events(), st.data())
def test_a_bye_with_an_opponent_is_found(made: Report, data: st.DataObject) -> None:
    number = data.draw(st.integers(0, len(made.rounds) - 1))
    cells = made.rounds[number]
    place = data.draw(st.sampled_from([here for here, opponent in enumerate(cells.opponents) if opponent]))
    letter = data.draw(st.sampled_from(sorted(BYES - {"U"})))
    found = check_file(changed(made, number, replace(cells, results=put(cells.results, place, letter))))

    (about,) = [f for f in found if not f.code.startswith("points")]
    assert (about.code, about.player) == ("bye-with-opponent", made.entrants[place].number)


@given(events(), st.data())
def test_wrong_points_are_found(made: Report, data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(made.entrants) - 1))
    entrants = list(made.entrants)
    right = entrants[place].half_points or 0
    entrants[place] = replace(entrants[place], half_points=right + data.draw(st.integers(1, 5)))
    found = check_file(replace(made, entrants=tuple(entrants)))

    assert [(f.code, f.player) for f in found] == [("points-not-the-sum", entrants[place].number)]


ROWS = st.lists(
    st.tuples(
        st.lists(st.integers(0, 6), min_size=4, max_size=4),
        st.text("wb- x", min_size=4, max_size=4),
        st.text("1=0+-WDLHFUZ *x", min_size=4, max_size=4),
    ),
    max_size=4,
)
NUMBERS = st.lists(st.integers(0, 5), min_size=4, max_size=4) | st.just([1, 2, 3, 4])
USUAL = report(some_rounds(4, 1), [2000, 0, 1800, 0])


def odd_report(rows: list[tuple[list[int], str, str]], numbers: list[int]) -> Report:
    entrants = tuple(replace(e, number=n) for e, n in zip(USUAL.entrants, numbers, strict=True))
    rounds = tuple(Round(tuple(opponents), colours, results) for opponents, colours, results in rows)
    return replace(USUAL, entrants=entrants, rounds=rounds)


@given(ROWS, NUMBERS, st.sampled_from(CHESS_EDITIONS))
def test_nothing_raises(
    rows: list[tuple[list[int], str, str]], numbers: list[int], edition: Edition[ChessRules]
) -> None:
    odd = odd_report(rows, numbers)
    found = [*check_file(odd), *check_event(case(odd, edition.id))]
    assert {finding.severity for finding in found} <= set(Severity)


CELLS = st.sampled_from(
    ["2w1", "2w=", "2b0", "1b0", "1b=", "1w=", "3b1", "4w+", "3b-", "4--", "0-U", "0-=", "2wH", "0wZ"]
)


@given(st.lists(CELLS, min_size=4, max_size=4))
def test_a_round_in_order_has_nothing_odd_and_the_other_way_round(row: list[str]) -> None:
    cells = Round(
        tuple(int(cell[0]) for cell in row),
        "".join(cell[1] for cell in row),
        "".join(cell[2] for cell in row),
    )
    made = replace(USUAL, rounds=(cells,))
    own_places = tuple(range(4))
    others = tuple(made.places.get(opponent, here) for here, opponent in enumerate(cells.opponents))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(check_cells, "_in_order", lambda *_: False)
        found = {finding.code for finding in check_cells.rounds(made)}

    if check_cells._in_order(cells, others, own_places):
        assert found == set()
    elif not found:  # in order all the same: both lost by forfeit, or a forfeit without colours
        assert set(cells.results) & set("+-")
