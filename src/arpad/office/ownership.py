"""Which players a list is about: all, or those whom the office owns, on a day.

An office states it for each of its chess lists (the settings ``owned_standard`` and so on). A player whom it does not
own is a guest: an opponent with the rating of the reference list, not rated and not on the list.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date

import polars as pl
from sqlalchemy import Connection

from arpad.lists.input_tables import PeopleTable
from arpad.model.disciplines import discipline_of
from arpad.model.people import Person
from arpad.model.rules import ListName
from arpad.store.register import load_people
from arpad.store.settings import read_setting

ALL, HOME = "all", "home"


@dataclass(frozen=True, slots=True)
class Ownership:
    """The rule of a list as known at an act."""

    rule: str
    home: str
    """The federation of the office."""

    as_of_act: int | None


def ownership(connection: Connection, on_list: ListName, as_of_act: int | None = None) -> Ownership | None:
    """Return which players a list owns; None if it is about all."""
    if discipline_of(on_list).by_season:
        return None
    rule = read_setting(connection, f"owned_{on_list}", as_of_act) or ALL
    if rule == ALL:
        return None
    return Ownership(rule, read_setting(connection, "federation", as_of_act), as_of_act)


def owned_on(connection: Connection, owner: Ownership, players: Iterable[int], day: date) -> set[int]:
    """Return those of some players whom the office owns on a day."""
    people = load_people(connection, players, on=day, as_of_act=owner.as_of_act)
    return set(people) - RULES[owner.rule](owner, people)


def not_owned(owner: Ownership | None, people: Mapping[int, Person]) -> frozenset[int]:
    """Return those of some people, as known on a day, whom the office does not own."""
    return frozenset() if owner is None else frozenset(RULES[owner.rule](owner, people))


def _of_other_federations(owner: Ownership, people: Mapping[int, Person]) -> set[int]:
    if isinstance(people, PeopleTable):
        return set(people.frame.filter(pl.col("federation") != owner.home)["player"])
    return {number for number, person in people.items() if person.federation != owner.home}


def _nobody(_: Ownership, __: Mapping[int, Person]) -> set[int]:
    return set()


RULES: Mapping[str, Callable[[Ownership, Mapping[int, Person]], set[int]]] = {
    ALL: _nobody,
    HOME: _of_other_federations,
}
"""Each rule by name: which of some people are not owned. A rule by membership is one more entry."""
