"""The large inputs of a list as tables: the same values and the same files as plain mappings."""

from collections.abc import Mapping
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arpad.lists.canonical import REGISTER_HEAD, parse_register
from arpad.lists.input_files import input_files, read_inputs
from arpad.lists.input_tables import PeopleTable, RatingTable, StateTable
from arpad.lists.inputs import Guests, Inputs
from arpad.model.chess import PlayerState
from arpad.model.json_values import from_state
from arpad.model.people import Person
from arpad.model.rules import ListName
from arpad.regulations.fide.system import SYSTEM as FIDE

TAB = "\t"
SPECIAL = '\t\n\r\\ ="tnrs\x00\x0b\x0c\x1c\x85\u2028\u2029'
"""What separates fields, identifiers or lines, what escapes contain, and the line ends of Unicode."""

TEXT = st.text(st.characters(codec="utf-8") | st.sampled_from(SPECIAL), max_size=8)
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
        player: from_state(
            PlayerState(player, draw(st.none() | st.integers(1, 2900)), 1, draw(st.integers(0, 9)))
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
        StateTable.of(begun, FIDE), {"d": RatingTable.of(ratings)}, people=PeopleTable.of(register),
    )  # fmt: skip
    assert input_files(tables).contents == input_files(plain).contents
    assert dict(tables.states.items()) == dict(sorted(begun.items()))
    assert dict(tables.people.items()) == dict(sorted(register.items()))
    for player, person in register.items():
        assert tables.people[player] == person
    assert {**tables.lists["d"]} == ratings


DECISIONS = st.lists(st.dictionaries(TEXT, TEXT, max_size=2), max_size=2).map(tuple)
GUESTS = st.dictionaries(
    st.dates(), st.builds(Guests, st.dictionaries(st.integers(1, 99), st.integers(1, 3000)), TEXT), max_size=2
)


@given(people(), states(), RATINGS, DECISIONS, GUESTS)
def test_files_are_read_back_equal(
    register: dict[int, Person],
    begun: dict[int, str],
    ratings: dict[int, int],
    decisions: tuple[Mapping[str, str], ...],
    guests: dict[date, Guests],
) -> None:
    inputs = Inputs(
        ListName.STANDARD, date(2024, 4, 1), date(2024, 3, 1), 1, 1, "", "", "fide-2024-03", begun, {"d": ratings},
        people=register, decisions=decisions, guests=guests,
    )  # fmt: skip
    read, _ = read_inputs(input_files(inputs).contents)
    assert read == inputs


def test_a_player_is_a_line_of_the_register() -> None:
    """The form that docs/reference/office.md describes."""
    numbers = (("fide", "800101"), ("fsi", "A 1"))
    person = Person(
        7, "Rossi\tMario", "ITA", "M", date(1990, 5, 1), "GM", identifiers=numbers, died=date(2020, 1, 2)
    )
    head = (
        "id\tname\tfederation\tsex\tborn\ttitle\twomen-title\tother-titles\taffiliation\tidentifiers\tdied\n"
    )
    line = "7\tRossi\\tMario\tITA\tM\t1990-05-01\tGM\t\t\t\tfide=800101 fsi=A\\s1\t2020-01-02\n"
    assert PeopleTable.of({7: person}).lines() == (head + line).encode()
    assert parse_register(head + line) == {7: person}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param("", "not enough values", id="nothing"),
        pytest.param(REGISTER_HEAD[:-1], "not enough values", id="a head without an end"),
        pytest.param(REGISTER_HEAD.replace("born", "birth"), "birth", id="another column"),
        pytest.param(f"{REGISTER_HEAD}7\n", "not enough values", id="too few fields"),
        pytest.param(f"{REGISTER_HEAD}7{11 * TAB}\n", "too many values", id="too many fields"),
        pytest.param(f"{REGISTER_HEAD}7{10 * TAB}", "born", id="a line without an end"),
    ],
)
def test_a_malformed_register_is_refused(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        parse_register(text)


@given(states(), st.dictionaries(st.integers(1, 25), st.integers(26, 50), max_size=3))
def test_states_of_merged_players_are_joined(begun: dict[int, str], merged: dict[int, int]) -> None:
    joined = StateTable.of(begun, FIDE).merged(merged, FIDE)
    assert dict(joined.items()) == dict(sorted(FIDE.stored.merge(dict(begun), merged).items()))
