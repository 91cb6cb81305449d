"""Everybody of a list at once: the register's facts as plain rows, a ``Person`` only where one is asked for.

The same facts as ``register.people`` gives, for half a million players in a second or two.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from json.encoder import encode_basestring
from typing import Any

from sqlalchemy import Connection, select

from arpad.store.bulk import ASKED, asked, fetched
from arpad.store.register import Person
from arpad.store.schema import identifier_changes, identifiers, player_facts, players, standings
from arpad.store.values import from_birth, to_birth

FIELDS = ("name", "federation", "sex", "title", "women_title", "other_titles", "born", "affiliation")
NAME, FEDERATION, SEX, TITLE, WOMEN_TITLE, OTHER_TITLES, BORN, AFFILIATION, NUMBERS = range(9)
"""Where each fact stands in a row; the last are the numbers of other bodies, by scheme."""

SHOWN = slice(NAME, BORN)
"""What a published line says of a person, in its order."""

Row = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class People(Mapping[int, Person]):
    """Players by number."""

    rows: Mapping[int, Row]

    @classmethod
    def of(cls, people: Mapping[int, Person]) -> People:
        """Any players as rows."""
        if isinstance(people, cls):
            return people
        return cls(
            {
                number: (
                    it.name, it.federation, it.sex, it.title, it.women_title, it.other_titles, from_birth(it.born),
                    it.affiliation, it.identifiers,
                )
                for number, it in people.items()
            }
        )  # fmt: skip

    def __getitem__(self, player: int) -> Person:
        name, federation, sex, title, women_title, other, born, affiliation, numbers = self.rows[player]
        return Person(
            player, name, federation, sex, to_birth(born), title, women_title, other, affiliation, numbers
        )

    def __contains__(self, player: object) -> bool:
        return player in self.rows

    def __iter__(self) -> Iterator[int]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def documents(self) -> Iterator[str]:
        """Each as canonical JSON, by number."""
        quoted = encode_basestring
        around: dict[Row, tuple[str, str]] = {}
        for player in sorted(self.rows):
            row = self.rows[player]
            facts = row[FEDERATION:NUMBERS]
            if facts not in around:
                around[facts] = _around(facts)
            before, after = around[facts]
            known = ",".join([f"[{quoted(scheme)},{quoted(number)}]" for scheme, number in row[NUMBERS]])
            yield f'{before}{player},"identifiers":[{known}],"name":{quoted(row[NAME])}{after}'


def _around(facts: Row) -> tuple[str, str]:
    """What stands before and after a player's own number and name; thousands of players have it in common."""
    federation, sex, title, women_title, other, born, affiliation = map(encode_basestring, facts)
    return (
        f'{{"affiliation":{affiliation},"born":{born},"federation":{federation},"id":',
        f',"other_titles":{other},"sex":{sex},"title":{title},"women_title":{women_title}}}',
    )


def everybody(
    connection: Connection,
    publication: int | None,
    others: Iterable[int],
    *,
    on: date,
    known_at: int | None,
) -> People:
    """The players of a list, and some others, with the facts that held on a day and were known at an act."""
    columns = [players.c.id, *(players.c[name] for name in FIELDS), players.c.act]
    found: list[Row] = []
    if publication is not None:
        listed = select(*columns).join_from(standings, players, players.c.id == standings.c.player)
        listed = listed.where(standings.c.publication == publication)
        found += fetched(connection, listed.order_by(standings.c.player))
    have = {row[0] for row in found}
    missing = {player for player in others if player not in have}
    for some in asked(missing):
        found += fetched(connection, select(*columns).where(players.c.id.in_(some)))
    if missing:
        found.sort()
    registered = {row[0]: row[-1] for row in found}
    numbers = _numbers(connection, registered, publication, missing, known_at)
    nobody: tuple[tuple[str, str], ...] = ()
    rows = {row[0]: (*row[1:-1], numbers.get(row[0], nobody)) for row in found}
    _change(connection, rows, registered, on, known_at)
    return People(rows)


def _change(
    connection: Connection,
    rows: dict[int, Row],
    registered: Mapping[int, int],
    on: date,
    known_at: int | None,
) -> None:
    """What changed since somebody was registered; the latest wins."""
    place = {name: at for at, name in enumerate(FIELDS)}
    columns = (player_facts.c.player, player_facts.c.field, player_facts.c.value, player_facts.c.act)
    query = select(*columns).where(player_facts.c.since <= str(on))
    if len(rows) <= ASKED:
        query = query.where(player_facts.c.player.in_(list(rows)))
    query = query.order_by(player_facts.c.since, player_facts.c.id)
    for player, name, value, act in fetched(connection, query):
        row = rows.get(player)
        if row is not None and _known(act, registered[player], known_at):
            rows[player] = (*row[: place[name]], value, *row[place[name] + 1 :])


def _known(act: int, registered: int, known_at: int | None) -> bool:
    """Whether something was known when an act was done; of a player who came later, everything."""
    return known_at is None or act <= known_at or registered > known_at


def _numbers(
    connection: Connection,
    registered: Mapping[int, int],
    publication: int | None,
    missing: Iterable[int],
    known_at: int | None,
) -> dict[int, tuple[tuple[str, str], ...]]:
    columns = (identifiers.c.player, identifiers.c.scheme, identifiers.c.value, identifiers.c.act)
    query = select(*columns)
    held: list[Row] = []
    if publication is not None:
        listed = query.join_from(standings, identifiers, identifiers.c.player == standings.c.player)
        held += fetched(connection, listed.where(standings.c.publication == publication))
    for some in asked(missing):
        held += fetched(connection, query.where(identifiers.c.player.in_(some)))
    numbers: dict[int, tuple[tuple[str, str], ...]] = {}
    for player, scheme, value, act in held:
        if known_at is None or _known(act, registered[player], known_at):
            pair = ((scheme, value),)
            numbers[player] = tuple(sorted(numbers[player] + pair)) if player in numbers else pair
    _hand_over(connection, registered, numbers, known_at)
    return numbers


def _hand_over(
    connection: Connection,
    registered: Mapping[int, int],
    numbers: dict[int, tuple[tuple[str, str], ...]],
    known_at: int | None,
) -> None:
    """Numbers that were taken from a player, or given to another, since they were entered."""
    changed = fetched(connection, select(identifier_changes).order_by(identifier_changes.c.id))
    if not changed:
        return
    holders: dict[tuple[str, str], set[int]] = {}
    for player, pairs in numbers.items():
        for pair in pairs:
            holders.setdefault(pair, set()).add(player)
    for _, scheme, value, holder, act in changed:
        pair = (scheme, value)
        for player in [p for p in holders.get(pair, ()) if _known(act, registered[p], known_at)]:
            numbers[player] = tuple(it for it in numbers[player] if it != pair)
            holders[pair].discard(player)
        if holder is not None and holder in registered and _known(act, registered[holder], known_at):
            numbers[holder] = tuple(sorted({*numbers.get(holder, ()), pair}))
            holders.setdefault(pair, set()).add(holder)
