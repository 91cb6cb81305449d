"""Everything about a report on file: its findings today, its players, the preview of its changes, its history."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection

from arpad.model.rules import Finding
from arpad.office.inbox.check_report import CheckedReport, decided_report
from arpad.office.inbox.closed_years import closed_year_findings
from arpad.office.inbox.entrant_decisions import checked_now
from arpad.office.lists.rows import Publication
from arpad.office.register import rows as register
from arpad.office.register.number_rows import merge_targets
from arpad.office.reports import rows
from arpad.office.reports.entrant_rows import decisions_about
from arpad.office.reports.page_rows import rating_publications
from arpad.office.reports.rows import Filed, decisions_in_force
from arpad.office.reports.status import ReportEntry, overlaps_on_file, report_history
from arpad.office.reports.tables import ACCEPTED, RECEIVED
from arpad.rating.preview import ordered
from arpad.reports.entrant_match import Outcome
from arpad.reports.report import Report
from arpad.store import ledger


@dataclass(frozen=True, slots=True)
class ReportDetail:
    """A report on file, checked with the register, the lists and the decisions of today."""

    filed: Filed
    sender: str
    report: Report
    checked: CheckedReport
    findings: tuple[Finding, ...]
    """Those of the checks and, while it waits, the reports of the same event on file; the gravest first."""

    players: Sequence[int]
    """The players of an accepted report, in the order of its entrants; otherwise empty."""

    names: dict[int, str]
    """The names of the matched players in the register."""

    history: Sequence[ReportEntry]
    publications: Sequence[Publication]


def read_detail(connection: Connection, filed: Filed) -> ReportDetail:
    """Check a report on file again and read its history."""
    decided = decided_report(connection, filed, decisions_in_force(connection))
    checked = checked_now(connection, filed, decided)
    overlaps = (
        overlaps_on_file(
            connection, filed, checked.marks, ignore=(filed.replaces, filed.id), statuses=(ACCEPTED,)
        )
        if filed.status == RECEIVED
        else ()
    )
    players = rows.players_of(connection, filed.id) if filed.status == ACCEPTED else ()
    late = (
        closed_year_findings(
            connection, checked.on_list, decided.report, players or [match.player for match in checked.matches],
            filed.id, filed.replaces,
        )
        if filed.status in (RECEIVED, ACCEPTED)
        else ()
    )  # fmt: skip
    findings = ordered([*overlaps, *checked.findings, *late])
    matched = {*players, *(match.player for match in checked.matches if match.player is not None)}
    people = register.load_people(connection, matched)
    return ReportDetail(
        filed,
        ledger.act(connection, filed.act).author,
        decided.report,
        checked,
        findings,
        players,
        {player: people[player].name for player in matched if player in people},
        report_history(connection, filed.id),
        rating_publications(connection, [filed.id])[filed.id],
    )


def match_values(connection: Connection, report: int, checked: CheckedReport) -> dict[str, Any]:
    """Return what the form about entrants shows: the doubtful entrants with their candidates, and what was decided."""
    decided = decisions_about(connection, [report]).get(report, {})
    targets = merge_targets(connection)
    players = {item.player: targets.get(item.player, item.player) for item in decided.values() if item.player}
    names = register.load_names(connection, players.values())
    return {
        "doubtful": [match for match in checked.matches if match.undecided],
        "newcomers": [match for match in checked.matches if match.outcome == Outcome.NEW],
        "decided": sorted(decided.values(), key=lambda item: item.number),
        "decided_names": {player: (kept, names[kept]) for player, kept in players.items()},
    }
