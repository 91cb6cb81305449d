"""Read a chess list into register and list.

A million rows pass through in batches; the register gets all players, the list those with a rating. What the list does
not contain is read from its K if the K tells it (``lists.listed_k``, reading 6): with K 10 the player has reached 2400,
with the newcomers' K the first games are still to be played.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from datetime import date
from pathlib import Path

import polars as pl
from sqlalchemy import Connection

from arpad.lists.canonical import head_and_lines, is_canonical
from arpad.lists.listed_k import imported_standing
from arpad.lists.published import ListedPlayer, PublishedList
from arpad.lists.rating_lookup import read_list_rows
from arpad.lists.standings import EMPTY_STATE, StandingRow
from arpad.lists.table import table_of
from arpad.model.chess import Standing
from arpad.model.disciplines import CHESS
from arpad.model.errors import BadInput
from arpad.model.json_values import from_birth, from_standing
from arpad.model.people import Person, birth_year
from arpad.model.rules import ListName
from arpad.office.editions import edition_on
from arpad.office.imported_rows import ImportedRows, Progress, is_new_birth
from arpad.office.office import ActContext
from arpad.regulations.chess.rules import ChessRules
from arpad.reports.formats.lists.fide_list import ListRow
from arpad.store import register
from arpad.store.name_index import spelled
from arpad.system.batches import batches

_HEAD = 4096
"""Bytes at the beginning of a canonical text that contain its list and day."""

_HIGHEST = 1 << 31
"""All numbers of the register are lower."""


def import_chess_rows(
    act: ActContext, path: Path, on_list: ListName, day: date, progress: Progress
) -> ImportedRows:
    """Store all players of a list in the register and on the list."""
    connection = act.connection
    edition = edition_on(connection, on_list, day)
    rules = edition.on(on_list)
    _refuse_other_list(path, on_list, day)
    matcher = _Matcher(connection, register.next_player(connection))
    count, changed = 0, 0
    tables = [table_of((), CHESS)]
    for batch in batches(read_list_rows(path)):
        rows = [row for row, _ in batch]
        players, newcomers = matcher.match(rows)
        register.add_people(connection, newcomers, act.seq)
        fresh = {person.id for person in newcomers}
        old = [(player, row) for player, row in zip(players, rows, strict=True) if player not in fresh]
        changed += _update(connection, old, day, act.seq)
        tables.append(table_of(_chess_rows(batch, players, on_list, day, edition.id, rules), CHESS))
        count += len(batch)
        progress(count)
    return ImportedRows(pl.concat(tables).sort("player"), edition.id, count, matcher.newcomers, changed)


def _refuse_other_list(path: Path, on_list: ListName, day: date) -> None:
    """Refuse the canonical text of another list than the one that is named."""
    with path.open("rb") as stream:
        head = stream.read(_HEAD)
    if is_canonical(head):
        fields = dict(
            line.split("\t", 1) for line in head.decode("utf-8", "replace").split("\n") if "\t" in line
        )
        if (fields.get("list"), fields.get("date")) != (str(on_list), str(day)):
            raise BadInput(
                "list-of-another", list=str(on_list), day=day, found=fields.get("list", ""), of=fields.get("date", "")
            )  # fmt: skip


class _Matcher:
    """Matches rows to players: players known by a number, and newcomers."""

    def __init__(self, connection: Connection, first_new: int) -> None:
        self.connection = connection
        self.next_new = first_new
        self.newcomers = 0
        self._seen: set[tuple[str, str]] = set()

    def match(self, rows: Sequence[ListRow]) -> tuple[list[int], list[Person]]:
        """Return the player of each row, and the players who are new to the register."""
        values_by_scheme: dict[str, set[str]] = {}
        for row in rows:
            self._refuse_twice(row)
            for scheme, value in row.numbers:
                values_by_scheme.setdefault(scheme, set()).add(value)
        holders = {
            scheme: register.by_identifier(self.connection, scheme, values)
            for scheme, values in values_by_scheme.items()
        }
        numbered = register.load_people(
            self.connection, {row.number for row in rows if row.number is not None and row.number < _HIGHEST}
        )
        matched: list[int] = []
        fresh: dict[int, Person] = {}
        for row in rows:
            player = next((holders[s][value] for s, value in row.numbers if value in holders[s]), None)
            if player is None and row.number is not None and row.number in numbered:
                player = row.number if _same_person(row, numbered[row.number]) else None
            if player is None:
                player = self._number_for(row, numbered, fresh)
                fresh[player] = _person(row, player)
            matched.append(player)
        self.newcomers += len(fresh)
        return matched, list(fresh.values())

    def _refuse_twice(self, row: ListRow) -> None:
        keys = set(row.numbers) or {("", str(row.id))}
        if row.number is not None:
            keys.add(("", str(row.number)))
        if keys & self._seen:
            raise BadInput("player-listed-twice", player=f"{row.name} ({row.id})")
        self._seen |= keys

    def _number_for(self, row: ListRow, numbered: Container[int], fresh: Container[int]) -> int:
        """Return the number that the list gives a newcomer, if it is free here; otherwise the next number."""
        number = row.number
        if number is None or number >= _HIGHEST or number in numbered or number in fresh:
            number = self.next_new
        self.next_new = max(self.next_new, number + 1)
        return number


def _same_person(row: ListRow, person: Person) -> bool:
    """Return whether a row of a list with our own numbers is about the player who has its number here."""
    other = {scheme for scheme, _ in row.numbers} & {scheme for scheme, _ in person.identifiers}
    return not other and spelled(row.name) == spelled(person.name)


def _person(row: ListRow, number: int) -> Person:
    return Person(
        number, row.name.strip() or str(row.id), row.federation, row.sex, row.born, row.title, row.women_title,
        row.other_titles, identifiers=row.numbers,
    )  # fmt: skip


def _update(connection: Connection, old: Sequence[tuple[int, ListRow]], day: date, act: int) -> int:
    """Add what a list says and the register does not, as facts since the list's day; ignore blanks."""
    people = register.load_people(connection, [player for player, _ in old])
    facts: list[tuple[int, str, str, date]] = []
    numbers: list[tuple[str, str, int]] = []
    for player, row in old:
        person, listed = people[player], _person(row, player)
        facts += [
            (player, field, getattr(listed, field), day)
            for field in ("name", "federation", "sex", "title", "women_title", "other_titles")
            if getattr(listed, field) and getattr(listed, field) != getattr(person, field)
        ]
        if listed.born and is_new_birth(listed.born, person.born):
            facts.append((player, "born", from_birth(listed.born), day))
        bodies = {scheme for scheme, _ in person.identifiers}
        numbers += [(scheme, value, player) for scheme, value in row.numbers if scheme not in bodies]
    register.add_facts(connection, facts, act)
    register.add_identifiers(connection, numbers, act)
    return len({player for player, *_ in facts})


def _chess_rows(
    batch: Sequence[tuple[ListRow, bool]],
    players: Sequence[int],
    on_list: ListName,
    day: date,
    edition: str,
    rules: ChessRules,
) -> Iterator[StandingRow]:
    """Yield a row for each rated player; of a list of our own also the titled unrated and the delisted."""
    listed: list[ListedPlayer] = []
    states: dict[int, Standing] = {}
    for player, (row, combined) in zip(players, batch, strict=True):
        rating, games, k = row.figures(on_list) if combined else (row.rating, row.games, row.k)
        if rating is not None:
            states[player] = imported_standing(player, rating, k, row.born, day, rules, inactive=row.inactive)
        elif row.identifiers is None:
            continue
        person = _person(row, player)
        listed.append(
            ListedPlayer(
                player,
                person.name,
                person.federation,
                person.sex,
                person.title,
                person.women_title,
                person.other_titles,
                rating=rating,
                games=games or 0,
                k=k,
                born=birth_year(row.born),
                inactive=row.inactive,
                delisted=row.delisted,
                identifiers=person.identifiers,
            )
        )
    _, lines = head_and_lines(PublishedList(on_list, day, 1, edition, rows=tuple(listed)))
    for line in lines:
        player = int(line.split("\t", 1)[0])
        if player in states:
            yield StandingRow(player, states[player].rating, from_standing(states[player]), line)
        else:
            yield StandingRow(player, None, EMPTY_STATE, line)
