"""The findings of a reader or writer: what it notes in a file, and what a format cannot express."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field, fields, replace
from itertools import islice

from arpad.model.rules import Fact, Finding, Severity
from arpad.reports.report import Entrant, Header, Report, Team

_SHOWN = 10
"""The most start numbers, or tags of records, in one finding."""

_MOST = 5000
"""The most findings; further ones are only counted."""


@dataclass(slots=True)
class _Repeated:
    """A finding at many positions: the first one, their number, and the players."""

    first: Finding
    count: int = 0
    players: dict[int, None] = field(default_factory=dict)


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
        repeated = self._repeated[key]
        repeated.count += 1
        if player is not None and len(repeated.players) <= _SHOWN:
            repeated.players[player] = None

    def all(self) -> tuple[Finding, ...]:
        """Return all findings in the order of the file."""
        merged = [
            replace(it.first, facts={**it.first.facts, "count": it.count, "players": first_few(it.players)})
            for it in self._repeated.values()
        ]
        findings = sorted([*self.findings, *merged], key=lambda f: (f.line or 0, f.column or 0, f.code))
        if self._left_out:
            findings.append(Finding(Severity.WARNING, "more-findings", facts={"count": self._left_out}))
        return tuple(findings)


def first_few(numbers: Iterable[int]) -> tuple[Fact, ...]:
    """Return the first numbers, with an ellipsis if there are more."""
    shown: list[Fact] = list(islice(numbers, _SHOWN + 1))
    return tuple(shown[:_SHOWN]) + (("…",) if len(shown) > _SHOWN else ())


def header_losses(header: Header, expressible: Collection[str]) -> Iterator[Finding]:
    """Add a finding for each fact about the event that the format cannot express."""
    for entry in fields(Header):
        if entry.name not in expressible and getattr(header, entry.name):
            yield _lost(entry.name)


def player_losses(report: Report, expressible: Collection[str]) -> Iterator[Finding]:
    """Add a finding for each fact about players that the format cannot express, with the players concerned."""
    for entry in fields(Entrant):
        if entry.name in expressible or entry.name == "line":
            continue
        numbers = [
            entrant.number for entrant in report.entrants if getattr(entrant, entry.name) not in (None, "")
        ]
        if numbers:
            yield Finding(
                Severity.WARNING, f"lost-player-{_kebab(entry.name)}", facts={"players": len(numbers)}
            )


def record_losses(report: Report, *, teams: bool) -> Iterator[Finding]:
    """Add findings for team facts, national lists and other records; ``teams``: the format has names and members."""
    if report.teams and not teams:
        yield _lost("team-members")
    elif any(Team(team.name, team.members, team.number, line=team.line) != team for team in report.teams):
        yield _lost("team-facts")
    if report.national:
        yield _lost("national")
    if report.records:
        tags = tuple(dict.fromkeys(record.tag for record in report.records))
        yield Finding(Severity.WARNING, "lost-records", facts={"records": tags[:_SHOWN]})


def _lost(name: str) -> Finding:
    return Finding(Severity.WARNING, f"lost-{_kebab(name)}")


def _kebab(name: str) -> str:
    return name.replace("_", "-")
