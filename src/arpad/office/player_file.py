"""The files of the office: what it has on a player, and on a report."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import select

from arpad.lists.canonical import listed_player
from arpad.lists.published import DRAUGHTS
from arpad.model.errors import BadInput
from arpad.model.json_values import to_capital, to_standing
from arpad.model.people import Person
from arpad.office.office import Office
from arpad.office.register import known_player
from arpad.store import lists, register
from arpad.store import reports as rows
from arpad.store.lists import Publication
from arpad.store.reports import Filed
from arpad.store.schema import standings


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
        merged_into = register.merged(connection).get(number)
        published = {p.id: p for p in lists.all_publications(connection)}
        query = select(standings).where(standings.c.player == number)
        appearances = [
            _appearance(published[row["publication"]], number, dict(row))
            for row in connection.execute(query).mappings()
            if row["publication"] in published
        ]
        played = rows.filed(connection, rows.reports_of(connection, number))
    appearances.sort(key=lambda a: (a.publication.list, a.publication.day, a.publication.revision))
    return PlayerFile(person, merged_into, tuple(appearances), tuple(played.values()))


def _appearance(publication: Publication, number: int, row: dict[str, Any]) -> Appearance:
    games = listed_player(row["line"]).games if row["line"] else 0
    if publication.list in DRAUGHTS:
        category = to_capital(row["state"]).category
        return Appearance(
            publication, row["rating"], row["line"] is not None, games, inactive=False, category=category
        )
    standing = to_standing(number, row["state"])
    return Appearance(publication, row["rating"], row["line"] is not None, games, standing.inactive)


def report_file(office: Office, report: int) -> tuple[Filed, bytes, list[tuple[str, int]]]:
    """Return a report, its bytes as received, and its history: each status with its act."""
    with office.store.reading() as connection:
        filed = rows.filed(connection, [report]).get(report)
        if filed is None:
            raise BadInput("no-report", report=report)
        return filed, rows.data(connection, report), rows.history(connection, report)
