"""How a player's line on the list of a rating system came about: each event since the list before, pass by pass."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any

from arpad.lists.chain import Chain, before_each, states_on
from arpad.lists.system_list import SystemInputs, chained_units, edition_of_list, rate_inputs
from arpad.regulations.rating_system import Line, PlayerOutcome, Turn
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


def explain_player(inputs: SystemInputs, player: int, chain: Chain[Any] | None = None) -> SystemExplanation:
    """Explain a player's line; an earlier chain over the same events saves rating those before."""
    system, name, units = system_named(inputs.system), str(player), chained_units(inputs)
    chain = chain or rate_inputs(inputs)
    since = inputs.since or date.min
    theirs = [it for it in units if name in it.entrants and (it.last_day or date.max) > since]
    rules = edition_of_list(inputs).rules

    def line_of(state: Any) -> Line | None:
        return None if state is None else system.line(state, rules, inputs.day)

    events = tuple(
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
        for unit in before_each(system, units, chain, theirs, known=inputs.known)
        for edition in [edition_of(system, unit, inputs.known)]
        for outcome in [rate_unit(system, unit, edition.rules).players[name]]
    )
    after = line_of(chain.states_on(system, inputs.day).get(name))
    first = events[0].before if events else after
    before = inputs.before.get(player)
    turn = next(
        (it for it in reversed(list(system.turns(since, inputs.day))) if since < it.day <= inputs.day), None
    )
    if turn is not None and inputs.since is not None:
        state = states_on(system, units, chain, since, known=inputs.known).get(name)
        first = (
            None
            if state is None
            else system.line(state, edition_on(system, since, inputs.known).rules, since)
        )
    again = None if before is None or first is None or first.figure is None else first.figure - before
    if turn is None or again is None:
        return SystemExplanation(before, again, after, events)
    by_events = sum(_figure(event.after) - _figure(event.before) for event in events)
    by_turns = _figure(after) - _figure(first) - by_events
    return SystemExplanation(before, again, after, events, turn, by_turns)


def _figure(line: Line | None) -> int:
    return (line.figure if line else None) or 0
