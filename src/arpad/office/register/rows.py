"""Players, their facts, and their identifiers: the numbers that other bodies gave them."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import date
from typing import Any, NamedTuple

from sqlalchemy import Connection, bindparam, func, or_, select

from arpad.model.json_values import from_birth, to_birth
from arpad.model.people import Person
from arpad.office.register.name_rows import add_words, names_of
from arpad.office.register.tables import identifier_changes, identifiers, player_facts, players
from arpad.store.bulk import (
    add_numbered,
    add_numbered_rows,
    add_rows,
    fetch_rows,
    next_id,
    read_once,
    rows_with,
)

Identifiers = tuple[tuple[str, str], ...]
"""A player's numbers with other bodies: ``(("fide", "800101"),)``, ordered by scheme."""


class SharedFacts(NamedTuple):
    """Facts that thousands of players share: one value for all of them."""

    federation: str
    sex: str
    title: str
    women_title: str
    other_titles: str
    born: str
    affiliation: str
    died: str = ""


PersonRow = tuple[str, SharedFacts, Identifiers]


@dataclass(frozen=True, slots=True)
class People(Mapping[int, Person]):
    """Players by number."""

    rows: Mapping[int, PersonRow]

    def __getitem__(self, player: int) -> Person:
        name, facts, numbers = self.rows[player]
        federation, sex, title, women_title, other_titles, born, affiliation, died = facts
        return Person(
            player, name, federation, sex, to_birth(born), title, women_title, other_titles, affiliation, numbers,
            date.fromisoformat(died) if died else None,
        )  # fmt: skip

    def __contains__(self, player: object) -> bool:
        return player in self.rows

    def __iter__(self) -> Iterator[int]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)


CHANGEABLE = tuple(item.name for item in fields(Person) if item.name not in ("id", "identifiers"))
COLUMNS = tuple(name for name in CHANGEABLE if name != "died")
"""The facts in a player's own row; a death is always a later fact."""

CLUB = "club"
"""The fact that ``store.clubs`` reads: no list is computed from it."""

OF_PEOPLE = player_facts.c.field != CLUB
"""Whether a fact is one of those that lists are computed from."""


# ----------------------------------------------------------------------------------------------------- adding


def next_player(connection: Connection) -> int:
    """Return the number of the next new player."""
    return next_id(connection, players)


def add_people(connection: Connection, people: Sequence[tuple[Person, int]]) -> None:
    """Add new players, each with the act that registers them, their identifiers and the words of their names."""
    rows = [
        (
            p.id, p.name, p.federation, p.sex, from_birth(p.born), p.title, p.women_title, p.other_titles,
            p.affiliation, act,
        )
        for p, act in people
    ]  # fmt: skip
    add_rows(connection, players, ("id", *COLUMNS, "act"), rows)
    add_identifiers(connection, [(*number, p.id, act) for p, act in people for number in p.identifiers])
    add_words(connection, [(person.id, person.name) for person, _ in people])
    deaths = [(p.id, "died", str(p.died), str(p.died), act) for p, act in people if p.died]
    add_numbered_rows(connection, player_facts, _FACT, deaths)


_FACT = ("player", "field", "value", "since", "act")


def add_identifiers(connection: Connection, new: Sequence[tuple[str, str, int, int]]) -> None:
    """Add identifiers: scheme, value, player, act; one that was removed from a player can be given to another."""
    if not new:
        return
    changed = {(scheme, value) for scheme, value, _, _ in changes_of_identifiers(connection)}
    rows = [row for row in new if row[:2] not in changed]
    add_rows(connection, identifiers, ("scheme", "value", "player", "act"), rows)
    for row in new if changed else ():
        if row[:2] in changed:
            change_identifier(connection, *row)


def change_identifier(connection: Connection, scheme: str, value: str, player: int | None, act: int) -> None:
    """Give an identifier to another player, or to none."""
    row = {"scheme": scheme, "value": value, "player": player, "act": act}
    add_numbered(connection, identifier_changes, row)


def changes_of_identifiers(connection: Connection) -> list[tuple[str, str, int, int | None]]:
    """Return the identifiers that changed hands, the latest last: scheme, value, act, new holder."""
    return [(row.scheme, row.value, row.act, row.player) for row in read_once(connection, _ALL_CHANGES)]


_ALL_CHANGES = select(identifier_changes).order_by(identifier_changes.c.id)


def add_facts(connection: Connection, changes: Sequence[tuple[int, str, str, date]], act: int) -> None:
    """Add changes of facts: player, field, value, first day."""
    rows = [(player, field, value, str(since), act) for player, field, value, since in changes]
    if rows:
        add_numbered_rows(connection, player_facts, _FACT, rows)
        add_words(connection, [(player, value) for player, field, value, _ in changes if field == "name"])


# ---------------------------------------------------------------------------------------------------- reading


def clubs_of(
    connection: Connection, numbers: Iterable[int], as_of_act: int | None = None
) -> Iterator[tuple[int, date, str]]:
    """Yield player, first day and club of each membership, as known at an act; the club is empty after the last."""
    for player, since, club, act in rows_with(connection, _CLUBS, player_facts.c.player, numbers):
        if as_of_act is None or act <= as_of_act:
            yield player, date.fromisoformat(since), club


_CLUBS = (
    select(player_facts.c.player, player_facts.c.since, player_facts.c.value, player_facts.c.act)
    .where(player_facts.c.field == CLUB)
    .order_by(player_facts.c.since, player_facts.c.id)
)


def load_people(
    connection: Connection,
    numbers: Iterable[int],
    *,
    on: date | None = None,
    as_of_act: int | None = None,
    without_schemes: Collection[str] = (),
) -> People:
    """Return the players with these numbers, in order, without their numbers of some schemes.

    Their facts are those of a day, by default the latest ones, as known at an act.
    """
    wanted = sorted(set(numbers))
    stored = list(rows_with(connection, _PEOPLE, players.c.id, wanted))
    visible = _KnownAt(as_of_act, {row[0]: row[2] for row in stored} if as_of_act is not None else {})
    rows = _people_rows(stored, visible)
    _apply_identifier_changes(connection, rows, visible)
    _apply_facts(connection, rows, on, visible)
    for player, (name, facts, numbers_of) in rows.items() if without_schemes else ():
        rows[player] = (name, facts, tuple(pair for pair in numbers_of if pair[0] not in without_schemes))
    return People(dict(sorted(rows.items())))


@dataclass(frozen=True, slots=True)
class _KnownAt:
    """What was known at an act; of a player who was registered later, everything."""

    act: int | None
    registered: Mapping[int, int]

    def includes(self, player: int, act: int) -> bool:
        return self.act is None or act <= self.act or self.registered[player] > self.act


_PEOPLE = select(
    players.c.id, players.c.name, players.c.act, identifiers.c.scheme, identifiers.c.value, identifiers.c.act,
    *(players.c[name] for name in SharedFacts._fields if name in players.c),
).outerjoin(identifiers, identifiers.c.player == players.c.id)  # fmt: skip
"""Number, name and act of registering of players; an identifier and its act; the shared facts."""


def _people_rows(stored: Iterable[Any], visible: _KnownAt) -> dict[int, PersonRow]:
    """Return each player once, with all identifiers."""
    shared: dict[tuple[str, ...], SharedFacts] = {}
    rows: dict[int, PersonRow] = {}
    none: Identifiers = ()
    for player, name, _, scheme, value, act, *of_player in stored:
        facts = shared.setdefault(tuple(of_player), SharedFacts(*of_player))
        numbers = none
        if scheme is not None and (visible.act is None or visible.includes(player, act)):
            numbers = ((scheme, value),)
        if player in rows:
            numbers = tuple(sorted(rows[player][2] + numbers))
        rows[player] = (name, facts, numbers)
    return rows


def _apply_facts(
    connection: Connection, rows: dict[int, PersonRow], on: date | None, visible: _KnownAt
) -> None:
    """Apply the changes since each player was registered, the latest last."""
    last_day = str(on or date.max)
    for player, field, value, act, since in rows_with(connection, _FACTS, player_facts.c.player, [*rows]):
        if since <= last_day and visible.includes(player, act):
            name, facts, numbers = rows[player]
            if field == "name":
                rows[player] = (value, facts, numbers)
            else:
                rows[player] = (name, facts._replace(**{field: value}), numbers)


_FACTS = (
    select(*(player_facts.c[name] for name in ("player", "field", "value", "act", "since")))
    .where(OF_PEOPLE)
    .order_by(player_facts.c.since, player_facts.c.id)
)


def _apply_identifier_changes(connection: Connection, rows: dict[int, PersonRow], visible: _KnownAt) -> None:
    """Move the identifiers that were taken from a player, or given to another, since they were entered."""
    changes = changes_of_identifiers(connection)
    if not changes:
        return
    holders: dict[tuple[str, str], set[int]] = {}
    for player, (_, _, numbers) in rows.items():
        for pair in numbers:
            holders.setdefault(pair, set()).add(player)
    for scheme, value, act, holder in changes:
        pair = (scheme, value)
        for player in [p for p in holders.get(pair, ()) if visible.includes(p, act)]:
            name, facts, numbers = rows[player]
            rows[player] = (name, facts, tuple(it for it in numbers if it != pair))
            holders[pair].discard(player)
        if holder is not None and holder in rows and visible.includes(holder, act):
            name, facts, numbers = rows[holder]
            rows[holder] = (name, facts, tuple(sorted({*numbers, pair})))
            holders.setdefault(pair, set()).add(holder)


def load_names(connection: Connection, numbers: Iterable[int]) -> dict[int, str]:
    """Return the present names of some players."""
    return dict(names_of(connection, list(numbers)))


def facts_of(connection: Connection, player: int) -> list[Any]:
    """Return every change of a player's facts, the latest first: field, value, since, act."""
    query = select(player_facts).where(player_facts.c.player == player)
    return list(connection.execute(query.order_by(player_facts.c.since.desc(), player_facts.c.id.desc())))


def death_facts(connection: Connection, player: int, died: date | None) -> list[tuple[int, str, str, date]]:
    """Return the facts that make a player dead from a day on, or alive again, overriding earlier facts.

    The fact with the latest day wins; so a death that was added for another day is overridden on that day.
    """
    days = {date.fromisoformat(fact.since) for fact in facts_of(connection, player) if fact.field == "died"}
    if died is not None:
        days.add(died)
    dead = {day: died is not None and died <= day for day in days}
    return [(player, "died", str(died) if dead[day] else "", day) for day in sorted(days)]


def by_identifier(connection: Connection, scheme: str, values: Iterable[str]) -> dict[str, int]:
    """Return the players with some identifiers of a body: identifier → player."""
    entered = dict(rows_with(connection, _ENTERED, identifiers.c.value, values, scheme=scheme))
    return _holders(connection, scheme, entered)


def holders_of(connection: Connection, numbers: Iterable[tuple[str, str]]) -> dict[tuple[str, str], int]:
    """Return the players who have some numbers: scheme and identifier → player."""
    by_scheme: dict[str, set[str]] = {}
    for scheme, value in numbers:
        by_scheme.setdefault(scheme, set()).add(value)
    return {
        (scheme, value): player
        for scheme, values in by_scheme.items()
        for value, player in by_identifier(connection, scheme, values).items()
    }


_ENTERED = select(identifiers.c.value, identifiers.c.player).where(
    identifiers.c.scheme == bindparam("scheme")
)


def holders_of_most_common(connection: Connection) -> set[int]:
    """Return the players who have a number of the scheme that most players have."""
    count = func.count().label("players")
    query = select(identifiers.c.scheme, count).group_by(identifiers.c.scheme).order_by(count.desc())
    row = connection.execute(query.limit(1)).first()
    if row is None:
        return set()
    return {*_holders_in(connection, row.scheme).values()}


def numbers_in_scheme(connection: Connection, scheme: str) -> dict[int, int]:
    """Return the number that a body gave to each player; a text that is no number is left out."""
    holders = _holders_in(connection, scheme)
    return {player: int(value) for value, player in holders.items() if value.isdecimal()}


def _holders_in(connection: Connection, scheme: str) -> dict[str, int]:
    """Return the players with all identifiers of a body: identifier → player."""
    return _holders(connection, scheme, dict(fetch_rows(connection, _ENTERED, {"scheme": scheme})))


def _holders(connection: Connection, scheme: str, entered: dict[str, int]) -> dict[str, int]:
    """Return who has some identifiers now, from the players with whom they were entered."""
    present = entered | _present_holders(connection, scheme, entered)
    return {value: player for value, player in present.items() if player}


def identified_players(
    connection: Connection, scheme: str, values: Iterable[str]
) -> dict[str, tuple[int, str, str, str]]:
    """Return the players with some identifiers of a body, as registered: identifier → id, name, birth, affiliation.

    ``changed_players`` names those of whom a fact changed since.
    """
    rows = rows_with(connection, _IDENTIFIED, identifiers.c.value, values, scheme=scheme)
    identified: dict[str, tuple[int, str, str, str]] = {row[0]: row[1:] for row in rows}
    for value, holder in _present_holders(connection, scheme, identified).items():
        del identified[value]
        if holder is not None:
            query = select(*_AS_REGISTERED).where(players.c.id == holder)
            (identified[value],) = fetch_rows(connection, query)
    return identified


_AS_REGISTERED = (players.c.id, players.c.name, players.c.born, players.c.affiliation)
_IDENTIFIED = (
    select(identifiers.c.value, *_AS_REGISTERED)
    .join_from(identifiers, players, players.c.id == identifiers.c.player)
    .where(identifiers.c.scheme == bindparam("scheme"))
)


def changed_players(connection: Connection, numbers: Iterable[int]) -> set[int]:
    """Return those of some players of whom a fact changed since they were registered."""
    if not read_once(connection, _ANY_CHANGED):
        return set()
    return {player for (player,) in rows_with(connection, _CHANGED, player_facts.c.player, numbers)}


_CHANGED = select(player_facts.c.player).where(OF_PEOPLE)
_ANY_CHANGED = _CHANGED.limit(1)


def _present_holders(connection: Connection, scheme: str, values: Collection[str]) -> dict[str, int | None]:
    """Return the players, or None, who have those of some identifiers that changed hands."""
    changes = changes_of_identifiers(connection) if values else ()
    return {value: holder for of, value, _, holder in changes if of == scheme and value in values}


def titled_players(connection: Connection, as_of_act: int | None = None) -> set[int]:
    """Return all players who have, or ever had, a player's title."""
    registered = fetch_rows(connection, _REGISTERED_TITLED)
    first = {player for player, act in registered if as_of_act is None or act <= as_of_act}
    return first | titled_later(connection, as_of_act)


_REGISTERED_TITLED = select(players.c.id, players.c.act).where(
    or_(players.c.title != "", players.c.women_title != "")
)


def titled_later(connection: Connection, as_of_act: int | None = None) -> set[int]:
    """Return the players whose title was changed after they were registered."""
    later = fetch_rows(connection, _TITLES)
    return {player for player, act in later if as_of_act is None or act <= as_of_act}


_TITLES = select(player_facts.c.player, player_facts.c.act).where(
    player_facts.c.field.in_(("title", "women_title"))
)
