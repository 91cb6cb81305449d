"""Checks: (report, facts, edition) → findings, one function per article; nothing here ever stops the preview.

``check_file`` looks at the report alone; ``check_event`` holds it against an edition. Each module covers the chapters
its name says, and lists its functions in ``CHECKS``, in the order of the articles. docs/findings.md has every code.
"""

from __future__ import annotations

from arpad.check import composition, duration, play, registration, reporting
from arpad.check.case import Case
from arpad.check.file import check_file
from arpad.check.play import classify, minutes_required
from arpad.model import Finding

__all__ = ["Case", "check_event", "check_file", "classify", "minutes_required"]

CHECKS = (
    *registration.CHECKS,
    *play.CHECKS,
    *duration.CHECKS,
    *composition.CHECKS,
    *reporting.CHECKS,
)


def check_event(case: Case) -> tuple[Finding, ...]:
    """Everything the case's edition has to say about a report, in the order of its articles."""
    return tuple(finding for check in CHECKS for finding in check(case))
