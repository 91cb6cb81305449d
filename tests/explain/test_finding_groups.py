"""Findings that repeat are one group, and one line."""

from __future__ import annotations

from arpad.explain.finding_groups import group_findings
from arpad.explain.words import load_words
from arpad.model.rules import Finding, Severity

NAMELESS = [Finding(Severity.WARNING, "name-missing", player=number) for number in (1, 2, 5)]
LATE = Finding(Severity.ERROR, "stopped-early", facts={"played": 3, "planned": 5})


def test_findings_are_grouped_by_code_the_gravest_first() -> None:
    first, second = group_findings([*NAMELESS, LATE])
    assert (first.severity, first.first, first.more) == (Severity.ERROR, LATE, 0)
    assert (second.more, second.players) == (2, (2, 5))


def test_in_one_line_each_code_is_said_once() -> None:
    sentence = load_words("en").findings([*NAMELESS, LATE])
    assert sentence.startswith("5 rounds were planned, 3 rounds have games. ")
    assert sentence.endswith("(and 2 similar findings).")
