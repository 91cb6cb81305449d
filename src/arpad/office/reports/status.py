"""Reports on file: the status that one must have, the history of its statuses and decisions, others of its event."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection

from arpad.model.canonical_json import load
from arpad.model.errors import BadInput
from arpad.model.rules import Fact, Finding, Severity
from arpad.office.reports import rows
from arpad.office.reports import rows as reports
from arpad.office.reports.rows import FACT, Decision, Filed, all_decisions, decisions_in_force
from arpad.office.reports.tables import ACCEPTED, RECEIVED
from arpad.store.ledger import Act, some_acts

if TYPE_CHECKING:
    from arpad.reports.duplicates import Overlap


def report_on_file(connection: Connection, number: int) -> Filed:
    """Return a report on file; raise if there is none with this number."""
    report = rows.filed(connection, [number]).get(number)
    if report is None:
        raise BadInput("no-report", option="report", report=number)
    return report


def require_status(report: Filed, *allowed: str) -> None:
    """Raise unless a report has one of the allowed statuses."""
    if report.status not in allowed:
        raise BadInput(
            "report-status", option="report", report=report.id, status=report.status, accepted=allowed
        )


@dataclass(frozen=True, slots=True)
class ReportEntry:
    """One entry of the history: the report got a status, or there was a decision about it."""

    act: Act
    status: str = ""
    decision: Decision | None = None
    revoked: bool = False
    replaced_by: int | None = None
    """The report that made it withdrawn or superseded."""

    @property
    def facts(self) -> Mapping[str, Any]:
        """The facts that the decision states."""
        if self.decision is None or self.decision.kind != FACT:
            return {}
        facts: Mapping[str, Any] = load(self.decision.value)
        return facts


def report_history(connection: Connection, number: int) -> list[ReportEntry]:
    """Return what was done with a report, in order, with the acts that say who did it and why."""
    statuses = reports.history(connection, number)
    decisions = [decision for decision in all_decisions(connection) if decision.report == number]
    standing = {decision.id for decision in decisions_in_force(connection)}
    acts = some_acts(connection, [*(act for _, act in statuses), *(decision.act for decision in decisions)])
    entries = [
        ReportEntry(acts[act], status, replaced_by=_other(acts[act], number)) for status, act in statuses
    ]
    entries += [ReportEntry(acts[d.act], "", d, d.id not in standing) for d in decisions]
    return sorted(entries, key=lambda entry: entry.act.seq)


def errors_set_aside(history: Iterable[ReportEntry]) -> dict[str, Act]:
    """Return the codes of errors that an officer set aside when the report was accepted, with that act."""
    accepted = [entry.act for entry in history if entry.status == ACCEPTED]
    return {code: act for act in accepted for code in act.facts.get("overruled", ())}


def _other(act: Act, number: int) -> int | None:
    """Return the report that an act is about, if it is not the one with a number."""
    report: int | None = act.facts.get("report")
    return report if report != number else None


ON_FILE = "event-on-file"
"""The code of the error that all games of one report are in another."""


def overlaps_on_file(
    connection: Connection,
    report: Filed,
    marks: bytes,
    *,
    ignore: Collection[int | None],
    statuses: Collection[str],
) -> list[Finding]:
    """Return an error for each other report of the same event on file that has one of some statuses."""
    from arpad.reports.duplicates import overlapping_reports

    if report.first_day is None or not marks:
        return []
    days = str(report.first_day), str(report.last_day or report.first_day)
    overlaps = overlapping_reports(rows.overlapping_reports(connection, *days), marks, *days)
    others = {number: overlap for number, overlap in overlaps.items() if number not in ignore}
    return overlap_findings(rows.filed(connection, others), others, statuses)


def overlap_findings(
    filed: Mapping[int, Filed],
    overlaps: Mapping[int, Overlap],
    statuses: Collection[str] = (RECEIVED, ACCEPTED),
) -> list[Finding]:
    """Return an error for each overlapping report that has one of some statuses."""
    findings = []
    for number, overlap in sorted(overlaps.items()):
        report = filed[number]
        if report.status in statuses:
            code = ON_FILE if overlap.contained else "event-overlaps"
            facts: dict[str, Fact] = {"report": number, "name": report.name, "file": report.file}
            findings.append(Finding(Severity.ERROR, code, facts=facts))
    return findings
