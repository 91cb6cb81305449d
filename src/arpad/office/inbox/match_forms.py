"""The form that says who the entrants of a report are; ``inbox/entrant_matches.html`` draws it."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection

from arpad.office.inbox.check_report import CheckedReport
from arpad.office.register.merge_rows import merge_targets
from arpad.office.register.rows import load_names
from arpad.office.reports.entrant_rows import decisions_about
from arpad.reports.entrant_match import Outcome


def match_values(connection: Connection, report: int, checked: CheckedReport) -> dict[str, Any]:
    """Return what the form shows: the doubtful entrants with their candidates, and what was decided."""
    decided = decisions_about(connection, [report]).get(report, {})
    targets = merge_targets(connection)
    players = {item.player: targets.get(item.player, item.player) for item in decided.values() if item.player}
    names = load_names(connection, players.values())
    return {
        "doubtful": [match for match in checked.matches if match.undecided],
        "newcomers": [match for match in checked.matches if match.outcome == Outcome.NEW],
        "decided": sorted(decided.values(), key=lambda item: item.number),
        "decided_names": {player: (kept, names[kept]) for player, kept in players.items()},
    }
