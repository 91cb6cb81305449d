"""Whether an entrant may be a player who was new in the same batch."""

from datetime import date
from random import Random

import pytest

from arpad.model.people import Birth, Person
from arpad.office.inbox.find_players import Newcomers
from arpad.reports.entrant_match import rank
from arpad.reports.name_scores import highest_score_with_other_letters, name_letters, name_score, name_words
from arpad.reports.report import Entrant

FAMILIES = (
    "Bergmann",
    "Bergman",
    "Berg",
    "van Dam",
    "Vandam",
    "Maier",
    "Mayer",
    "Sokolin",
    "Anna",
    "Guest12",
)
GIVEN = ("Anna", "A.", "Anne", "Marek", "Mareka", "M", "Anna Maria", "Maria", "Leonid M.", "")
BIRTHS: tuple[Birth, ...] = (
    None,
    1966,
    1956,
    1967,
    1978,
    date(1966, 4, 17),
    date(1966, 5, 1),
    date(1956, 4, 17),
)


def _name(chance: Random) -> str:
    return ", ".join(filter(None, (chance.choice(FAMILIES), chance.choice(GIVEN))))


def _people(chance: Random, count: int) -> list[Person]:
    return [
        Person(
            number, _name(chance), chance.choice(("ITA", "FRA", "")), chance.choice(("M", "F", "")),
            chance.choice(BIRTHS), title=chance.choice(("", "FM", "GM")),
        )
        for number in range(1, count + 1)
    ]  # fmt: skip


def _entrant(chance: Random, name: str) -> Entrant:
    return Entrant(
        1, name, chance.choice((None, 1900)), chance.choice(("m", "w", "")), chance.choice(("", "FM", "WGM")),
        chance.choice(("ITA", "FRA", "GER", "")), chance.choice(("", "77")), chance.choice(BIRTHS),
    )  # fmt: skip


@pytest.mark.parametrize("seed", range(4))
def test_likely_newcomers_lead_to_what_all_newcomers_lead_to(seed: int) -> None:
    chance = Random(seed)  # noqa: S311  made-up data
    answers = set[bool]()
    for _ in range(300):
        people = _people(chance, 5)
        entrant = _entrant(chance, chance.choice((_name(chance), people[-1].name)))
        newcomers = Newcomers()
        for person in people:
            newcomers.add([person], act=person.id)
            for last_act in range(0, person.id, 2):
                near = newcomers.names.all_near(entrant.name, range(last_act, person.id))
                compared = [(newcomers.people[people[row].id], score) for row, score in near.items()]
                may_be = bool(rank(entrant, (), compared))
                assert newcomers.concern([(entrant, ())], "", last_act) == may_be
                answers.add(may_be)
    assert answers == {False, True}


def test_names_with_other_letters_are_less_alike_than_the_same() -> None:
    chance = Random(0)  # noqa: S311  made-up data
    for _ in range(20_000):
        name, other = (
            " ".join(
                "".join(chance.choices("abc", k=chance.choice((1, 2, 5, 12))))
                for _ in range(chance.randint(1, 3))
            )
            for _ in range(2)
        )
        other = chance.choice(
            (other, f"{name} {other}", f"{name[0]} {name}", name[:-1], name + "d", name.replace("a", "d"))
        )
        if name_letters(name) != name_letters(other) and name_words(other):
            assert name_score(name_words(name), name_words(other)) <= highest_score_with_other_letters(name)


def test_an_initial_in_a_long_name_costs_nothing() -> None:
    family = "wolfeschlegelsteinhausenbergerdorff"
    assert name_score(("anna", family), ("a", family)) == 100
    assert highest_score_with_other_letters(f"Anna {family}") == 100
    assert highest_score_with_other_letters("Anna Berg") == 99
