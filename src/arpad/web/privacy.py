"""What the public is not told: of a birth the day and the month, of a death the day."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from arpad.model.rules import Finding, Step

WITH_THE_YEAR = {"k-junior": "k-junior-public"}
"""Steps that tell a birth, and how they are told with its year alone."""

PRIVATE = frozenset(
    {"birth-left-out", "birth-unreadable", "sheet-birth", "player-deceased", "player-deceased-before"}
)
"""Findings that repeat a birth as it was written, or a day of death from the register."""


def year_only(step: Step) -> Step:
    """A step with no more of a birth than its year."""
    told = WITH_THE_YEAR.get(step.quantity)
    born = step.facts.get("born")
    if told is None or not isinstance(born, date):
        return step
    return replace(step, quantity=told, facts={**step.facts, "born": born.year})


def is_private(finding: Finding) -> bool:
    """Return whether a finding repeats a birth or a death."""
    return finding.code in PRIVATE
