"""Findings about what a report contains and a format cannot express."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import fields

from arpad.model.rules import Finding, Severity
from arpad.reports.report import Entrant, Header, Report, Team

_SHOWN = 10


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
