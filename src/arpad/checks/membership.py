"""The players of an event must be members on its first day, if an own edition requires it."""

from __future__ import annotations

from collections.abc import Iterator

from arpad.checks.context import error, first_start_numbers, info
from arpad.checks.positions import of_player
from arpad.model.rules import Finding, Rule
from arpad.regulations.membership import Members
from arpad.reports.event_facts import EventFacts
from arpad.reports.report import Report


def check_members(report: Report, facts: EventFacts, rule: Rule[Members] | None) -> Iterator[Finding]:
    """Check that the players are members on the first day; without an office that is unknown."""
    if rule is None:
        return
    known = [facts.player(entrant.number, entrant.id) for entrant in report.entrants]
    required = [not player.guest or rule.value == Members.ALL for player in known]
    unknown = [
        entrant
        for entrant, player, needed in zip(report.entrants, known, required, strict=True)
        if needed and player.member is None
    ]
    if unknown:
        players = first_start_numbers(unknown)
        yield info("membership-unknown", rule.article, count=len(unknown), players=players)
    first = report.header.first_day
    for index, (entrant, player) in enumerate(zip(report.entrants, known, strict=True)):
        if required[index] and player.member is False:
            where = of_player(report, index, "name")
            yield error("not-a-member", rule.article, **where, name=entrant.name, first=first)
