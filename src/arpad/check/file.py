"""The report alone: what contradicts itself whatever the regulations say."""

from __future__ import annotations

from arpad.check import cells, header, people, standings
from arpad.model import Finding
from arpad.report import Report

CHECKS = (*people.CHECKS, *cells.CHECKS, *standings.CHECKS, *header.CHECKS)


def check_file(report: Report) -> tuple[Finding, ...]:
    """Everything that is wrong with a report by itself; what its reader has said already is not said twice."""
    said = {finding.code for finding in report.findings}
    return tuple(finding for check in CHECKS for finding in check(report) if finding.code not in said)
