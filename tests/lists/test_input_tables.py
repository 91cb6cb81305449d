"""The large inputs of a list as tables: the same values and the same files as plain mappings."""

from __future__ import annotations

from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from arpad.lists.input_files import write_inputs
from arpad.lists.input_tables import PeopleTable, RatingTable, StateTable
from arpad.lists.inputs import Inputs
from arpad.model.chess import Standing
from arpad.model.disciplines import CHESS
from arpad.model.json_values import from_standing
from arpad.model.people import Person
from arpad.model.rules import ListName

TEXT = st.text(st.characters(codec="utf-8"), max_size=8)
BIRTH = st.none() | st.integers(1900, 2020) | st.dates(date(1900, 1, 1), date(2020, 1, 1))
IDENTIFIERS = st.dictionaries(st.sampled_from(["fide", "fsi"]), TEXT.filter(bool), max_size=2)


@st.composite
def people(draw: st.DrawFn) -> dict[int, Person]:
    return {
        number: Person(
            number, draw(TEXT), draw(TEXT), draw(TEXT), draw(BIRTH), draw(TEXT), draw(TEXT), draw(TEXT), draw(TEXT),
            tuple(sorted(draw(IDENTIFIERS).items())), draw(st.none() | st.dates()),
        )
        for number in draw(st.sets(st.integers(1, 10**6), max_size=5))
    }  # fmt: skip


@st.composite
def states(draw: st.DrawFn) -> dict[int, str]:
    return {
        player: from_standing(
            Standing(player, draw(st.none() | st.integers(1, 2900)), 1, draw(st.integers(0, 9)))
        )
        for player in draw(st.sets(st.integers(1, 50), max_size=8))
    }


RATINGS = st.dictionaries(st.integers(1, 10**6), st.integers(1, 3000), max_size=5)


@given(people(), states(), RATINGS)
def test_tables_write_the_same_files_as_values(
    register: dict[int, Person], begun: dict[int, str], ratings: dict[int, int]
) -> None:
    plain = Inputs(
        ListName.STANDARD, date(2024, 4, 1), date(2024, 3, 1), 1, 1, "", "", "fide-2024-03", begun, {"d": ratings},
        people=register,
    )  # fmt: skip
    tables = Inputs(
        ListName.STANDARD, date(2024, 4, 1), date(2024, 3, 1), 1, 1, "", "", "fide-2024-03",
        StateTable.of(begun, CHESS), {"d": RatingTable.of(ratings)}, people=PeopleTable.of(register),
    )  # fmt: skip
    assert write_inputs(tables) == write_inputs(plain)
    assert dict(tables.states.items()) == dict(sorted(begun.items()))
    assert dict(tables.people.items()) == dict(sorted(register.items()))
    for player, person in register.items():
        assert tables.people[player] == person
    assert {**tables.lists["d"]} == ratings


@given(states(), st.dictionaries(st.integers(1, 25), st.integers(26, 50), max_size=3))
def test_states_of_merged_players_are_joined(begun: dict[int, str], merged: dict[int, int]) -> None:
    joined = StateTable.of(begun, CHESS).merged(merged, CHESS)
    assert dict(joined.items()) == dict(sorted(CHESS.merge_states(dict(begun), merged).items()))
