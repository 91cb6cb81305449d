"""Read a draughts list, a CSV of capitals, into register and list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path

from sqlalchemy import Connection

from arpad.lists.canonical import canonical_lines
from arpad.lists.published import ListedPlayer, PublishedList, StoredPlayer
from arpad.lists.table import table_of
from arpad.model.draughts import Category, DraughtsState
from arpad.model.errors import BadInput
from arpad.model.federations import known_federation
from arpad.model.json_values import from_birth, from_capital
from arpad.model.names import stored_form
from arpad.model.people import Person
from arpad.model.rules import ListName
from arpad.office.editions.acts import edition_on
from arpad.office.office import ActContext
from arpad.office.register import rows as register
from arpad.office.register.scheme_rows import ImportedRows, Progress
from arpad.office.register.search_rows import same_name
from arpad.regulations.rubele.categories import base_capital
from arpad.regulations.rubele.system import SYSTEM as RUBELE
from arpad.reports.formats.lists import draughts_list_csv as capital_lists
from arpad.reports.formats.lists.draughts_list_csv import ListedCapital
from arpad.store.settings import read_setting

SCHEMES = ("fid", "fmjd", "fsi", "fide")
"""The bodies whose numbers identify a player of a list, the federation of draughts first."""


def import_draughts_rows(
    act: ActContext, path: Path, on_list: ListName, day: date, progress: Progress, last_event: date | None
) -> ImportedRows:
    """Store all players of a list in the register and on the list."""
    connection = act.connection
    edition = edition_on(connection, on_list, day)
    rules = edition.on(on_list)
    rows = capital_lists.read_rows(
        path.read_bytes(), {base_capital(category, rules): category for category in Category}
    )
    home = read_setting(connection, "federation")
    unknown = {
        row.federation for row in rows if row.federation and not known_federation(row.federation, home)
    }
    rows = tuple(
        replace(
            row,
            federation=known_federation(row.federation, home),
            standing=replace(row.standing, name=stored_form(row.standing.name)),
        )
        for row in rows
    )
    standings = _dated([row.standing for row in rows], day, last_event)
    first_new = register.next_player(connection)
    numbers = _numbers(connection, rows, first_new)
    newcomers = [
        _person(row, player) for row, player in zip(rows, numbers, strict=True) if player >= first_new
    ]
    register.add_people(connection, [(person, act.seq) for person in newcomers])
    old = [(player, row) for row, player in zip(rows, numbers, strict=True) if player < first_new]
    changed = _update(connection, old, day, act.seq)
    shown = {player: _shown(row, player) for row, player in zip(rows, numbers, strict=True)}
    lines = canonical_lines(PublishedList(on_list, day, 1, edition.id, rows=tuple(shown.values())))
    states = {
        player: from_capital(replace(standing, id=str(player)))
        for standing, player in zip(standings, numbers, strict=True)
    }
    table = table_of((StoredPlayer(p, shown[p].rating, states[p], lines[p]) for p in states), RUBELE)
    progress(len(rows))
    undated = sum(not standing.history_known for standing in standings)
    return ImportedRows(
        table, edition.id, len(rows), len(newcomers), changed, undated, tuple(sorted(unknown))
    )


def _numbers(connection: Connection, rows: Sequence[ListedCapital], first_new: int) -> list[int]:
    """Return the register's number of each row: of the player known by number or name, or a new one."""
    holders = _by_identifiers(connection, rows)
    numbers: dict[int, None] = {}  # in order; a list would be searched again for each row
    next_new = first_new
    for row in rows:
        name = row.standing.name
        player = holders.get(row.identifiers) if row.identifiers else _only_namesake(connection, name)
        if player is None:
            player, next_new = next_new, next_new + 1
        if player in numbers:
            raise BadInput("player-listed-twice", player=name)
        numbers[player] = None
    return list(numbers)


def _dated(standings: Sequence[DraughtsState], day: date, last_event: date | None) -> list[DraughtsState]:
    """Return the standings, with the stated last event if the list has none."""
    if last_event is None:
        return list(standings)
    if last_event > day:
        raise BadInput("last-event-late", day=last_event, list_day=day)
    if all(standing.history_known for standing in standings):
        raise BadInput("last-event-listed")
    return [
        standing if standing.history_known else replace(standing, last_event=last_event, history_known=True)
        for standing in standings
    ]


def _by_identifiers(
    connection: Connection, rows: Sequence[ListedCapital]
) -> dict[tuple[tuple[str, str], ...], int]:
    """Return the players that the register has under one of their identifiers: identifiers → player."""
    holders_by_number: dict[tuple[str, str], int] = {}
    for scheme in SCHEMES:
        numbers = {number for row in rows for name, number in row.identifiers if name == scheme}
        holders = register.by_identifier(connection, scheme, numbers) if numbers else {}
        holders_by_number |= {(scheme, number): player for number, player in holders.items()}
    players: dict[tuple[tuple[str, str], ...], int] = {}
    for row in rows:
        values = dict(row.identifiers)
        matches = [
            holders_by_number[s, values[s]]
            for s in SCHEMES
            if s in values and (s, values[s]) in holders_by_number
        ]
        if matches:
            players[row.identifiers] = matches[0]
    return players


def _person(row: ListedCapital, player: int) -> Person:
    numbers = tuple((scheme, number) for scheme, number in row.identifiers if scheme in SCHEMES)
    return Person(player, row.standing.name, row.federation, row.sex, row.born, identifiers=numbers)


def _shown(row: ListedCapital, player: int) -> ListedPlayer:
    """Return the row of the list as it is stored."""
    standing = row.standing
    return ListedPlayer(
        player,
        standing.name,
        row.federation,
        row.sex,
        str(standing.title or ""),
        category=standing.category,
        rating=standing.capital,
        games=row.games,
        born=row.born,
        identifiers=row.identifiers,
    )


def _update(connection: Connection, old: Sequence[tuple[int, ListedCapital]], day: date, act: int) -> int:
    """Add federation, sex, birth and identifiers that the register lacks."""
    people = register.load_people(connection, [player for player, _ in old])
    facts: list[tuple[int, str, str, date]] = []
    numbers: list[tuple[str, str, int, int]] = []
    for player, row in old:
        person, listed = people[player], _person(row, player)
        facts += [
            (player, name, getattr(listed, name), day)
            for name in ("federation", "sex")
            if getattr(listed, name) and not getattr(person, name)
        ]
        if listed.born and not person.born:
            facts.append((player, "born", from_birth(listed.born), day))
        numbers += [
            (scheme, number, player, act)
            for scheme, number in listed.identifiers
            if not person.identifier(scheme) and not register.by_identifier(connection, scheme, [number])
        ]
    register.add_facts(connection, facts, act)
    register.add_identifiers(connection, numbers)
    return len({player for player, *_ in facts} | {player for _, _, player, _ in numbers})


def _only_namesake(connection: Connection, name: str) -> int | None:
    same = same_name(connection, name)
    return same[0].id if len(same) == 1 else None
