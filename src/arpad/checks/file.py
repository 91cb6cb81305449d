"""The report alone: what contradicts itself whatever the regulations say."""

from __future__ import annotations

from arpad.checks import header
from arpad.checks import pairings as cells
from arpad.checks import participants as people
from arpad.checks import points as standings
from arpad.model.rules import Finding
from arpad.reports.report import Report

CHECKS = (*people.CHECKS, *cells.CHECKS, *standings.CHECKS, *header.CHECKS)


def check_file(report: Report) -> tuple[Finding, ...]:
    """Everything that is wrong with a report by itself; what its reader has said already is not said twice."""
    said = {finding.code for finding in report.findings}
    return tuple(finding for check in CHECKS for finding in check(report) if finding.code not in said)
