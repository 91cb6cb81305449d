"""The games of accepted reports in columns, so that no list reads a report again; they follow from its bytes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date
from typing import Any

from sqlalchemy import Connection, delete, select

from arpad.model.errors import ArpadError
from arpad.office.reports.tables import entrants, report_games, reports
from arpad.reports.report_games import ReportGames, games_in_columns
from arpad.reports.stages import read_filed
from arpad.store.bulk import add_rows, fetch_rows, rows_with
from arpad.store.proved_rows import MOST_NAMED

_COLUMNS = ("report", *ReportGames._fields)


def add_games(connection: Connection, games: Iterable[tuple[int, ReportGames]]) -> None:
    """Add the games of accepted reports, by their numbers."""
    add_rows(connection, report_games, _COLUMNS, [(number, *_stored(it)) for number, it in games])


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


_GAMES = select(*(report_games.c[name] for name in _COLUMNS))


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
