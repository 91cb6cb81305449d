"""What a reader has to say, gathered while it reads."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from arpad.model import Fact, Finding, Severity

_SHOWN = 10
"""How many start numbers a finding about many players names."""


@dataclass(slots=True)
class Notes:
    """Findings in the making; the same remark about many places becomes one that counts them."""

    findings: list[Finding] = field(default_factory=list)
    _repeated: dict[tuple[str, tuple[tuple[str, Fact], ...]], list[Finding]] = field(default_factory=dict)

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
        """One remark about one place."""
        self.findings.append(
            Finding(severity, code, line=line, column=column, player=player, round=round, facts=facts)
        )

    def count(
        self,
        severity: Severity,
        code: str,
        line: int,
        column: int | None = None,
        *,
        player: int | None = None,
        round: int | None = None,  # noqa: A002
        **facts: Fact,
    ) -> None:
        """A remark that is made once, at its first place, with ``count`` and the ``players`` it is about."""
        finding = Finding(severity, code, line=line, column=column, player=player, round=round, facts=facts)
        self._repeated.setdefault((code, tuple(facts.items())), []).append(finding)

    def all(self) -> tuple[Finding, ...]:
        """All findings in the order of the file."""
        merged = [_merged(same) for same in self._repeated.values()]
        return tuple(sorted([*self.findings, *merged], key=lambda f: (f.line or 0, f.column or 0, f.code)))


def _merged(same: list[Finding]) -> Finding:
    first = same[0]
    facts: Mapping[str, Fact] = {
        **first.facts,
        "count": len(same),
        "players": first_few(f.player for f in same),
    }
    return Finding(
        first.severity,
        first.code,
        line=first.line,
        column=first.column,
        player=first.player,
        round=first.round,
        facts=facts,
    )


def first_few(numbers: Iterable[int | None]) -> tuple[Fact, ...]:
    """The first numbers, each once, and an ellipsis where there are more."""
    distinct: list[Fact] = list(dict.fromkeys(number for number in numbers if number is not None))
    return tuple(distinct[:_SHOWN]) + (("…",) if len(distinct) > _SHOWN else ())
