"""Collect the findings of a reader or writer."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field, replace
from itertools import islice

from arpad.model.rules import Fact, Finding, Severity
from arpad.model.values import dataclass

_SHOWN = 10
"""The most start numbers in a finding about many players."""

_MOST = 5000
"""The most findings; further ones are only counted."""


@dataclass(slots=True)
class _Repeated:
    """A finding at many positions: the first one, their number, and the players."""

    first: Finding
    count: int = 0
    players: dict[int, None] = field(default_factory=dict)

    def again(self, player: int | None) -> None:
        """Count another position."""
        self.count += 1
        if player is not None and len(self.players) <= _SHOWN:
            self.players[player] = None

    def finding(self) -> Finding:
        """Return the finding with ``count`` and ``players``."""
        facts = {**self.first.facts, "count": self.count, "players": first_few(self.players)}
        return replace(self.first, facts=facts)


@dataclass(slots=True)
class Notes:
    """The findings so far; ``count`` turns the same finding at many positions into one that counts them."""

    findings: list[Finding] = field(default_factory=list)
    _repeated: dict[tuple[str, tuple[tuple[str, Fact], ...]], _Repeated] = field(default_factory=dict)
    _left_out: int = 0

    def add(
        self,
        severity: Severity,
        code: str,
        line: int | None = None,
        column: int | None = None,
        *,
        player: int | None = None,
        round: int | None = None,  # noqa: A002 (the word an arbiter says)
        **facts: Fact,
    ) -> None:
        """Add a finding at one position."""
        if len(self.findings) + len(self._repeated) >= _MOST:
            self._left_out += 1
            return
        self.findings.append(
            Finding(severity, code, line=line, column=column, player=player, round=round, facts=facts)
        )

    def count(
        self,
        severity: Severity,
        code: str,
        line: int | None = None,
        column: int | None = None,
        *,
        player: int | None = None,
        round: int | None = None,  # noqa: A002  a fact's name
        **facts: Fact,
    ) -> None:
        """Add a finding at its first position, or count another position of it."""
        key = (code, tuple(facts.items()))
        if key not in self._repeated:
            if len(self.findings) + len(self._repeated) >= _MOST:
                self._left_out += 1
                return
            first = Finding(severity, code, line=line, column=column, player=player, round=round, facts=facts)
            self._repeated[key] = _Repeated(first)
        self._repeated[key].again(player)

    def all(self) -> tuple[Finding, ...]:
        """Return all findings in the order of the file."""
        merged = [repeated.finding() for repeated in self._repeated.values()]
        findings = sorted([*self.findings, *merged], key=lambda f: (f.line or 0, f.column or 0, f.code))
        if self._left_out:
            findings.append(Finding(Severity.WARNING, "more-findings", facts={"count": self._left_out}))
        return tuple(findings)


def first_few(numbers: Iterable[int]) -> tuple[Fact, ...]:
    """Return the first numbers, with an ellipsis if there are more."""
    shown: list[Fact] = list(islice(numbers, _SHOWN + 1))
    return tuple(shown[:_SHOWN]) + (("…",) if len(shown) > _SHOWN else ())
