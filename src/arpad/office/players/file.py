"""The file of a player: everything that the office has on them."""

from __future__ import annotations

from dataclasses import dataclass, fields

from sqlalchemy import Connection

from arpad.office.lists import rows as lists
from arpad.office.lists.acts import ListRevision, list_facts
from arpad.office.lists.history_rows import LISTED, player_history
from arpad.office.register.acts import Player, known_player, player_facts
from arpad.office.register.merge_rows import merge_targets
from arpad.office.reports import rows
from arpad.office.reports.acts import FiledReport, filed_report


@dataclass(frozen=True, slots=True)
class PlayerOnList(ListRevision):
    """A revision of a list with a player's line on it."""

    rating: int | None
    games: int
    inactive: bool
    shown: bool
    """Whether the published list shows the player; a player who is left out is computed all the same."""

    category: str | None


@dataclass(frozen=True, slots=True)
class PlayerOnRecord(Player):
    """A player of the register with their lists and reports."""

    merged_into: int | None = None
    lists: tuple[PlayerOnList, ...] = ()
    reports: tuple[FiledReport, ...] = ()


def player_file(connection: Connection, number: int) -> PlayerOnRecord:
    """Return a player's file, the lists by name, day and revision."""
    facts = player_facts(known_player(connection, number))
    history = player_history(connection, number)
    published = [it for it in lists.all_publications(connection) if it.id in history]
    appearances = tuple(
        PlayerOnList(
            **list_facts(it), rating=row.rating, games=row.games, inactive=bool(row.inactive),
            shown=row.shown == LISTED, category=row.category or None,
        )
        for it in sorted(published, key=lambda it: (it.list, it.day, it.revision))
        for row in [history[it.id]]
    )  # fmt: skip
    reports = rows.filed(connection, rows.reports_of(connection, number)).values()
    return PlayerOnRecord(
        **{field.name: getattr(facts, field.name) for field in fields(Player)},
        merged_into=merge_targets(connection).get(number),
        lists=appearances,
        reports=tuple(map(filed_report, reports)),
    )
