"""The inbox at a glance: what each waiting report says today, and which of them could be accepted as they are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection

from arpad.model.rules import Severity
from arpad.office.inbox.entrant_decisions import checked_now
from arpad.office.inbox.prepare_reports import BatchOptions, PreparedReport, prepare_filed
from arpad.office.office import Office, today
from arpad.office.reports import rows
from arpad.office.reports.decided_rows import decisions_in_force
from arpad.office.reports.entrant_rows import decisions_about
from arpad.office.reports.overlaps import overlaps_on_file
from arpad.office.reports.rows import Filed
from arpad.office.reports.tables import ACCEPTED, RECEIVED


@dataclass(frozen=True, slots=True)
class FindingCounts:
    """How many errors and warnings a report has."""

    errors: int
    warnings: int


def finding_counts(connection: Connection, reports: Iterable[Filed]) -> dict[int, FindingCounts]:
    """Return the counts of reports: of the day they arrived, or of today if something was decided about them since.

    Only reports with decisions are checked again: checking every report of a page would take seconds.
    """
    reports = list(reports)
    counts = {filed.id: FindingCounts(filed.errors, filed.warnings) for filed in reports}
    about = {decision.report for decision in decisions_in_force(connection)}
    about |= decisions_about(connection, counts).keys()
    for filed in reports:
        if filed.status == RECEIVED and filed.id in about:
            severities = Counter(finding.severity for finding in checked_now(connection, filed).findings)
            counts[filed.id] = FindingCounts(severities[Severity.ERROR], severities[Severity.WARNING])
    return counts


@dataclass(frozen=True, slots=True)
class CleanReport:
    """A waiting report that has neither errors nor doubtful players."""

    filed: Filed
    newcomers: int
    """Players whom accepting it would add to the register."""

    warnings: int


def clean_reports(office: Office, numbers: Sequence[int]) -> list[CleanReport]:
    """Return those of some waiting reports that could be accepted as they are; nothing is written."""
    with office.store.reading() as connection:
        filed = rows.filed(connection, numbers)
        waiting = [number for number in numbers if number in filed and filed[number].status == RECEIVED]
        batch = prepare_filed(connection, waiting, BatchOptions(today(office, connection)))
        outcomes: Mapping[int, object] = dict(zip(waiting, batch.outcomes, strict=True))
        return [
            CleanReport(
                filed[number],
                len(outcome.newcomers),
                sum(rows.WARNING_JSON in finding for finding in outcome.findings),
            )
            for number, outcome in outcomes.items()
            if isinstance(outcome, PreparedReport) and _is_clean(connection, filed[number], outcome)
        ]


def _is_clean(connection: Connection, filed: Filed, prepared: PreparedReport) -> bool:
    """Return whether a report has a first day, no errors and no accepted report of the same event beside it."""
    if prepared.error_codes or prepared.doubts or not filed.first_day:
        return False
    ignore = (filed.replaces, filed.id)
    return not overlaps_on_file(connection, filed, prepared.marks, ignore=ignore, statuses=(ACCEPTED,))
