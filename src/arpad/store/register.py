"""Players, the numbers other bodies know them by, and the words by which they are found."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import date
from functools import lru_cache
from typing import Any
from weakref import WeakKeyDictionary

from anyascii import anyascii
from sqlalchemy import Connection, Select, exists, func, insert, or_, select

from arpad.model import names
from arpad.model.json_values import from_birth, to_birth
from arpad.model.people import Person
from arpad.store.bulk import add_rows, fetch_rows, in_values, texts_in_pairs
from arpad.store.schema import (
    identifier_changes,
    identifiers,
    merges,
    name_keys,
    player_facts,
    players,
    unmerges,
)
from arpad.system.batches import batches

MOST_CANDIDATES = 20_000


CHANGEABLE = tuple(item.name for item in fields(Person) if item.name not in ("id", "identifiers"))
COLUMNS = tuple(name for name in CHANGEABLE if name != "died")
"""The facts that stand in a player's own row; a death is known from a later fact alone."""


def next_id(connection: Connection, table: Any) -> int:
    """The next number of a table whose rows are counted from one."""
    return (connection.execute(select(func.max(table.c.id))).scalar() or 0) + 1


# ----------------------------------------------------------------------------------------------------- adding


def add_people(connection: Connection, people: Sequence[Person], act: int) -> None:
    """Enter new players, their numbers and the words of their names."""
    if not people:
        return
    rows = [
        (
            p.id, p.name, p.federation, p.sex, from_birth(p.born), p.title, p.women_title, p.other_titles,
            p.affiliation, act,
        )
        for p in people
    ]  # fmt: skip
    add_rows(connection, players, ("id", *COLUMNS, "act"), rows)
    add_identifiers(
        connection, [(scheme, number, p.id) for p in people for scheme, number in p.identifiers], act
    )
    add_words(connection, [(person.name, person.id) for person in people])
    add_facts(connection, [(p.id, "died", str(p.died), p.died) for p in people if p.died], act)


def add_identifiers(connection: Connection, found: Sequence[tuple[str, str, int]], act: int) -> None:
    """Enter numbers of other bodies; one that was taken from somebody may go to another."""
    if not found:
        return
    again = {(scheme, value) for scheme, value, _ in _changes(connection)}
    new = [(scheme, value, who, act) for scheme, value, who in found if (scheme, value) not in again]
    add_rows(connection, identifiers, ("scheme", "value", "player", "act"), new)
    for scheme, value, who in found if again else ():
        if (scheme, value) in again:
            change_identifier(connection, scheme, value, who, act)


def change_identifier(connection: Connection, scheme: str, value: str, player: int | None, act: int) -> None:
    """From now on a number is another player's, or nobody's."""
    row = {"id": next_id(connection, identifier_changes), "scheme": scheme, "value": value, "player": player}
    connection.execute(insert(identifier_changes), {**row, "act": act})


def _changes(connection: Connection) -> dict[tuple[str, str, int], int | None]:
    """Numbers that changed hands, by scheme, number and act, the latest last: whose they became."""
    return {(row.scheme, row.value, row.act): row.player for row in _read_once(connection, _ALL_CHANGES)}


_ALL_CHANGES = select(identifier_changes).order_by(identifier_changes.c.id)
_READ: WeakKeyDictionary[Connection, dict[Select[Any], list[Any]]] = WeakKeyDictionary()


def _read_once(connection: Connection, query: Select[Any]) -> list[Any]:
    """The rows of a query; whoever reads sees one moment of the database, so they are read once in it."""
    if not connection.get_execution_options().get("arpad_reading"):
        return list(connection.execute(query))
    read = _READ.setdefault(connection, {})
    if query not in read:
        read[query] = list(connection.execute(query))
    return read[query]


def add_words(connection: Connection, named: Iterable[tuple[str, int]]) -> None:
    """Make players findable by a name; a word that is there already stays."""
    rows = [(word, player) for name, player in named for word in search_words(name)]
    if rows:
        mark = "?" if connection.dialect.name == "sqlite" else "%s"
        statement = f"INSERT INTO name_keys (word, player) VALUES ({mark}, {mark}) ON CONFLICT DO NOTHING"  # noqa: S608  our own table
        connection.exec_driver_sql(statement, rows)


def add_facts(connection: Connection, found: Sequence[tuple[int, str, str, date]], act: int) -> None:
    """Enter changes: player, field, value, the day since which it holds."""
    first = next_id(connection, player_facts)
    rows = [
        {"id": number, "player": player, "field": field, "value": value, "since": str(since), "act": act}
        for number, (player, field, value, since) in enumerate(found, start=first)
    ]
    if rows:
        connection.execute(insert(player_facts), rows)
        add_words(connection, [(value, player) for player, field, value, _ in found if field == "name"])


# ---------------------------------------------------------------------------------------------------- reading


def people(
    connection: Connection, ids: Iterable[int], *, on: date | None = None, known_at: int | None = None
) -> dict[int, Person]:
    """Players by number, with the facts that held on a day and were known when an act was done."""
    found: dict[int, Person] = {}
    for batch in batches(ids):
        some: dict[int, dict[str, Any]] = {}
        for data in connection.execute(select(players).where(players.c.id.in_(batch))).mappings():
            some[data["id"]] = dict(data)
        known = _KnownAt(known_at, {player: filled.pop("act") for player, filled in some.items()})
        for row in connection.execute(_facts(batch, on)):
            if known.has(row.player, row.act):
                some[row.player][row.field] = row.value
        numbers = _numbers(connection, batch, known)
        for player, filled in some.items():
            held = tuple(sorted(numbers.get(player, ())))
            died = filled.get("died")
            filled |= {"born": to_birth(filled["born"]), "died": date.fromisoformat(died) if died else None}
            found[player] = Person(**(filled | {"identifiers": held}))
    return found


def _numbers(
    connection: Connection, batch: Sequence[int], known: _KnownAt
) -> dict[int, set[tuple[str, str]]]:
    """The numbers of other bodies that some players have."""
    numbers: dict[int, set[tuple[str, str]]] = {}
    for row in connection.execute(select(identifiers).where(identifiers.c.player.in_(batch))):
        if known.has(row.player, row.act):
            numbers.setdefault(row.player, set()).add((row.scheme, row.value))
    for (scheme, value, act), holder in _changes(connection).items():
        for player, held in numbers.items():
            if known.has(player, act):
                held.discard((scheme, value))
        if holder is not None and holder in known.registered and known.has(holder, act):
            numbers.setdefault(holder, set()).add((scheme, value))
    return numbers


@dataclass(frozen=True, slots=True)
class _KnownAt:
    """What was known when an act was done; of a player who came later, everything."""

    act: int | None
    registered: Mapping[int, int]

    def has(self, player: int, act: int) -> bool:
        return self.act is None or act <= self.act or self.registered[player] > self.act


def _facts(batch: Sequence[int], on: date | None) -> Select[Any]:
    """The latest last, so that it wins."""
    columns = (player_facts.c.player, player_facts.c.field, player_facts.c.value, player_facts.c.act)
    query = select(*columns).where(player_facts.c.player.in_(batch))
    if on is not None:
        query = query.where(player_facts.c.since <= str(on))
    return query.order_by(player_facts.c.since, player_facts.c.id)


def facts_of(connection: Connection, player: int) -> list[Any]:
    """Every change of a player's facts, the latest first: field, value, since, act."""
    query = select(player_facts).where(player_facts.c.player == player)
    return list(connection.execute(query.order_by(player_facts.c.since.desc(), player_facts.c.id.desc())))


def death_facts(connection: Connection, player: int, died: date | None) -> list[tuple[int, str, str, date]]:
    """Return the facts that make a player dead from a day on, or alive again, whatever was said before.

    The latest day of a fact wins; so what was entered for another day is written over on that day.
    """
    days = {date.fromisoformat(fact.since) for fact in facts_of(connection, player) if fact.field == "died"}
    if died is not None:
        days.add(died)
    dead = {day: died is not None and died <= day for day in days}
    return [(player, "died", str(died) if dead[day] else "", day) for day in sorted(days)]


def by_identifier(connection: Connection, scheme: str, values: Iterable[str]) -> dict[str, int]:
    """Number of another body → player."""
    found: dict[str, int] = {}
    for batch in batches(values):
        query = select(identifiers.c.value, identifiers.c.player).where(
            identifiers.c.scheme == scheme, in_values(connection, identifiers.c.value, batch)
        )
        found.update(fetch_rows(connection, query))
    for (of, value, _), holder in _changes(connection).items() if found else ():
        if of == scheme and value in found:
            found[value] = holder or 0
    return {value: player for value, player in found.items() if player}


def titled(connection: Connection, known_at: int | None = None) -> set[int]:
    """Everybody who holds, or ever held, a player's title."""
    own = select(players.c.id).where(or_(players.c.title != "", players.c.women_title != ""))
    later = select(player_facts.c.player).where(player_facts.c.field.in_(("title", "women_title")))
    if known_at is not None:
        own, later = own.where(players.c.act <= known_at), later.where(player_facts.c.act <= known_at)
    return {row[0] for query in (own, later) for row in connection.execute(query)}


_ALL_MERGES = (
    select(merges.c.kept, merges.c.dropped, merges.c.act, unmerges.c.act.label("undone"))
    .join_from(merges, unmerges, unmerges.c.merge == merges.c.id, isouter=True)
    .order_by(merges.c.id)
)


def merged(connection: Connection, known_at: int | None = None) -> dict[int, int]:
    """Dropped player → the one kept, through all merges that stand."""
    direct: dict[int, int] = {}
    for row in _read_once(connection, _ALL_MERGES):
        late = known_at is not None and row.act > known_at
        undone = row.undone is not None and (known_at is None or row.undone <= known_at)
        if not late and not undone:
            direct[row.dropped] = row.kept
    return {dropped: _end(dropped, direct) for dropped in direct}


def kept_instead(connection: Connection, ids: Iterable[int]) -> dict[int, int]:
    """Of some players those who are merged into another, each with the one kept in the end."""
    direct: dict[int, int] = {}
    some = asked = set(ids)
    while asked:
        query = select(merges.c.dropped, merges.c.kept).where(merges.c.dropped.in_(asked))
        query = query.where(~exists().where(unmerges.c.merge == merges.c.id)).order_by(merges.c.id)
        found = {dropped: kept for dropped, kept in connection.execute(query) if dropped not in direct}
        direct |= found
        asked = set(found.values())
    return {player: _end(player, direct) for player in direct if player in some}


def _end(player: int, direct: Mapping[int, int]) -> int:
    """Return the player kept in the end; a circle, which only a damaged table has, ends where it began."""
    seen: set[int] = set()
    while player in direct and player not in seen:
        seen.add(player)
        player = direct[player]
    return player


# -------------------------------------------------------------------------------------------------- searching


def search_words(name: str) -> set[str]:
    """The words of a name as they are searched: umlauts written out or not, and once more by their sound."""
    return {form for word in names.fold(anyascii(name)) for form in _forms(word)}


@lru_cache(maxsize=65_536)
def _forms(word: str) -> tuple[str, str]:
    plain = written(word)
    return plain, "~" + sound(plain)


def written(word: str) -> str:
    """A word without the e that stands for an umlaut."""
    return re.sub(r"(?<=[aou])e", "", word)


_SOUNDS = (
    ("tsch", "k"), ("tch", "k"), ("sch", "s"), ("sh", "s"), ("zh", "s"), ("ch", "k"), ("kh", "h"), ("ck", "k"),
    ("ph", "f"), ("th", "t"), ("tz", "s"), ("ts", "s"), ("cz", "s"), ("z", "s"), ("c", "k"), ("q", "k"),
    ("x", "ks"), ("w", "f"), ("v", "f"), ("y", "i"), ("j", "i"),
)  # fmt: skip


def sound(word: str) -> str:
    """A word as it sounds in whatever alphabet it went through: Kortschnoi, Korchnoi, Korčnoj."""
    for written, heard in _SOUNDS:
        word = word.replace(written, heard)
    return re.sub(r"(.)\1+", r"\1", word)


def same_name(connection: Connection, name: str) -> list[Person]:
    """Players whose name is spelled so, in any order of its words."""
    return same_names(connection, [spelled(name)])[spelled(name)]


def spelled(name: str) -> str:
    """The key of a name in whatever alphabet: two that are equal are spelled the same."""
    return names.key(name if name.isascii() else anyascii(name))


def same_names(connection: Connection, keys: Collection[str]) -> dict[str, list[Person]]:
    """For each key of a name the players who are spelled so, by number; who was merged is the one kept."""
    longest = {tuple(sorted(key.split(), key=len, reverse=True)[:2]) for key in keys if key}
    candidates = _named_by_two(connection, [(words[0], words[1]) for words in longest if len(words) > 1])
    for word in (words[0] for words in longest if len(words) == 1):
        query = select(name_keys.c.player).where(name_keys.c.word == word).limit(MOST_CANDIDATES)
        candidates.update(connection.execute(query).scalars())
    found: dict[str, set[int]] = {key: set() for key in keys}
    for player, name in _names(connection, candidates).items():
        if (key := spelled(name)) in found:
            found[key].add(player)
    some = {player for same in found.values() for player in same}
    kept = kept_instead(connection, some) if some else {}
    standing = {key: {kept.get(player, player) for player in same} for key, same in found.items()}
    known = people(connection, {player for same in standing.values() for player in same})
    return {key: [known[player] for player in sorted(same)] for key, same in standing.items()}


def _named_by_two(connection: Connection, pairs: Sequence[tuple[str, str]]) -> set[int]:
    """Players whose names have both words of a pair.

    The second word is looked up for each who has the first: a given name alone has thousands.
    """
    if not pairs:
        return set()
    asked, second = texts_in_pairs(connection, pairs), name_keys.alias()
    query = select(name_keys.c.player).join(asked, name_keys.c.word == asked.c.one)
    has_both = exists().where(second.c.word == asked.c.other, second.c.player == name_keys.c.player)
    return {player for (player,) in fetch_rows(connection, query.where(has_both))}


def _names(connection: Connection, ids: Iterable[int]) -> dict[int, str]:
    """What some players are called now."""
    found: dict[int, str] = {}
    for batch in batches(ids):
        query = select(players.c.id, players.c.name).where(players.c.id.in_(batch))
        found.update((player, name) for player, name in connection.execute(query))
        found.update(
            (row.player, row.value) for row in connection.execute(_facts(batch, None)) if row.field == "name"
        )
    return found
