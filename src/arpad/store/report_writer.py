"""Write the reports of one transaction: rows are numbered when they are added and inserted together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any

from sqlalchemy import Connection

from arpad.model.canonical_json import dump
from arpad.model.json_values import from_birth
from arpad.model.people import Person
from arpad.store import register
from arpad.store.bulk import add_rows, next_id
from arpad.store.entrant_decisions import DecidedEntrant, add_decisions, decision_rows
from arpad.store.name_index import add_words
from arpad.store.number_schemes import add_unknown_numbers
from arpad.store.reports import RECEIVED
from arpad.store.schema import (
    entrant_decisions,
    entrants,
    player_reports,
    players,
    report_statuses,
    reports,
)

_REPORT_COLUMNS = tuple(column.name for column in reports.c)


class ReportWriter:
    """New reports, statuses, entrants and players of a transaction; no other writer may change them meanwhile."""

    def __init__(self, connection: Connection) -> None:
        """Continue the numbers of the tables."""
        self.connection = connection
        self._next_report = next_id(connection, reports)
        self._next_status = next_id(connection, report_statuses)
        self.next_player = next_id(connection, players)
        self._reports: list[Sequence[Any]] = []
        self._statuses: list[Sequence[Any]] = []
        self._entrants: list[Sequence[Any]] = []
        self._player_reports: list[tuple[int, int]] = []
        self._players: list[tuple[Person, int]] = []
        self._identifiers: list[tuple[tuple[str, str, int], int]] = []
        self._unknown_numbers: list[tuple[int, str, int, int]] = []
        self._decisions: list[Sequence[Any]] = []
        self._next_decision = next_id(connection, entrant_decisions)

    def add_report(self, row: Mapping[str, Any]) -> int:
        """Add a report that was received; return its number."""
        number = self._next_report
        self._next_report += 1
        self._reports.append([number if name == "id" else row[name] for name in _REPORT_COLUMNS])
        self.add_status(number, RECEIVED, row["act"])
        return number

    def add_status(self, report: int, status: str, act: int) -> None:
        """Add a status of a report."""
        self._statuses.append((self._next_status, report, status, act))
        self._next_status += 1

    def add_entrants(self, report: int, player_ids: Iterable[int], act: int) -> None:
        """Add the players of a report, in the order of its entrants."""
        players_ = list(player_ids)
        self._entrants.append((report, dump(players_), act))
        self._player_reports.extend((player, report) for player in {*players_})

    def add_players(self, people: Sequence[Person], act: int) -> None:
        """Add players new to the register, numbered from ``next_player`` on."""
        self._players.extend((person, act) for person in people)
        self.next_player += len(people)

    def add_identifiers(self, numbers: Iterable[tuple[str, str, int]], act: int) -> None:
        """Add numbers of registered players: scheme, number, player."""
        self._identifiers.extend((number, act) for number in numbers)

    def add_unknown_numbers(self, numbers: Iterable[tuple[int, str, int, int]]) -> None:
        """Add numbers of unknown scheme: player, number, report, act."""
        self._unknown_numbers.extend(numbers)

    def add_decisions(self, report: int, decided: Iterable[DecidedEntrant], act: int) -> None:
        """Add decisions about entrants that come with the acceptance of a report."""
        rows = decision_rows(report, decided, act, self._next_decision)
        self._next_decision += len(rows)
        self._decisions.extend(rows)

    def write(self) -> None:
        """Insert the rows added since the last call."""
        connection = self.connection
        self._write_players()
        add_rows(connection, reports, _REPORT_COLUMNS, self._reports)
        add_rows(connection, report_statuses, ("id", "report", "status", "act"), self._statuses)
        add_rows(connection, entrants, ("report", "players", "act"), self._entrants)
        add_rows(connection, player_reports, ("player", "report"), sorted(self._player_reports))
        for (scheme, value, player), act in self._identifiers:
            register.add_identifiers(connection, [(scheme, value, player)], act)
        if self._unknown_numbers:
            add_unknown_numbers(connection, self._unknown_numbers)
        add_decisions(connection, self._decisions)
        for rows in (
            self._reports, self._statuses, self._entrants, self._player_reports, self._identifiers,
            self._unknown_numbers, self._decisions,
        ):  # fmt: skip
            rows.clear()

    def _write_players(self) -> None:
        rows = [
            (person.id, *(_column_text(getattr(person, name)) for name in register.COLUMNS), act)
            for person, act in self._players
        ]
        add_rows(self.connection, players, ("id", *register.COLUMNS, "act"), rows)
        for act, group in groupby(self._players, key=itemgetter(1)):
            identifiers = [
                (*identifier, person.id) for person, _ in group for identifier in person.identifiers
            ]
            register.add_identifiers(self.connection, identifiers, act)
        add_words(self.connection, [(person.name, person.id) for person, _ in self._players])
        self._players.clear()


def _column_text(value: Any) -> str:
    return value if isinstance(value, str) else from_birth(value)
