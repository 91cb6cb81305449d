"""The players and the games of accepted reports: officers' decisions who the entrants are, and the games in columns.

A decision that names a player is an alias for later reports. The games follow from the bytes of a report; with them no
list reads it again.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Any, NamedTuple

import polars as pl
from sqlalchemy import Connection, delete, select, text

from arpad.model.canonical_json import dump, load
from arpad.model.errors import ArpadError
from arpad.model.json_values import to_birth
from arpad.model.people import Birth, Person
from arpad.office.lists.tables import player_reports
from arpad.office.register import rows as register
from arpad.office.register.number_rows import add_unknown_numbers
from arpad.office.register.tables import players
from arpad.office.reports.tables import (
    NEW_PLAYER,
    OPEN,
    PLAYER,
    RECEIVED,
    alias_revocations,
    entrant_decisions,
    entrants,
    report_games,
    report_statuses,
    reports,
)
from arpad.reports.report_games import ReportGames, games_in_columns
from arpad.reports.stages import read_filed
from arpad.store.bulk import add_numbered_rows, add_rows, fetch_rows, next_id, read_once, revoked, rows_with
from arpad.store.damaged_rows import only_in_one
from arpad.store.proved_rows import MOST_NAMED
from arpad.store.schema import ledger

"""The states of a decision: a player of the register, a new player, or undecided again."""

NEW, UNDECIDED = 0, -1
"""As the player of a decision: the entrant is not in the register; the decision is taken back."""

DecidedEntrant = tuple[int, int, str, str, str]
"""Start number, player or ``NEW`` or ``UNDECIDED``, name, birth as text, source."""

_COLUMNS = ("id", "report", "number", "state", "player", "name", "born", "source", "act")


class EntrantDecision(NamedTuple):
    """A decision about one entrant of a report."""

    id: int
    report: int
    number: int
    state: str
    player: int | None
    name: str
    born: Birth
    source: str
    act: int
    author: str = ""
    at: str = ""
    """The moment, in UTC."""


_ALL = (
    select(*(entrant_decisions.c[name] for name in _COLUMNS), ledger.c.author, ledger.c.at)
    .join_from(entrant_decisions, ledger, ledger.c.seq == entrant_decisions.c.act)
    .order_by(entrant_decisions.c.id)
)


def decisions_about(connection: Connection, reports: Iterable[int]) -> dict[int, dict[int, EntrantDecision]]:
    """Return the decisions in force about the entrants of some reports: report → start number → decision."""
    latest: dict[int, dict[int, EntrantDecision]] = {}
    for row in rows_with(connection, _ALL, entrant_decisions.c.report, {*reports}):
        decision = _decision(row)
        latest.setdefault(decision.report, {})[decision.number] = decision
    return {
        report: {number: item for number, item in by_number.items() if item.state != OPEN}
        for report, by_number in latest.items()
    }


def add_decisions(connection: Connection, decided: Iterable[tuple[int, DecidedEntrant, int]]) -> None:
    """Add decisions about entrants, each with its report and its act."""
    states = {NEW: NEW_PLAYER, UNDECIDED: OPEN}
    rows = [
        (report, start, states.get(player, PLAYER), player if player > 0 else None, name, born, source, act)
        for report, (start, player, name, born, source), act in decided
    ]
    add_numbered_rows(connection, entrant_decisions, _COLUMNS[1:], rows)


def aliases(connection: Connection) -> list[EntrantDecision]:
    """Return the aliases in force, in order.

    A decision is one if it names a player, is the latest about its entrant, and was not revoked.
    """
    ended = revoked(connection, alias_revocations)
    latest: dict[tuple[int, int], EntrantDecision] = {}
    for row in read_once(connection, _ALL):
        decision = _decision(row)
        latest[decision.report, decision.number] = decision
    return [item for item in latest.values() if item.state == PLAYER and item.id not in ended]


def _decision(row: Any) -> EntrantDecision:
    decision = EntrantDecision(*row)
    return decision._replace(born=to_birth(decision.born))


def differing_player_reports(connection: Connection) -> list[str]:
    """Return the rows of the index of players and reports that are not those of the entrants."""
    schema = {"player": pl.Int64, "report": pl.Int64}
    try:
        pairs = [
            (player, report)
            for report, numbers in fetch_rows(connection, select(entrants.c.report, entrants.c.players))
            for player in load(numbers)
        ]
        expected = pl.DataFrame(pairs, schema=schema, orient="row").unique()
    except (ValueError, TypeError, pl.exceptions.PolarsError):  # a row of entrants is altered, and named
        return []
    rows = fetch_rows(connection, select(player_reports.c.player, player_reports.c.report))
    return only_in_one(pl.DataFrame(rows, schema=schema, orient="row"), expected)


_GAME_COLUMNS = ("report", *ReportGames._fields)


def add_games(connection: Connection, games: Iterable[tuple[int, ReportGames]]) -> None:
    """Add the games of accepted reports, by their numbers."""
    add_rows(connection, report_games, _GAME_COLUMNS, [(number, *_stored(it)) for number, it in games])


def load_games(connection: Connection, numbers: Iterable[int]) -> dict[int, ReportGames]:
    """Return the games of some reports; a report without columns has none."""
    rows = rows_with(connection, _GAMES, report_games.c.report, sorted(numbers))
    return {number: _games(*row) for number, *row in rows}


def _stored(games: ReportGames) -> tuple[object, ...]:
    name, first_day, last_day, *others = games
    return name, first_day and str(first_day), last_day and str(last_day), *others


def _games(name: str, first_day: str | None, last_day: str | None, *others: Any) -> ReportGames:
    first, last = (date.fromisoformat(day) if day else None for day in (first_day, last_day))
    return ReportGames(name, first, last, *others)


_GAMES = select(*(report_games.c[name] for name in _GAME_COLUMNS))


def _from_bytes(connection: Connection, numbers: Iterable[int]) -> Iterator[tuple[int, ReportGames]]:
    """Yield the games of accepted reports, read from their bytes."""
    query = select(reports.c.id, reports.c.file, reports.c.data)
    for number, file, data in rows_with(connection, query, reports.c.id, sorted(numbers)):
        games = games_in_columns(read_filed(bytes(data), file))
        if games is not None:
            yield number, games


def _accepted(connection: Connection) -> list[int]:
    return [number for (number,) in fetch_rows(connection, select(entrants.c.report))]


def fill_after_migration(connection: Connection) -> None:
    """Add the games of all accepted reports that have none, after a migration."""
    there = {number for (number,) in fetch_rows(connection, select(report_games.c.report))}
    add_games(connection, _from_bytes(connection, {*_accepted(connection)} - there))


def renew_games(connection: Connection, numbers: Iterable[int]) -> None:
    """Write the games of some accepted reports anew: an erasure changed their bytes."""
    accepted = {*numbers}.intersection(_accepted(connection))
    connection.execute(delete(report_games).where(report_games.c.report.in_(accepted)))
    add_games(connection, _from_bytes(connection, accepted))


def differing_games(connection: Connection) -> list[str]:
    """Return the reports whose games are not those of their bytes."""
    accepted = _accepted(connection)
    stored = load_games(connection, accepted)
    try:
        expected = dict(_from_bytes(connection, accepted))
    except ArpadError:  # the bytes are altered, and named
        return []
    differing = [number for number in accepted if stored.get(number) != expected.get(number)]
    return [str(number) for number in sorted(differing)[:MOST_NAMED]]


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
