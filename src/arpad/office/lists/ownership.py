"""Which players a list is about: all, or those whom the office owns, on a day.

An office states it for each of its chess lists (the settings ``owned_standard`` and so on). A player whom it does not
own is a guest: an opponent with the rating of the reference list, not rated and not on the list. With the rule ``home``
a guest is known to be of another federation; somebody whose federation is unknown is owned.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from datetime import date

import polars as pl
from sqlalchemy import Connection

from arpad.lists.cuts import OWNED
from arpad.lists.input_tables import PeopleTable
from arpad.lists.published_table import ListTable
from arpad.model.federations import ALL, FEDERATIONS, HOME, MEMBERS, is_foreign
from arpad.model.people import Person
from arpad.model.rules import ListName
from arpad.office.lists.rows import Publication
from arpad.office.parts import members_on
from arpad.office.register.rows import changed_players, load_people
from arpad.regulations.systems import system_of
from arpad.store.settings import read_setting


@dataclass(frozen=True, slots=True)
class Ownership:
    """The rule of a list as known at an act."""

    rule: str
    home: str
    as_of_act: int | None


def ownership(connection: Connection, on_list: ListName, as_of_act: int | None = None) -> Ownership | None:
    """Return which players a list owns; None if it is about all."""
    if system_of(on_list).rates_again:
        return None
    rule = read_setting(connection, f"owned_{on_list}", as_of_act) or ALL
    if rule == ALL:
        return None
    return Ownership(rule, read_setting(connection, "federation", as_of_act), as_of_act)


def owned_by_day(
    connection: Connection, owner: Ownership, players_of: Mapping[date, Collection[int]]
) -> dict[date, set[int]]:
    """Return those of the players of each day whom the office owns on that day.

    Members are asked for day by day; the federation of most players never changes, and is asked for once.
    """
    if owner.rule != HOME:
        return {day: set(players) & members_on(connection, day).keys() for day, players in players_of.items()}
    everybody = set().union(*players_of.values())
    moved = changed_players(connection, everybody)

    def owned(players: Collection[int], day: date) -> set[int]:
        people = load_people(connection, players, on=day, as_of_act=owner.as_of_act)
        return set(people) - not_owned(connection, owner, people, day)

    stayed = owned(everybody - moved, date.max)
    return {
        day: stayed.intersection(players) | owned(moved.intersection(players), day)
        for day, players in players_of.items()
    }


def not_owned(
    connection: Connection, owner: Ownership | None, people: Mapping[int, Person], day: date
) -> frozenset[int]:
    """Return those of some people, as known on a day, whom the office does not own; nobody without a rule."""
    if owner is None:
        return frozenset()
    if owner.rule == MEMBERS:
        return frozenset(set(people) - members_on(connection, day).keys())
    if isinstance(people, PeopleTable):
        return frozenset(people.frame.filter(foreign_players(owner.home))["player"])
    return frozenset(number for number, person in people.items() if is_foreign(person.federation, owner.home))


def with_owned(connection: Connection, publication: Publication, table: ListTable) -> ListTable:
    """Return a list with a column of the players whom the office owns, if the list has others too."""
    owner = ownership(connection, publication.list)
    if owner is None:
        return table
    if owner.rule == HOME:  # by the federation that the list shows
        others = set(table.frame.filter(foreign_players(owner.home))["player"])
    else:
        others = set(table.frame["player"]) - members_on(connection, publication.day).keys()
    owned = ~table.frame["player"].is_in(sorted(others))
    return table if owned.all() else replace(table, frame=table.frame.with_columns(owned.alias(OWNED)))


def owns_newcomer(owner: Ownership, federation: str) -> bool:
    """Return whether the office would own somebody of a federation who is not in the register yet."""
    return owner.rule == HOME and not is_foreign(federation, owner.home)


def foreign_players(home: str) -> pl.Expr:
    """Return the condition that a row with a federation is of another federation than the office's own."""
    return pl.col("federation").is_in(sorted(FEDERATIONS - {home}))
