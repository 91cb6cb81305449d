"""How a player's line on the list of a rating system came about: each event since the list before, pass by pass."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from arpad.lists.chain import Chain, before_each, states_on
from arpad.lists.system_list import SystemInputs, chained_units, edition_of_list, rate_inputs
from arpad.regulations.outcomes import Line, PlayerOutcome
from arpad.regulations.rating_system import Turn
from arpad.regulations.systems import edition_of, edition_on, rate_unit, system_named


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplainedUnit:
    """An event, or a period, with what it did to the player."""

    name: str
    number: int
    first_day: date | None
    last_day: date | None
    edition: str
    outcome: PlayerOutcome[Any]
    before: Line | None
    after: Line | None


@dataclass(frozen=True, slots=True)
class SystemExplanation:
    """How a printed figure changed with one list."""

    before: int | None
    """The figure on the list before."""

    again: int | None
    """The change of that figure by late or corrected events of earlier lists; None without a list before."""

    after: Line | None
    events: tuple[ExplainedUnit, ...]
    """Those that ended after the list before, in their order."""

    turn: Turn[Any, Any] | None = None
    """The last day since the list before on which the system changed all ratings."""

    by_turns: int = 0
    """How many points the days changed on which the system changes all ratings."""


def explain_players(
    inputs: SystemInputs, players: Iterable[int], chain: Chain[Any] | None = None
) -> dict[int, SystemExplanation]:
    """Explain the lines of players; an earlier chain over the same events saves rating those before."""
    system, units = system_named(inputs.system), chained_units(inputs)
    chain = chain or rate_inputs(inputs)
    since, asked = inputs.since or date.min, {str(player) for player in players}
    theirs = [it for it in units if asked & it.entrants.keys() and (it.last_day or date.max) > since]
    rules = edition_of_list(inputs).rules

    def line_of(state: Any) -> Line | None:
        return None if state is None else system.line(state, rules, inputs.day)

    events: dict[str, list[ExplainedUnit]] = {name: [] for name in asked}
    for unit in before_each(system, units, chain, theirs, known=inputs.known):
        edition = edition_of(system, unit, inputs.known)
        outcomes = rate_unit(system, unit, edition.rules).players
        for name in asked & unit.entrants.keys():
            outcome = outcomes[name]
            events[name].append(
                ExplainedUnit(
                    name=unit.name,
                    number=unit.number,
                    first_day=unit.first_day,
                    last_day=unit.last_day,
                    edition=edition.id,
                    outcome=outcome,
                    before=line_of(outcome.before),
                    after=line_of(outcome.after),
                )
            )
    turn = next(
        (it for it in reversed(list(system.turns(since, inputs.day))) if since < it.day <= inputs.day), None
    )
    states, then = chain.states_on(system, inputs.day), dict[str, Line]()
    if turn is not None and inputs.since is not None:
        rules_then = edition_on(system, since, inputs.known).rules
        states_then = states_on(system, units, chain, since, known=inputs.known)
        then = {
            name: system.line(states_then[name], rules_then, since) for name in asked & states_then.keys()
        }
    explained = {}
    for name, theirs_since in events.items():
        after, before = line_of(states.get(name)), inputs.before.get(int(name))
        first = theirs_since[0].before if theirs_since else after
        if turn is not None and inputs.since is not None:
            first = then.get(name)
        again = None if before is None or first is None or first.figure is None else first.figure - before
        explanation = SystemExplanation(before, again, after, tuple(theirs_since))
        if turn is not None and again is not None:
            by_events = sum(_figure(event.after) - _figure(event.before) for event in theirs_since)
            by_turns = _figure(after) - _figure(first) - by_events
            explanation = replace(explanation, turn=turn, by_turns=by_turns)
        explained[int(name)] = explanation
    return explained


def _figure(line: Line | None) -> int:
    return (line.figure if line else None) or 0
