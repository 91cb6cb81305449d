"""Import a register: players without ratings, from a CSV file.

A row with a known identifier is that player; otherwise the same name and the same year of birth are one person, and the
same name alone is left for an officer to decide. A file that is imported again changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import TYPE_CHECKING

from sqlalchemy import Connection

from arpad.model.errors import Unreadable
from arpad.model.federations import known_federation
from arpad.model.json_values import from_birth
from arpad.model.names import spelled, stored_form
from arpad.model.people import Birth, Person, birth_year, births_agree
from arpad.office.office import ActContext
from arpad.office.register import rows as register
from arpad.office.register.number_rows import is_new_birth, merge_targets
from arpad.office.register.search_rows import same_names
from arpad.store.settings import read_setting
from arpad.system.batches import batches

if TYPE_CHECKING:
    from arpad.reports.formats.lists.list_csv import RegisterRow

AFFILIATIONS = ("", "IBCA", "ICSC", "IPCA")
"""The bodies of disabled players."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """A row that was left out: an officer must say who it is."""

    line: int
    name: str
    candidates: str
    """Players of the register who it may be; empty if the player may be in the file before."""

    held: str = ""
    """The player's registered number, if the row gives a different one for the same body."""

    given: str = ""


@dataclass(frozen=True, slots=True)
class ImportedRegister:
    """The result of an import."""

    rows: int
    newcomers: int
    changed: int
    doubts: tuple[Doubt, ...]


def enter_register(act: ActContext, data: bytes, since: date) -> ImportedRegister:
    """Add the players of a file; new facts about known players are valid from a day on."""
    from arpad.reports.formats.lists.list_csv import read_register

    rows = [
        replace(row, facts={**row.facts, "name": stored_form(row.facts["name"])})
        for row in read_register(data)
    ]
    _refuse(rows, read_setting(act.connection, "federation"))
    newcomers, changed, doubts = 0, 0, []
    earlier = _EarlierRows()
    for batch in batches(rows):
        players, unclear = _match(act.connection, batch, earlier)
        doubts += unclear
        skipped = {doubt.line for doubt in unclear}
        fresh = [row for row in batch if row.line not in players and row.line not in skipped]
        first = register.next_player(act.connection)
        people = [
            (Person(number, **row.facts, identifiers=row.numbers), act.seq)
            for number, row in enumerate(fresh, first)
        ]
        register.add_people(act.connection, people)
        newcomers += len(people)
        old = [(players[row.line], row) for row in batch if row.line in players]
        count, unclear = _update(act.connection, old, since, act.seq)
        changed += count
        doubts += unclear
    doubts.sort(key=lambda doubt: doubt.line)
    return ImportedRegister(len(rows), newcomers, changed, tuple(doubts))


def _refuse(rows: Iterable[RegisterRow], home: str) -> None:
    """Refuse rows with values that no register should have; ``home`` is the office's own federation."""
    for row in rows:
        if (code := row.facts.get("federation", "")) and not known_federation(code, home):
            raise Unreadable("row-federation", line=row.line, given=code[:40])
        wrong = [value for scheme, value in row.numbers if scheme == "fide" and not value.isdecimal()]
        if row.facts.get("affiliation", "") not in AFFILIATIONS:
            wrong.append(row.facts["affiliation"])
        if wrong:
            raise Unreadable("list-row-unreadable", line=row.line, column=1, text=wrong[0][:40])


@dataclass(frozen=True, slots=True)
class _EarlierRows:
    """The earlier rows of a file, so that no player is added twice."""

    numbers: set[tuple[str, str]] = field(default_factory=set)
    players: set[int] = field(default_factory=set)
    by_name: dict[str, list[RegisterRow]] = field(default_factory=dict)


def _match(
    connection: Connection, batch: Sequence[RegisterRow], earlier: _EarlierRows
) -> tuple[dict[int, int], list[Doubt]]:
    """Return line → player for the rows of known players, and the rows that are ambiguous or come twice."""
    holders = register.holders_of(connection, [pair for row in batch for pair in row.numbers])
    targets = merge_targets(connection)
    same = same_names(connection, {spelled(row.facts["name"]) for row in batch})
    players: dict[int, int] = {}
    doubts: list[Doubt] = []
    for row in batch:
        name = spelled(row.facts["name"])
        of_row = {holders[pair] for pair in row.numbers if pair in holders}
        numbered = {targets.get(player, player) for player in of_row}
        namesakes = [] if numbered else [p for p in same[name] if _may_be(row, p.born, p.identifiers)]
        player = _certain_match(row, numbered, namesakes)
        others = earlier.by_name.setdefault(name, [])
        if player in earlier.players or not earlier.numbers.isdisjoint(row.numbers):
            doubts.append(Doubt(row.line, row.facts["name"], ""))
        elif player is not None:
            players[row.line] = player
            earlier.players.add(player)
        elif numbered or namesakes:
            people = namesakes or register.load_people(connection, numbered).values()
            doubts.append(Doubt(row.line, row.facts["name"], ", ".join(map(_shown, people))))
        elif any(_may_be(row, other.facts.get("born"), other.numbers) for other in others):
            doubts.append(Doubt(row.line, row.facts["name"], ""))
        earlier.numbers.update(row.numbers)
        others.append(row)
    return players, doubts


def _certain_match(row: RegisterRow, numbered: set[int], namesakes: Sequence[Person]) -> int | None:
    """Return the only player with a number of the row, otherwise the only one with its name and year of birth."""
    if len(numbered) == 1:
        return min(numbered)
    certain = len(namesakes) == 1 and namesakes[0].born and row.facts.get("born")
    return namesakes[0].id if certain else None


def _may_be(row: RegisterRow, born: Birth, numbers: Iterable[tuple[str, str]]) -> bool:
    """Return whether a namesake may be the same person: births and numbers do not contradict."""
    registered = dict(numbers)
    return births_agree(birth_year(row.facts.get("born")), birth_year(born)) and all(
        registered.get(of, value) == value for of, value in row.numbers
    )


def _shown(person: Person) -> str:
    return f"{person.id} {person.name} ({person.federation or '?'}, {birth_year(person.born) or '?'})"


def _update(
    connection: Connection, old: Sequence[tuple[int, RegisterRow]], since: date, act: int
) -> tuple[int, list[Doubt]]:
    """Add what a file says of known players and the register does not: facts since a day, and numbers.

    A player has one number per body: a row that gives a second one is left out.
    """
    people = register.load_people(connection, [player for player, _ in old])
    registered_numbers = _registered_numbers(connection, people)
    facts: list[tuple[int, str, str, date]] = []
    numbers: list[tuple[str, str, int, int]] = []
    doubts: list[Doubt] = []
    for player, row in old:
        person, held = people[player], registered_numbers[player]
        new = [pair for pair in row.numbers if pair not in held]
        if second := [(own, pair) for own in sorted(held) for pair in new if pair[0] == own[0]]:
            registered, stated = map(" ".join, second[0])
            doubts.append(Doubt(row.line, row.facts["name"], _shown(person), registered, stated))
            continue
        news = {
            name: str(value)
            for name, value in row.facts.items()
            if name != "born" and value and value != getattr(person, name)
        }
        born = row.facts.get("born")
        if isinstance(born, int | date) and is_new_birth(born, person.born):
            news["born"] = from_birth(born)
        if news.pop("died", ""):
            facts += register.death_facts(connection, player, row.facts["died"])
        facts += [(player, name, value, since) for name, value in news.items()]
        numbers += [(scheme, value, player, act) for scheme, value in new]
    register.add_facts(connection, facts, act)
    register.add_identifiers(connection, numbers)
    return len({player for player, *_ in facts} | {player for _, _, player, _ in numbers}), doubts


def _registered_numbers(
    connection: Connection, people: Mapping[int, Person]
) -> dict[int, set[tuple[str, str]]]:
    """Return the numbers of some players, with those of the numbers merged into theirs."""
    numbers = {player: set(person.identifiers) for player, person in people.items()}
    targets = merge_targets(connection)
    dropped = [player for player, target in targets.items() if target in people]
    for person in register.load_people(connection, dropped).values():
        numbers[targets[person.id]].update(person.identifiers)
    return numbers
