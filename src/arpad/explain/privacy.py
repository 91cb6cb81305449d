"""Hide from the public the day and month of a birth, the day of a death, and who is not a member."""

from dataclasses import replace
from datetime import date

from arpad.model.rules import Finding, Step

WITH_THE_YEAR = {"k-junior": "k-junior-public"}
"""Steps that contain a birth, and the key of the sentence with its year only."""

PRIVATE = frozenset(
    {
        "birth-left-out",
        "birth-unreadable",
        "sheet-birth",
        "player-deceased",
        "player-deceased-before",
        "not-a-member",
    }
)
"""Findings that contain a birth as it was written, or a day of death or a membership from the register."""


def year_only(step: Step) -> Step:
    """Return a step with only the year of a birth."""
    key = WITH_THE_YEAR.get(step.quantity)
    born = step.facts.get("born")
    if key is None or not isinstance(born, date):
        return step
    return replace(step, quantity=key, facts={**step.facts, "born": born.year})


def is_private(finding: Finding) -> bool:
    """Return whether a finding contains a birth, a death or a membership."""
    return finding.code in PRIVATE
