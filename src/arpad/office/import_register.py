"""Taking over a register: players without ratings, from a CSV file; doubts go to a person.

Whoever has a known number is that player; else the same name and the same year of birth are one person, and the same
name alone is for somebody to decide. A file that is sent again changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from hashlib import sha256
from pathlib import Path

from sqlalchemy import Connection

from arpad.model.errors import Unreadable
from arpad.model.json_values import from_birth
from arpad.model.people import Birth, Person, birth_year, births_agree
from arpad.office.import_list import says_more
from arpad.office.office import Office, record_act
from arpad.office.register import AFFILIATIONS, SCHEMES
from arpad.reports.formats.lists.register_csv import RegisterRow, read_register
from arpad.store import register
from arpad.store.merges import merge_targets
from arpad.store.name_index import spelled
from arpad.store.search import same_names
from arpad.system.batches import batches


@dataclass(frozen=True, slots=True)
class Doubt:
    """A row that was left out: a person has to say who it is."""

    line: int
    name: str
    candidates: str
    """Whom it may be; nobody where the file has told of him before."""

    held: str = ""
    """The number he has of a body, where the row gives him another of it."""

    given: str = ""


@dataclass(frozen=True, slots=True)
class Registered:
    """What a register file brought."""

    rows: int
    newcomers: int
    changed: int
    doubts: tuple[Doubt, ...]


def import_register(office: Office, path: Path, since: date, *, reason: str = "") -> Registered:
    """Enter the players of a file; what it says of known ones holds from a day on."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise Unreadable("file-not-opened", path=str(path), reason=error.strerror or str(error)) from error
    rows = list(read_register(data))
    for row in rows:
        wrong = [value for scheme, value in row.numbers if scheme == "fide" and not value.isdecimal()]
        if row.facts.get("affiliation", "") not in AFFILIATIONS:
            wrong.append(row.facts["affiliation"])
        if wrong:
            raise Unreadable("list-row-unreadable", line=row.line, column=1, text=wrong[0][:40])
    with record_act(office, "import-register", reason) as doing:
        newcomers, changed, doubts = 0, 0, []
        before = _Before()
        for batch in batches(rows):
            known, unclear = _known(doing.connection, batch, before)
            doubts += unclear
            left = {doubt.line for doubt in unclear}
            fresh = [row for row in batch if row.line not in known and row.line not in left]
            first = register.next_player(doing.connection)
            people = [
                Person(number, **row.facts, identifiers=row.numbers)
                for number, row in enumerate(fresh, first)
            ]
            register.add_people(doing.connection, people, doing.seq)
            newcomers += len(people)
            old = [(known[row.line], row) for row in batch if row.line in known]
            more, unclear = _update(doing.connection, old, since, doing.seq)
            changed += more
            doubts += unclear
        if newcomers or changed:
            doing.record(
                file=path.name, sha256=sha256(data).hexdigest(), since=str(since), rows=len(rows),
                newcomers=newcomers, changed=changed,
            )  # fmt: skip
    doubts.sort(key=lambda doubt: doubt.line)
    return Registered(len(rows), newcomers, changed, tuple(doubts))


@dataclass(frozen=True, slots=True)
class _Before:
    """The rows of a file that came before: nobody comes in twice."""

    numbers: set[tuple[str, str]] = field(default_factory=set)
    players: set[int] = field(default_factory=set)
    named: dict[str, list[RegisterRow]] = field(default_factory=dict)


def _known(
    connection: Connection, batch: Sequence[RegisterRow], before: _Before
) -> tuple[dict[int, int], list[Doubt]]:
    """Line → player, of those whom the register has; and the rows that may be several, or come twice."""
    numbers = {
        scheme: register.by_identifier(connection, scheme, _numbers(batch, scheme)) for scheme in SCHEMES
    }
    kept = merge_targets(connection)
    same = same_names(connection, {spelled(row.facts["name"]) for row in batch})
    known: dict[int, int] = {}
    doubts: list[Doubt] = []
    for row in batch:
        name = spelled(row.facts["name"])
        found = {numbers[scheme][value] for scheme, value in row.numbers if value in numbers[scheme]}
        numbered = {kept.get(player, player) for player in found}
        alike = [] if numbered else [p for p in same[name] if _perhaps(row, p.born, p.identifiers)]
        who = _certain(row, numbered, alike)
        others = before.named.setdefault(name, [])
        if who in before.players or not before.numbers.isdisjoint(row.numbers):
            doubts.append(Doubt(row.line, row.facts["name"], ""))
        elif who is not None:
            known[row.line] = who
            before.players.add(who)
        elif numbered or alike:
            people = alike or register.load_people(connection, numbered).values()
            doubts.append(Doubt(row.line, row.facts["name"], ", ".join(map(_shown, people))))
        elif any(_perhaps(row, other.facts.get("born"), other.numbers) for other in others):
            doubts.append(Doubt(row.line, row.facts["name"], ""))
        before.numbers.update(row.numbers)
        others.append(row)
    return known, doubts


def _numbers(batch: Iterable[RegisterRow], scheme: str) -> set[str]:
    return {value for row in batch for of, value in row.numbers if of == scheme}


def _certain(row: RegisterRow, numbered: set[int], alike: Sequence[Person]) -> int | None:
    """The one whom the register has for him: by a number, else by name and year of birth."""
    if len(numbered) == 1:
        return min(numbered)
    return alike[0].id if len(alike) == 1 and alike[0].born and row.facts.get("born") else None


def _perhaps(row: RegisterRow, born: Birth, numbers: Iterable[tuple[str, str]]) -> bool:
    """Whether somebody of the same name can be him: no birth and no number speaks against it."""
    held = dict(numbers)
    return births_agree(birth_year(row.facts.get("born")), birth_year(born)) and all(
        held.get(of, value) == value for of, value in row.numbers
    )


def _shown(person: Person) -> str:
    return f"{person.id} {person.name} ({person.federation or '?'}, {birth_year(person.born) or '?'})"


def _update(
    connection: Connection, old: Sequence[tuple[int, RegisterRow]], since: date, act: int
) -> tuple[int, list[Doubt]]:
    """Enter what a file says of known players and the register does not: facts since its day, and numbers.

    A body knows a player by one number: a row that gives him a second one is left out.
    """
    have = register.load_people(connection, [player for player, _ in old])
    held = _held(connection, have)
    facts: list[tuple[int, str, str, date]] = []
    numbers: list[tuple[str, str, int]] = []
    doubts: list[Doubt] = []
    for player, row in old:
        person = have[player]
        new = [pair for pair in row.numbers if pair not in held[player]]
        second = next(((pair, of) for of in sorted(held[player]) for pair in new if pair[0] == of[0]), None)
        if second is not None:
            given, other = map(" ".join, second)
            doubts.append(Doubt(row.line, row.facts["name"], _shown(person), other, given))
            continue
        news = _news(row.facts, person)
        if news.pop("died", ""):
            facts += register.death_facts(connection, player, row.facts["died"])
        facts += [(player, name, value, since) for name, value in news.items()]
        numbers += [(of, value, player) for of, value in new]
    register.add_facts(connection, facts, act)
    register.add_identifiers(connection, numbers, act)
    return len({player for player, *_ in facts} | {player for *_, player in numbers}), doubts


def _held(connection: Connection, have: Mapping[int, Person]) -> dict[int, set[tuple[str, str]]]:
    """The numbers of some players, with those of whoever was merged into them."""
    held = {player: set(person.identifiers) for player, person in have.items()}
    kept = merge_targets(connection)
    dropped = [player for player, end in kept.items() if end in have]
    for person in register.load_people(connection, dropped).values():
        held[kept[person.id]].update(person.identifiers)
    return held


def _news(facts: Mapping[str, object], person: Person) -> dict[str, str]:
    told = {
        name: str(value)
        for name, value in facts.items()
        if name != "born" and value and value != getattr(person, name)
    }
    born = facts.get("born")
    if isinstance(born, int | date) and says_more(born, person.born):
        told["born"] = from_birth(born)
    return told
