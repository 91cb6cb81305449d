"""Other reports of the same event on file, found by their games (``reports.duplicates``)."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from sqlalchemy import Connection

from arpad.model.rules import Fact, Finding, Severity
from arpad.office.reports import rows
from arpad.office.reports.rows import Filed
from arpad.office.reports.tables import ACCEPTED, RECEIVED
from arpad.reports.duplicates import Overlap, overlapping_reports

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
