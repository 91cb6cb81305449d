"""The rows that acts added: which players and reports are touched by them."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Column, Connection, select

from arpad.model.canonical_json import load
from arpad.office.register.tables import identifier_changes, identifiers, player_facts, players
from arpad.office.reports.tables import decisions, entrant_decisions, report_statuses, reports, revocations
from arpad.store.bulk import fetch_rows
from arpad.store.schema import ledger

_WITH_PLAYER = ("hide-player", "show-player")


@dataclass(slots=True)
class Touched:
    """The players and reports that some acts are about."""

    players: set[int]
    reports: set[int]
    others: bool
    """Whether a decision is about a whole federation, or a number was taken from a player."""

    registered: bool
    """Whether players were registered, or got numbers."""


def verbs_since(connection: Connection, act: int) -> set[str]:
    """Return the verbs of all acts after one."""
    query = select(ledger.c.verb).where(ledger.c.seq > act).distinct()
    return set(connection.execute(query).scalars())


def rows_since(connection: Connection, act: int) -> Touched:
    """Return whom and what the acts after one are about, from the rows that they added."""

    def added(column: Column[int]) -> set[int]:
        """Return the numbers in a column of the rows that the acts added."""
        query = select(column).where(column.table.c.act > act)
        return {number for (number,) in fetch_rows(connection, query)}

    people = added(players.c.id) | added(identifiers.c.player) | added(player_facts.c.player)
    on_file = added(reports.c.id) | added(report_statuses.c.report) | added(entrant_decisions.c.report)
    touched = Touched(people, on_file, bool(added(identifier_changes.c.id)), bool(people))
    revoked = select(revocations.c.decision).where(revocations.c.act > act)
    about = select(decisions.c.player, decisions.c.report)
    about = about.where((decisions.c.act > act) | decisions.c.id.in_(revoked))
    for player, report in fetch_rows(connection, about):
        if player is not None:
            touched.players.add(player)
        if report is not None:
            touched.reports.add(report)
        touched.others |= player is None and report is None
    hidden = select(ledger.c.details).where(ledger.c.seq > act, ledger.c.verb.in_(_WITH_PLAYER))
    touched.players |= {load(details)["player"] for (details,) in fetch_rows(connection, hidden)}
    return touched
