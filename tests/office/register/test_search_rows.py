"""Search finds what a look at every player would find."""

from collections.abc import Iterator
from datetime import date
from itertools import product

import pytest
from anyascii import anyascii
from hypothesis import given
from hypothesis import strategies as st

from arpad.model import names
from arpad.model.names import transliterated
from arpad.model.people import Person
from arpad.office.register.name_rows import search_words, sound, written
from arpad.office.register.rows import load_people
from arpad.office.register.search_rows import search
from tests.builders.office_fixtures import new_database
from tests.builders.offices import Clock, Desk, listed
from tests.builders.verbs import find_players, merge, unmerge

SURNAMES = (
    "Rossi",
    "Rossini",
    "De Rossi",
    "Müller",
    "Mueller",
    "Kortschnoi",
    "Tchaikovsky",
    "Ng",
    "Ngo",
    "Каспаров",
)
FIRST = ("Anna", "Annabella", "Ann", "Mario", "Mariø", "Zeta", "Jörg")
JANUARY = date(2018, 1, 1)


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def register(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """Every surname with every first name; nobody changes it."""
    folder = tmp_path_factory.mktemp("search")
    place = str(folder / "office.db")
    if request.param == "postgres":
        place = new_database(request.getfixturevalue("postgres_server"))
    desk = Desk.made(place, folder, Clock())
    rows = [
        listed(number, 2000, name=f"{surname}, {first}")
        for number, (surname, first) in enumerate(product(SURNAMES, FIRST))
    ]
    desk.list(JANUARY, *rows)
    yield desk
    desk.office.close()


def everybody(desk: Desk) -> list[Person]:
    with desk.office.store.reading() as connection:
        return list(load_people(connection, range(1, len(SURNAMES) * len(FIRST) + 1)).values())


def fits(name: str, asked: str) -> bool:
    """Every word asked begins a word of the name, or sounds as if it did."""
    words = [written(word) for word in names.fold(anyascii(asked))]
    have = search_words(name)
    forms = (words, ["~" + sound(word) for word in words])
    return any(words and all(any(h.startswith(w) for h in have) for w in form) for form in forms)


FRAGMENTS = st.sampled_from(
    sorted({word[:length] for word in (*SURNAMES, *FIRST) for length in (1, 2, 4, 9)})
)


@given(asked=st.lists(FRAGMENTS, min_size=1, max_size=3).map(" ".join))
def test_a_search_finds_exactly_the_players_who_fit(register: Desk, asked: str) -> None:
    with register.office.store.reading() as connection:
        found = {person.id for person in search(connection, asked, 100)}

    assert found == {person.id for person in everybody(register) if fits(person.name, asked)}


def test_exact_words_come_before_longer_ones_up_to_the_limit(register: Desk) -> None:
    with register.office.store.reading() as connection:
        found = [person.name for person in search(connection, "ross", 100)]
        few = [person.name for person in search(connection, "rossi", 3)]
        alone = [person.name for person in search(connection, "zeta ngo", 3)]

    rossi = [name for name in found if "Rossini" not in name]
    assert found[: len(rossi)] == rossi
    assert len(rossi) == 14
    assert len(few) == 3
    assert alone == ["Ngo, Zeta"], "the common word does not hide the rare one"


def test_every_word_narrows_a_search(register: Desk) -> None:
    with register.office.store.reading() as connection:
        assert [p.name for p in search(connection, "r ro ros ross rossi rossin rossini z ze zet", 9)] == [
            "Rossini, Zeta"
        ]
        assert search(connection, "r ro ros ross rossi rossin rossini q", 9) == []


def test_a_merged_player_is_found_under_the_number_that_stays(desk: Desk) -> None:
    desk.list(JANUARY, *(listed(number, 2000, name=f"Verdi, {'ABCDE'[number]}") for number in range(5)))
    merge(desk.office, 2, 1, reason="the same", confirmed=True)
    merge(desk.office, 3, 2, reason="the same again", confirmed=True)

    assert [person.id for person in find_players(desk.office, "verdi a")] == [3]
    assert sorted(person.id for person in find_players(desk.office, "verdi")) == [3, 4, 5]
    unmerge(desk.office, 2, reason="not at all")
    assert [person.id for person in find_players(desk.office, "verdi a")] == [2]


@given(st.text(max_size=8))
def test_a_text_is_transliterated_letter_by_letter(text: str) -> None:
    assert transliterated(text) == anyascii(text)
