"""Write the reports of one transaction: rows are numbered when they are added and inserted together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, text

from arpad.model.canonical_json import dump
from arpad.model.people import Person
from arpad.office.register import rows as register
from arpad.office.register.scheme_rows import add_unknown_numbers
from arpad.office.register.tables import players
from arpad.office.reports.entrant_rows import DecidedEntrant, add_decisions, add_games
from arpad.office.reports.tables import RECEIVED, entrants, report_statuses, reports
from arpad.reports.report_games import ReportGames
from arpad.store.bulk import add_numbered_rows, add_rows, next_id

_REPORT_COLUMNS = tuple(column.name for column in reports.c)


class ReportWriter:
    """New reports, statuses, entrants and players of a transaction; no other writer may change them meanwhile."""

    def __init__(self, connection: Connection) -> None:
        """Continue the numbers of the tables."""
        self.connection = connection
        self._next_report = next_id(connection, reports)
        self.next_player = next_id(connection, players)
        self._reports: list[Sequence[Any]] = []
        self._statuses: list[Sequence[Any]] = []
        self._entrants: list[Sequence[Any]] = []
        self._games: list[tuple[int, ReportGames]] = []
        self._players: list[tuple[Person, int]] = []
        self._identifiers: list[tuple[str, str, int, int]] = []
        self._unknown_numbers: list[tuple[int, str, int, int]] = []
        self._decisions: list[tuple[int, DecidedEntrant, int]] = []

    def add_report(self, row: Mapping[str, Any]) -> int:
        """Add a report that was received; return its number."""
        number = self._next_report
        self._next_report += 1
        self._reports.append([number if name == "id" else row[name] for name in _REPORT_COLUMNS])
        self.add_status(number, RECEIVED, row["act"])
        return number

    def add_status(self, report: int, status: str, act: int) -> None:
        """Add a status of a report."""
        self._statuses.append((report, status, act))

    def add_entrants(
        self, report: int, player_ids: Sequence[int], games: ReportGames | None, act: int
    ) -> None:
        """Add the players of an accepted report, in the order of its entrants, and its games if they are regular."""
        self._entrants.append((report, dump(player_ids), act))
        if games is not None:
            self._games.append((report, games))

    def add_players(self, people: Sequence[Person], act: int) -> None:
        """Add players new to the register, numbered from ``next_player`` on."""
        self._players.extend((person, act) for person in people)
        self.next_player += len(people)

    def add_identifiers(self, numbers: Iterable[tuple[str, str, int]], act: int) -> None:
        """Add numbers of registered players: scheme, number, player."""
        self._identifiers.extend((*number, act) for number in numbers)

    def add_unknown_numbers(self, numbers: Iterable[tuple[int, str, int, int]]) -> None:
        """Add numbers of unknown scheme: player, number, report, act."""
        self._unknown_numbers.extend(numbers)

    def add_decisions(self, report: int, decided: Iterable[DecidedEntrant], act: int) -> None:
        """Add decisions about entrants that come with a report or its acceptance."""
        self._decisions.extend((report, entrant, act) for entrant in decided)

    def write(self) -> None:
        """Insert the rows added since the last call."""
        connection = self.connection
        register.add_people(connection, self._players)
        add_rows(connection, reports, _REPORT_COLUMNS, self._reports)
        add_numbered_rows(connection, report_statuses, ("report", "status", "act"), self._statuses)
        add_rows(connection, entrants, ("report", "players", "act"), self._entrants)
        add_games(connection, self._games)
        _add_player_reports(connection, [report for report, *_ in self._entrants])
        register.add_identifiers(connection, self._identifiers)
        if self._unknown_numbers:
            add_unknown_numbers(connection, self._unknown_numbers)
        add_decisions(connection, self._decisions)
        for rows in (
            self._reports, self._statuses, self._entrants, self._games, self._players, self._identifiers,
            self._unknown_numbers, self._decisions,
        ):  # fmt: skip
            rows.clear()


def _add_player_reports(connection: Connection, accepted: Sequence[int]) -> None:
    """Add the players of accepted reports to the index by player; the database takes them from the entrants."""
    if not accepted:
        return
    elements = (
        "json_each({})"
        if connection.dialect.name == "sqlite"
        else "json_array_elements_text(CAST({} AS json))"
    )
    statement = (
        "INSERT INTO player_reports (player, report) "  # noqa: S608  our own tables
        f"SELECT CAST(listed.value AS INTEGER), report FROM entrants, {elements.format('players')} AS listed "
        f"WHERE report IN (SELECT CAST(value AS INTEGER) FROM {elements.format(':accepted')} AS numbers) "
        "ORDER BY 1, 2 ON CONFLICT DO NOTHING"
    )
    connection.execute(text(statement), {"accepted": dump(accepted)})
