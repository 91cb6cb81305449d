"""The outcome for an entrant: certain only by number or alias, doubtful by name, else new."""

from dataclasses import replace
from datetime import date

import pytest

from arpad.model.people import Birth
from arpad.reports.entrant_match import (
    EntrantNumbers,
    Outcome,
    Registered,
    is_compatible,
    match_entrant,
    rank,
)
from arpad.reports.name_scores import name_score, name_words
from arpad.reports.report import Entrant

SHORT = Registered(7, "Short, Nigel D.", "ENG", "M", date(1965, 6, 1), "GM", 2702, (("fide", "400025"),))
OTHER = Registered(8, "Adams, Michael", "ENG", "M", date(1971, 11, 17), "GM", 2731, (("fide", "400041"),))
ENTRANT = Entrant(1, "Short, Nigel", 2658, "m", "GM", "ENG", "", None)


def near(*people: Registered, name: str = ENTRANT.name) -> list[tuple[Registered, int]]:
    return [(person, name_score(name_words(name), name_words(person.name))) for person in people]


def test_a_near_name_without_a_number_is_a_doubt_and_never_silently_new() -> None:
    matched = match_entrant(ENTRANT, EntrantNumbers(), near(SHORT, OTHER))

    assert (matched.outcome, matched.player) == (Outcome.DOUBTFUL, None)
    assert [item.player for item in matched.candidates] == [7]
    assert matched.candidates[0].reasons == ("near-name", "same-federation", "same-title", "near-rating")


def test_the_same_name_and_birth_alone_are_a_doubt() -> None:
    entrant = replace(ENTRANT, name="Short, Nigel D.", born=date(1965, 6, 1))

    assert match_entrant(entrant, EntrantNumbers(), near(SHORT)).outcome == Outcome.DOUBTFUL


def test_nobody_near_is_new() -> None:
    assert match_entrant(ENTRANT, EntrantNumbers(), near(OTHER)) == (Outcome.NEW, None, ())


@pytest.mark.parametrize(
    ("name", "born", "certain"),
    [
        ("Short, Nigel", None, True),
        ("Short, N", 1965, True),
        ("Short Nigel", date(1965, 6, 10), True),
        ("Short, Nigel", 1956, False),
        ("Adams, Michael", None, False),
        ("Short, Norman", None, False),
    ],
)
def test_a_number_is_certain_only_with_a_compatible_name_and_birth(
    name: str, born: Birth, certain: bool
) -> None:
    entrant = replace(ENTRANT, name=name, born=born, id="400025")
    matched = match_entrant(entrant, EntrantNumbers((("fide", "400025"),), (SHORT,)), near(OTHER, name=name))

    assert (matched.outcome == Outcome.CERTAIN) is certain
    if not certain:
        assert matched.candidates[0].player == 7, "the holder of the number comes first"
        assert matched.candidates[0].reasons[0] == "number"


def test_a_misspelt_word_does_not_part_a_number_from_its_holder() -> None:
    rivero = Registered(3, "Argandona Rivero, Inigo", born=1981)

    assert is_compatible(Entrant(1, "Argandona Riveiro Inigo", born=1981), rivero)
    assert not is_compatible(Entrant(1, "Argandona Riveiro Aritz", born=1981), rivero)
    assert not is_compatible(Entrant(1, "Rossi, Maria"), Registered(1, "Rossi, Mario"))


def test_another_number_of_the_same_scheme_is_another_person_unless_name_and_birth_are_the_same() -> None:
    numbered = replace(ENTRANT, id="999")
    known = EntrantNumbers((("fide", "999"),))

    assert match_entrant(numbered, known, near(SHORT)).outcome == Outcome.NEW
    same = replace(numbered, name="Short, Nigel D.", born=1965)
    assert match_entrant(same, known, near(SHORT, name=same.name)).outcome == Outcome.DOUBTFUL


def test_an_alias_is_certain() -> None:
    nick = replace(ENTRANT, name="Shorty")

    assert match_entrant(nick, EntrantNumbers(), [], [SHORT]) == (Outcome.CERTAIN, 7, ())


@pytest.mark.parametrize(
    ("changes", "known"), [({"born": 1990}, ()), ({"sex": "w"}, ()), ({"id": "5"}, (("fide", "5"),))]
)
def test_an_alias_that_birth_sex_or_number_contradict_is_a_doubt(
    changes: dict[str, object], known: tuple[tuple[str, str], ...]
) -> None:
    entrant = replace(ENTRANT, name="Shorty", **changes)  # type: ignore[arg-type]
    matched = match_entrant(entrant, EntrantNumbers(known), [], [SHORT])

    assert matched.outcome == Outcome.DOUBTFUL
    assert matched.candidates[0].reasons[0] == "alias"


def test_an_alias_does_not_choose_between_two_players_of_the_very_name() -> None:
    namesakes = [Registered(number, "Murphy, John", "IRL") for number in (1, 2)]
    entrant = Entrant(1, "Murphy, John", federation="IRL")

    matched = match_entrant(entrant, EntrantNumbers(), near(*namesakes, name=entrant.name), namesakes[:1])

    assert matched.outcome == Outcome.DOUBTFUL
    assert [item.player for item in matched.candidates] == [1, 2]


def test_births_federations_and_ratings_order_namesakes() -> None:
    people = [
        Registered(1, "Murphy, John", "IRL", born=1950, rating=1200),
        Registered(2, "Murphy, John", "ENG", born=1985, rating=1900),
        Registered(3, "Murphy, John", "IRL", born=1985, rating=1950),
    ]
    entrant = Entrant(1, "Murphy, John", 1960, federation="IRL", born=1985)

    assert [item.player for item in rank(entrant, (), near(*people, name=entrant.name))] == [3, 2]


def test_another_sex_is_said() -> None:
    maria = Registered(1, "Rossi, Maria", sex="F")
    (candidate,) = rank(Entrant(1, "Rossi, Maria", sex="m"), (), near(maria, name="Rossi, Maria"))

    assert "other-sex" in candidate.reasons
