"""Checks: (report, facts, edition) → findings, one function per article; nothing here ever stops the preview.

``check_file`` looks at the report alone; ``check_event`` holds it against an edition. Each module covers the chapters
its name says, and lists its functions in ``CHECKS``, in the order of the articles. docs/findings.md has every code.
"""

from __future__ import annotations

from arpad.checks import (
    ch0_registration as registration,
)
from arpad.checks import (
    ch1_2_time_control as play,
)
from arpad.checks import (
    ch3_4_duration as duration,
)
from arpad.checks import (
    ch5_6_composition as composition,
)
from arpad.checks import (
    ch9_13_reporting as reporting,
)
from arpad.checks.ch1_2_time_control import classify, minutes_required
from arpad.checks.context import Case
from arpad.checks.file import check_file
from arpad.model.rules import Finding

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
