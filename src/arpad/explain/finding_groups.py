"""Findings of one kind as a group: a report of a hundred players often has the same finding a hundred times."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from arpad.model.rules import Finding, Severity
from arpad.model.values import dataclass


@dataclass(frozen=True, slots=True)
class FindingGroup:
    """The findings of one code and severity, in their order."""

    findings: tuple[Finding, ...]

    @property
    def first(self) -> Finding:
        """The finding that is shown in words."""
        return self.findings[0]

    @property
    def severity(self) -> Severity:
        """The severity of all of them."""
        return self.first.severity

    @property
    def more(self) -> int:
        """How many there are besides the first."""
        return len(self.findings) - 1

    @property
    def players(self) -> tuple[int, ...]:
        """The start numbers that the findings after the first are about."""
        numbers = (finding.player for finding in self.findings[1:])
        return tuple(dict.fromkeys(number for number in numbers if number is not None))


def group_findings(findings: Iterable[Finding]) -> tuple[FindingGroup, ...]:
    """Return findings grouped by severity and code, the gravest first, then in the order of the first of each."""
    grave = list(Severity)
    groups: dict[tuple[Severity, str], list[Finding]] = {}
    for finding in findings:
        groups.setdefault((finding.severity, finding.code), []).append(finding)
    ordered = sorted(groups.items(), key=lambda item: grave.index(item[0][0]))
    return tuple(FindingGroup(tuple(same)) for _, same in ordered)


def verdict_key(findings: Iterable[Finding]) -> tuple[str, dict[str, int]]:
    """Return the key of the sentence that says whether a report is ready, and the counts for it."""
    counted = Counter(finding.severity for finding in findings)
    errors, warnings, notes = (counted[severity] for severity in Severity)
    key = "errors" if errors else "warnings" if warnings else "ready"
    key = "errors-only" if errors and not warnings else key
    return f"verdict.{key}", {"errors": errors, "warnings": warnings, "notes": notes}
