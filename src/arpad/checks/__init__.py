"""Checks of a report: (report, facts, edition) → findings, one function per article; no finding stops the preview.

``check_file`` looks at the report alone: numbers, pairings, points and dates that contradict each other.
``check_event`` compares it with an edition. The modules ``ch…`` are named by the chapters of the regulations. Each
module lists its functions in ``CHECKS``, in the order of the articles. docs/reference/findings.md has every code.
"""

from arpad.checks import (
    ch0_registration,
    ch1_2_time_control,
    ch3_4_duration,
    ch5_6_composition,
    ch9_13_reporting,
    header,
    pairings,
    participants,
    points,
)
from arpad.checks.ch1_2_time_control import classify, minutes_required
from arpad.checks.context import Case
from arpad.model.rules import Finding
from arpad.reports.report import Report

__all__ = ["Case", "check_event", "check_file", "classify", "minutes_required"]

FILE_CHECKS = (*participants.CHECKS, *pairings.CHECKS, *points.CHECKS, *header.CHECKS)
"""Checks that need no edition."""

EVENT_CHECKS = (
    *ch0_registration.CHECKS,
    *ch1_2_time_control.CHECKS,
    *ch3_4_duration.CHECKS,
    *ch5_6_composition.CHECKS,
    *ch9_13_reporting.CHECKS,
)
"""Checks of the regulations, in the order of the chapters."""


def check_file(report: Report) -> tuple[Finding, ...]:
    """Return the contradictions in a report, except those that its reader already reported."""
    already = {finding.code for finding in report.findings}
    return tuple(finding for check in FILE_CHECKS for finding in check(report) if finding.code not in already)


def check_event(case: Case) -> tuple[Finding, ...]:
    """Return what the edition of the case requires and the report does not meet, in the order of the articles.

    Articles (chapter 0).
    """
    return tuple(finding for check in EVENT_CHECKS for finding in check(case))
