"""A chain of events under a rating system: rated one after the other, and again from where something changed.

Checkpoints hold the states of all players after every so many events, so that a late event of last month does not
compute twenty years again. Nothing here knows what a state is.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import pairwise
from typing import Any, Generic, TypeAlias, TypeVar

from arpad.model.errors import BadInput
from arpad.model.rules import Finding
from arpad.regulations.rating_system import LAST, System
from arpad.regulations.systems import edition_of, edition_on, rate_unit
from arpad.regulations.units import Unit

S = TypeVar("S")
R = TypeVar("R")

Place: TypeAlias = tuple[Any, ...]
"""The place of an event in the chain, as ``System.order`` gives it; the empty one is before all events."""

EVERY = 500
"""Events between two checkpoints."""


@dataclass(frozen=True, slots=True)
class Checkpoint(Generic[S]):
    """The states of all players after the event at a place."""

    place: Place
    states: Mapping[str, S]
    events: int = 0
    """How many events are before it: a chain that has others has a hole."""


@dataclass(frozen=True, slots=True)
class Chain(Generic[S]):
    """A chain as far as it is rated."""

    checkpoints: tuple[Checkpoint[S], ...]
    """From the states at the start to those after the last event."""

    findings: tuple[tuple[Place, Finding], ...] = ()
    rated: int = 0
    """How many events were rated to make it: fewer than it has if checkpoints were taken over."""

    @property
    def states(self) -> Mapping[str, S]:
        """The states after the last event."""
        return self.checkpoints[-1].states

    def states_on(self, system: System[S, R], day: date) -> Mapping[str, S]:
        """Return the states on a day after the last event."""
        last = self.checkpoints[-1]
        return turned(system, last.states, last.place, (str(day), LAST))


def rate_chain(
    system: System[S, R],
    units: Iterable[Unit[S]],
    start: Mapping[str, S] | None = None,
    *,
    opened: date | None = None,
    every: int = EVERY,
    days: Collection[date] = (),
    known: date | None = None,
) -> Chain[S]:
    """Rate a chain from its start.

    The entrants of the units have facts and no states, except those that are fixed. ``opened`` is the day of the states
    at the start, ``known`` the day on which an office knew the editions. A checkpoint is kept after ``every`` so many
    events, and after the last one that ended until each of some days.
    """
    begun = Chain((chain_start(start or {}, opened),))
    return _continued(system, in_order(system, units), begun, every, days, known)


def chain_start(states: Mapping[str, S], opened: date | None) -> Checkpoint[S]:
    """Return the checkpoint before the first event."""
    return Checkpoint((str(opened),) if opened else (), dict(states))


def rate_again(
    system: System[S, R],
    units: Iterable[Unit[S]],
    chain: Chain[S],
    changed: Place | None = None,
    *,
    every: int = EVERY,
    days: Collection[date] = (),
    known: date | None = None,
) -> Chain[S]:
    """Rate a chain again from the first place at which an event was added, changed or taken away.

    Without one, only the events after its last place are rated.
    """
    first, *others = chain.checkpoints
    kept = [first, *(it for it in others if changed is None or it.place < changed)]
    last = kept[-1].place
    findings = tuple((place, finding) for place, finding in chain.findings if place <= last)
    return _continued(system, in_order(system, units), Chain(tuple(kept), findings), every, days, known)


def states_on(
    system: System[S, R], units: Iterable[Unit[S]], chain: Chain[S], day: date, *, known: date | None = None
) -> Mapping[str, S]:
    """Return the states after all events that ended on a day or before."""
    until = [unit for unit in units if (unit.last_day or unit.first_day or date.max) <= day]
    ordered = in_order(system, until)
    if not ordered:
        return chain.checkpoints[0].states
    places = [checkpoint.place for checkpoint in chain.checkpoints]
    nearest = chain.checkpoints[bisect_right(places, system.order(ordered[-1])) - 1]
    return _continued(system, ordered, Chain((nearest,)), EVERY, (), known).states_on(system, day)


def before_each(
    system: System[S, R],
    units: Iterable[Unit[S]],
    chain: Chain[S],
    asked: Iterable[Unit[S]],
    *,
    known: date | None = None,
) -> Iterator[Unit[S]]:
    """Yield some units of a chain in their order, their entrants with the states that they see."""
    ordered = in_order(system, units)
    asked_places = {system.order(unit) for unit in asked}
    places = [checkpoint.place for checkpoint in chain.checkpoints]
    states, rated, after = dict(chain.checkpoints[0].states), 0, places[0]
    unit_places = [system.order(unit) for unit in ordered]
    for number, place in enumerate(unit_places):
        if place not in asked_places:
            continue
        nearest = chain.checkpoints[bisect_left(places, place) - 1]
        first = bisect_right(unit_places, nearest.place)
        if first > rated:
            states, rated, after = dict(nearest.states), first, nearest.place
        for _, last, _ in walk(system, ordered[rated:number], states, known, after):
            after = last
        rated = number
        yield _with_states(ordered[number], turned(system, states, after, place))


def in_order(system: System[S, R], units: Iterable[Unit[S]]) -> list[Unit[S]]:
    """Return events in the order of their chain; refuse two at one place, whose order nothing decides."""
    ordered = sorted(units, key=system.order)
    for unit, following in pairwise(ordered):
        if system.order(unit) == system.order(following):
            raise BadInput("unit-twice", name=unit.name, day=unit.last_day)
    return ordered


def _continued(
    system: System[S, R],
    ordered: Sequence[Unit[S]],
    chain: Chain[S],
    every: int,
    days: Collection[date],
    known: date | None,
) -> Chain[S]:
    """Return a chain with the events after its last checkpoint."""
    checkpoints, findings = list(chain.checkpoints), list(chain.findings)
    last = checkpoints[-1]
    states, place = dict(last.states), last.place
    places, ends = [system.order(unit) for unit in ordered], sorted(map(str, days))
    first = bisect_right(places, place)
    if first != last.events:
        raise BadInput(
            "chain-with-hole",
            day=date.fromisoformat(place[0]) if place else "",
            events=last.events,
            found=first,
        )
    # how many of the days are before each event: if it is more than before the last one, a day is between them
    ended = [bisect_left(ends, it[0]) for it in places]
    steps = walk(system, ordered[first:], states, known, place)
    for number, (_, place, said) in enumerate(steps, start=first + 1):
        findings.extend((place, finding) for finding in said)
        is_last = number == len(ordered)
        if is_last or number % every == 0 or ended[number] > ended[number - 1]:
            checkpoints.append(Checkpoint(place, states if is_last else dict(states), number))
    return Chain(tuple(checkpoints), tuple(findings), len(ordered) - first)


def walk(
    system: System[S, R],
    ordered: Iterable[Unit[S]],
    states: dict[str, S],
    known: date | None = None,
    after: Place = (),
) -> Iterator[tuple[Unit[S], Place, tuple[Finding, ...]]]:
    """Rate events in their order; yield each when the states after it are in the place of those before."""
    for unit in ordered:
        place = system.order(unit)
        states.update(turned(system, states, after, place))
        rules, after = edition_of(system, unit, known).rules, place
        outcome = rate_unit(system, _with_states(unit, states), rules)
        for name, player in outcome.players.items():
            if player.after is not None and not unit.entrants[name].fixed:
                states[name] = player.after
        yield unit, place, outcome.findings


def turned(system: System[S, R], states: Mapping[str, S], after: Place, until: Place) -> Mapping[str, S]:
    """Return the states after the days between two places on which all states change."""
    days = [date.fromisoformat(place[0]) for place in (after, until) if after]
    for turn in system.turns(*days) if days else ():
        if after < turn.place <= until:
            rules = edition_on(system, turn.day).rules
            states = {name: turn.change(state, rules) for name, state in states.items()}
    return states


def _with_states(unit: Unit[S], states: Mapping[str, S]) -> Unit[S]:
    """Return an event whose entrants have the states that it sees."""
    entrants = {
        name: entrant if entrant.fixed else replace(entrant, state=states.get(name))
        for name, entrant in unit.entrants.items()
    }
    return replace(unit, entrants=entrants)
