"""What the public is not told: of a birth the day and the month."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from arpad.model import Finding, Step

WITH_THE_YEAR = {"k-junior": "k-junior-public"}
"""Steps that tell a birth, and how they are told with its year alone."""

ABOUT_BIRTHS = frozenset({"birth-left-out", "birth-unreadable", "sheet-birth"})
"""Findings that repeat a birth as it was written."""


def year_only(step: Step) -> Step:
    """A step with no more of a birth than its year."""
    told = WITH_THE_YEAR.get(step.quantity)
    born = step.facts.get("born")
    if told is None or not isinstance(born, date):
        return step
    return replace(step, quantity=told, facts={**step.facts, "born": born.year})


def tells_birth(finding: Finding) -> bool:
    """Whether a finding repeats a birth."""
    return finding.code in ABOUT_BIRTHS
