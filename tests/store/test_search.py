"""Search and rankings: the same answer as looking at everybody, and the page of a list that a reader expects."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from itertools import product

import pytest
from anyascii import anyascii
from hypothesis import given, settings
from hypothesis import strategies as st

from arpad import office as verbs
from arpad.lists.published import ListedPlayer, PublishedList
from arpad.lists.rankings import CUTS, compute_rankings
from arpad.model import names
from arpad.model.people import Person
from arpad.model.rules import ListName
from arpad.store import rankings
from arpad.store.name_index import search_words, sound, written
from arpad.store.register import load_people
from arpad.store.search import search
from tests.builders.office_fixtures import new_database
from tests.builders.offices import Clock, Desk, listed

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


@settings(max_examples=60, deadline=None)
@given(asked=st.lists(FRAGMENTS, min_size=1, max_size=3).map(" ".join))
def test_whoever_fits_is_found_and_nobody_else(register: Desk, asked: str) -> None:
    with register.office.store.reading() as connection:
        found = {person.id for person in search(connection, asked, 100)}

    assert found == {person.id for person in everybody(register) if fits(person.name, asked)}


def test_the_very_word_comes_before_longer_ones_and_few_are_shown_where_few_are_asked_for(
    register: Desk,
) -> None:
    with register.office.store.reading() as connection:
        found = [person.name for person in search(connection, "ross", 100)]
        few = [person.name for person in search(connection, "rossi", 3)]
        alone = [person.name for person in search(connection, "zeta ngo", 3)]

    rossi = [name for name in found if "Rossini" not in name]
    assert found[: len(rossi)] == rossi
    assert len(rossi) == 14
    assert len(few) == 3
    assert alone == ["Ngo, Zeta"], "the common word does not hide the rare one"


def test_a_question_of_many_words_is_narrowed_by_each(register: Desk) -> None:
    with register.office.store.reading() as connection:
        assert [p.name for p in search(connection, "r ro ros ross rossi rossin rossini z ze zet", 9)] == [
            "Rossini, Zeta"
        ]
        assert search(connection, "r ro ros ross rossi rossin rossini q", 9) == []


def test_a_merged_player_is_found_under_the_number_that_stays(desk: Desk) -> None:
    desk.list(JANUARY, *(listed(number, 2000, name=f"Verdi, {'ABCDE'[number]}") for number in range(5)))
    verbs.merge(desk.office, 2, 1, "the same")
    verbs.merge(desk.office, 3, 2, "the same again")

    assert [person.id for person in verbs.find_players(desk.office, "verdi a")] == [3]
    assert sorted(person.id for person in verbs.find_players(desk.office, "verdi")) == [3, 4, 5]
    verbs.unmerge(desk.office, 2, "not at all")
    assert [person.id for person in verbs.find_players(desk.office, "verdi a")] == [2]


# ------------------------------------------------------------------------------------------------------- rankings


def test_equal_ratings_share_a_rank_across_pages_and_the_top_ends_with_them(desk: Desk) -> None:
    """150 players of 2000, then 100 of 1900; of the latter ten are inactive, and fifty are from France."""
    rows = [listed(number, 2000, name=f"A{999 - number}", sex="F") for number in range(150)]
    rows += [
        listed(
            number, 1900, name=f"B{number}", federation="FRA" if number < 200 else "ITA",
            flag="i" if number >= 240 else "", born=2005 if number % 2 else 1960,
        )
        for number in range(150, 250)
    ]  # fmt: skip
    desk.list(JANUARY, *rows)
    with desk.office.store.reading() as connection:
        totals = {cut: rankings.ranking_size(connection, 1, cut) for cut in (*CUTS, "federation-FRA", "none")}
        pages = [rankings.ranking_page(connection, 1, "all", page) for page in (1, 2, 3, 4)]
        top = rankings.ranking_page(connection, 1, "top", 2)
        federations = rankings.federations(connection, 1)

    assert totals == {
        "top": 150, "all": 250, "women": 150, "juniors": 45, "seniors": 45, "federation-FRA": 50, "none": None,
    }  # fmt: skip
    assert [(rank, len(players)) for rank, players in pages] == [(1, 100), (1, 100), (151, 50), (1, 0)]
    assert pages[0][1][:3] == [150, 149, 148], "A850 before A851: by name, where ratings are equal"
    assert pages[1][1][50:] == list(range(151, 201))
    assert (top[0], len(top[1])) == (1, 50)
    assert federations == [("FRA", 50), ("ITA", 200)]


@pytest.mark.parametrize(("leave", "shown"), [(True, 2), (False, 3)])
def test_the_inactive_leave_their_federations_ranking_where_the_edition_says_so(
    *, leave: bool, shown: int
) -> None:
    """2009 7.23b; the edition of 2017 has no such article, and the complete ranking shows them in any case."""
    rows = tuple(
        ListedPlayer(number, "A", "FRA", rating=2000, inactive=number == 1) for number in range(1, 4)
    )
    published = PublishedList(
        ListName.STANDARD, date(2010, 1, 1), 1, "fide-2009", rows, inactive_leave_federation=leave
    )
    totals = dict(compute_rankings(published).totals)
    assert [totals[cut] for cut in ("federation-FRA", "all", "top")] == [shown, 3, 2]
