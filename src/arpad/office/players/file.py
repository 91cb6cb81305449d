"""The file of a player: everything that the office has on them."""

from __future__ import annotations

from dataclasses import dataclass, fields

from sqlalchemy import Connection

from arpad.model.people import Person
from arpad.office.lists import rows as lists
from arpad.office.lists.acts import ListRevision, list_facts
from arpad.office.lists.history_rows import LISTED, HistoryRow, player_history
from arpad.office.lists.rows import Publication
from arpad.office.register.acts import Player, known_player, player_facts
from arpad.office.register.merge_rows import merge_targets
from arpad.office.reports import rows
from arpad.office.reports.acts import FiledReport, filed_report
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

    def document(self) -> PlayerOnRecord:
        """Return it as JSON has it."""
        facts = player_facts(self.person)
        return PlayerOnRecord(
            **{field.name: getattr(facts, field.name) for field in fields(Player)},
            merged_into=self.merged_into,
            lists=tuple(
                PlayerOnList(
                    **list_facts(it.publication), rating=it.rating, games=it.games, inactive=it.inactive,
                    shown=it.shown, category=it.category or None,
                )
                for it in self.appearances
            ),
            reports=tuple(map(filed_report, self.reports)),
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class PlayerOnList(ListRevision):
    """A revision of a list with a player's line on it."""

    rating: int | None
    games: int
    inactive: bool
    shown: bool
    """Whether the published list shows the player."""

    category: str | None


@dataclass(frozen=True, slots=True)
class PlayerOnRecord(Player):
    """A player of the register with their lists and reports."""

    merged_into: int | None = None
    lists: tuple[PlayerOnList, ...] = ()
    reports: tuple[FiledReport, ...] = ()


def player_file(connection: Connection, number: int) -> PlayerFile:
    """Return a player's file."""
    person = known_player(connection, number)
    published = {p.id: p for p in lists.all_publications(connection)}
    appearances = [
        _appearance(published[publication], row)
        for publication, row in player_history(connection, number).items()
        if publication in published
    ]
    played = rows.filed(connection, rows.reports_of(connection, number))
    appearances.sort(key=lambda a: (a.publication.list, a.publication.day, a.publication.revision))
    merged_into = merge_targets(connection).get(number)
    return PlayerFile(person, merged_into, tuple(appearances), tuple(played.values()))


def _appearance(publication: Publication, row: HistoryRow) -> Appearance:
    return Appearance(
        publication, row.rating, row.shown == LISTED, row.games, bool(row.inactive), row.category
    )
