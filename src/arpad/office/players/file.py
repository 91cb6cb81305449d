"""The files of the office: what it has on a player, and on a report."""

from __future__ import annotations

from dataclasses import dataclass

from arpad.model.errors import BadInput
from arpad.model.people import Person
from arpad.office.lists import rows as lists
from arpad.office.lists.history_rows import LISTED, HistoryRow, player_history
from arpad.office.lists.rows import Publication
from arpad.office.office import Office
from arpad.office.register.acts import known_player
from arpad.office.register.merge_rows import merge_targets
from arpad.office.reports import rows
from arpad.office.reports.rows import Filed


@dataclass(frozen=True, slots=True)
class Appearance:
    """A player on one revision of one list."""

    publication: Publication
    rating: int | None
    shown: bool
    """Whether the published list shows the player; a player who is left out is computed all the same."""

    games: int
    inactive: bool
    category: str = ""


@dataclass(frozen=True, slots=True)
class PlayerFile:
    """Everything the office has on a player."""

    person: Person
    merged_into: int | None
    appearances: tuple[Appearance, ...]
    """By list, day and revision."""

    reports: tuple[Filed, ...]


def player(office: Office, number: int) -> PlayerFile:
    """Return a player's file."""
    with office.store.reading() as connection:
        person = known_player(connection, number)
        merged_into = merge_targets(connection).get(number)
        published = {p.id: p for p in lists.all_publications(connection)}
        appearances = [
            _appearance(published[publication], row)
            for publication, row in player_history(connection, number).items()
            if publication in published
        ]
        played = rows.filed(connection, rows.reports_of(connection, number))
    appearances.sort(key=lambda a: (a.publication.list, a.publication.day, a.publication.revision))
    return PlayerFile(person, merged_into, tuple(appearances), tuple(played.values()))


def _appearance(publication: Publication, row: HistoryRow) -> Appearance:
    return Appearance(
        publication, row.rating, row.shown == LISTED, row.games, bool(row.inactive), row.category
    )


def report_file(office: Office, report: int) -> tuple[Filed, bytes, list[tuple[str, int]]]:
    """Return a report, its bytes as received, and its history: each status with its act."""
    with office.store.reading() as connection:
        filed = rows.filed(connection, [report]).get(report)
        if filed is None:
            raise BadInput("no-report", report=report)
        return filed, rows.data(connection, report), rows.history(connection, report)
