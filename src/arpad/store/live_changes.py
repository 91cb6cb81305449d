"""The rows that acts added: which players and reports are touched by them."""

from __future__ import annotations

from dataclasses import field

from sqlalchemy import Connection, select

from arpad.model.canonical_json import load
from arpad.model.values import dataclass
from arpad.store.bulk import fetch_rows
from arpad.store.schema import (
    decisions,
    entrant_decisions,
    identifier_changes,
    identifiers,
    ledger,
    player_facts,
    players,
    report_statuses,
    reports,
    revocations,
)

_WITH_PLAYER = ("hide-player", "show-player")


@dataclass(slots=True)
class Touched:
    """The players and reports that some acts are about."""

    players: set[int] = field(default_factory=set)
    reports: set[int] = field(default_factory=set)
    others: bool = False
    """Whether a decision is about a whole federation, or a number was taken from a player."""

    registered: bool = False
    """Whether players were registered, or got numbers."""


def verbs_since(connection: Connection, act: int) -> set[str]:
    """Return the verbs of all acts after one."""
    query = select(ledger.c.verb).where(ledger.c.seq > act).distinct()
    return set(connection.execute(query).scalars())


def rows_since(connection: Connection, act: int) -> Touched:
    """Return whom and what the acts after one are about, from the rows that they added."""
    touched = Touched()
    for table, column in (
        (players, players.c.id),
        (identifiers, identifiers.c.player),
        (player_facts, player_facts.c.player),
    ):
        rows = {number for (number,) in fetch_rows(connection, select(column).where(table.c.act > act))}
        touched.players |= rows
        touched.registered |= bool(rows)
    moved = select(identifier_changes.c.id).where(identifier_changes.c.act > act).limit(1)
    touched.others = connection.execute(moved).first() is not None
    revoked = select(revocations.c.decision).where(revocations.c.act > act)
    about = select(decisions.c.player, decisions.c.report)
    about = about.where((decisions.c.act > act) | decisions.c.id.in_(revoked))
    for player, report in fetch_rows(connection, about):
        if player is not None:
            touched.players.add(player)
        if report is not None:
            touched.reports.add(report)
        touched.others |= player is None and report is None
    for table, column in ((reports, reports.c.id), (report_statuses, report_statuses.c.report)):
        touched.reports |= {
            number for (number,) in fetch_rows(connection, select(column).where(table.c.act > act))
        }
    matched = select(entrant_decisions.c.report).where(entrant_decisions.c.act > act)
    touched.reports |= {report for (report,) in fetch_rows(connection, matched)}
    hidden = select(ledger.c.details).where(ledger.c.seq > act, ledger.c.verb.in_(_WITH_PLAYER))
    touched.players |= {load(details)["player"] for (details,) in fetch_rows(connection, hidden)}
    return touched
