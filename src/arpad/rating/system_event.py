"""An event or several periods rated under any system: the answer of ``arpad calc event``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from arpad.model.rules import Finding
from arpad.rating.event_question import EventQuestion
from arpad.regulations.rating_system import Entrant, Line, Number, Pass, PlayerOutcome, SystemEdition
from arpad.regulations.systems import rate_unit


@dataclass(frozen=True, slots=True)
class RatedEntrant:
    """A player before and after the event, with what lies between."""

    before: Mapping[str, Any]
    after: Mapping[str, Any]
    """The values of the entrant, from which the next event can begin."""

    line: Line | None
    change: Number | None
    outcome: PlayerOutcome[Any]


@dataclass(frozen=True, slots=True)
class EventAnswer:
    """The players of an event after it."""

    system: str
    edition: SystemEdition[Any]
    players: Mapping[str, RatedEntrant]
    findings: tuple[Finding, ...]


def answer_event(question: EventQuestion) -> EventAnswer:
    """Rate the units of a question one after the other, each from the states after the one before."""
    system, edition = question.system, question.edition
    first = question.units[0].entrants
    entrants, findings = dict(first), list[Finding]()
    outcomes: dict[str, PlayerOutcome[Any]] = {}
    for number, unit in enumerate(question.units, start=1):
        outcome = rate_unit(system, replace(unit, entrants=entrants), edition.rules)
        findings += outcome.findings
        for name, player in outcome.players.items():
            entrants[name] = replace(entrants[name], state=player.after)
            passes = _numbered(player.passes, number) if len(question.units) > 1 else player.passes
            outcomes[name] = (
                replace(player, before=outcomes[name].before, passes=(*outcomes[name].passes, *passes))
                if name in outcomes
                else replace(player, passes=passes)
            )
    players = {
        name: _rated_entrant(question, first[name], entrants[name], outcome)
        for name, outcome in outcomes.items()
    }
    doubts = tuple(finding for player in players.values() if player.line for finding in player.line.findings)
    return EventAnswer(system.id, edition, players, (*findings, *doubts))


def _numbered(passes: tuple[Pass, ...], number: int) -> tuple[Pass, ...]:
    return tuple(replace(part, number=number) for part in passes)


def _rated_entrant(
    question: EventQuestion, before: Entrant[Any], after: Entrant[Any], outcome: PlayerOutcome[Any]
) -> RatedEntrant:
    system, rules = question.system, question.edition.rules
    last_day = question.units[-1].last_day
    line = None if after.state is None else system.line(after.state, rules, last_day)
    ratings = [None if state is None else system.rating_of(state) for state in (before.state, after.state)]
    change = None if ratings[0] is None or ratings[1] is None else ratings[1] - ratings[0]
    return RatedEntrant(system.values(before), system.values(after), line, change, outcome)
