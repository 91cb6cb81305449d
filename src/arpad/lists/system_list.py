"""The list of a rating system: its computation from states and events, as values that ``lists.canonical`` writes."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from hashlib import sha256
from typing import Any

from arpad.lists.canonical import write_canonical
from arpad.lists.chain import EVERY, Chain, chain_start, rate_again
from arpad.lists.chain_checkpoints import ChainStart, KeptCheckpoint, begin_chain, kept_chain
from arpad.lists.published import ListedPlayer, PublishedList
from arpad.lists.system_units import periods_of, state_of, state_text
from arpad.model.errors import BadInput
from arpad.model.people import Person, birth_year
from arpad.model.rules import Fact, Finding, ListName
from arpad.regulations.outcomes import Line
from arpad.regulations.rating_system import Driver, System, SystemEdition
from arpad.regulations.systems import edition_digest, edition_of, edition_on, system_named
from arpad.regulations.units import Unit


@dataclass(frozen=True, kw_only=True)
class SystemInputs:
    """Everything a list is computed from."""

    on_list: str
    day: date
    number: int
    revision: int = 1
    previous: str = ""
    revises: str = ""
    system: str
    known: date | None = None
    """The day on which the office knew the editions."""

    start: Mapping[int, str] = field(default_factory=dict)
    """The states before the first event, as canonical JSON."""

    opened: date | None = None
    """The day of these states; needed if a system raises all ratings on some day after it."""

    units: tuple[Unit[Any], ...] = ()
    """The events up to the list; players by number, with facts; only guests have a state."""

    periods: tuple[date, ...] = ()
    """Of a system by periods: their last days; that of the list is the last."""

    facts: Mapping[str, Fact] = field(default_factory=dict)
    """Of a system by periods: what the federation sets for its list."""

    people: Mapping[int, Person] = field(default_factory=dict)
    before: Mapping[int, int] = field(default_factory=dict)
    """The figures of the list before."""

    since: date | None = None
    """The events until this day were on the list before."""

    hidden: frozenset[int] = frozenset()
    """Rated, and not on the list."""

    left_off: int = 0
    """How many players are left off because they asked not to be shown."""

    whole_digest: str = ""
    """The published digest, if players are left off."""

    @cached_property
    def begun(self) -> ChainStart:
        """What the checkpoints of its events follow from."""
        states, units = start_states(self), chained_units(self)
        return begin_chain(system_named(self.system), states, self.opened, units, self.known)

    def editions(self) -> dict[str, str]:
        """Return the editions that the list and its events need, with their digests."""
        system = system_named(self.system)
        needed = [edition_of(system, unit, self.known) for unit in chained_units(self)]
        return {edition.id: edition_digest(edition) for edition in (*needed, edition_of_list(self))}


@dataclass(frozen=True)
class SystemResult:
    """A list as it would be published, and the states of everybody after it."""

    published: PublishedList
    chain: Chain[Any]
    """Gives the next computation its checkpoints."""

    after: Mapping[str, Any]
    """The state of everybody on the day of the list, by name."""

    about_figures: tuple[Finding, ...] = ()
    """Findings about printed figures."""

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The findings about the events that were rated for the list, and about its figures."""
        return (*(finding for _, finding in self.chain.findings), *self.about_figures)

    @cached_property
    def states(self) -> Mapping[int, str]:
        """The states as canonical JSON, also of those who are not on the list."""
        system = self.published.system
        return {int(name): state_text(system, it) for name, it in sorted(self.after.items())}

    @cached_property
    def text(self) -> bytes:
        """The canonical text."""
        return write_canonical(self.published)

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the canonical text."""
        return sha256(self.text).hexdigest()

    @cached_property
    def standings_digest(self) -> str:
        """SHA-256 over all states."""
        return sha256(standings_text(self.states)).hexdigest()


def standings_text(states: Mapping[int, str]) -> bytes:
    """Return a line for each state, by number."""
    return "".join(f"{player}\t{state}\n" for player, state in sorted(states.items())).encode()


def compute_system_list(inputs: SystemInputs, chain: Chain[Any] | None = None) -> SystemResult:
    """Compute a list; its events may be rated already."""
    return list_of_chain(inputs, chain or rate_inputs(inputs))


def rate_inputs(
    inputs: SystemInputs,
    kept: Collection[KeptCheckpoint] = (),
    *,
    every: int = EVERY,
    days: Collection[date] = (),
) -> Chain[Any]:
    """Rate the events of a list from the last kept checkpoint whose events are still the same."""
    system, units = system_named(inputs.system), chained_units(inputs)
    begun = (
        kept_chain(inputs.begun, kept) if kept else Chain((chain_start(start_states(inputs), inputs.opened),))
    )
    return rate_again(system, units, begun, every=every, days=days, known=inputs.known)


def start_states(inputs: SystemInputs) -> dict[str, Any]:
    """Return the states before the first event, by name."""
    system = system_named(inputs.system)
    return {str(number): state_of(system, text, str(number)) for number, text in inputs.start.items()}


def chained_units(inputs: SystemInputs) -> tuple[Unit[Any], ...]:
    """Return what is rated one after the other: the events, or the periods."""
    if system_named(inputs.system).driver is Driver.CHAIN:
        return inputs.units
    return tuple(periods_of(inputs.units, inputs.periods, map(str, inputs.start), inputs.facts))


def edition_of_list(inputs: SystemInputs) -> SystemEdition[Any]:
    """Return the edition in force on the day of a list."""
    return edition_on(system_named(inputs.system), inputs.day, inputs.known)


def list_of_chain(inputs: SystemInputs, chain: Chain[Any]) -> SystemResult:
    """Return the list of the states on its day, after the last event of a chain."""
    system: System[Any, Any] = system_named(inputs.system)
    edition, states = edition_of_list(inputs), chain.states_on(system, inputs.day)
    games, lines, findings = _games_since(inputs), dict[str, Line](), list[Finding]()
    for name, state in sorted(states.items(), key=lambda item: int(item[0])):
        line = system.line(state, edition.rules, inputs.day)
        if line.figure is not None and int(name) not in inputs.hidden:
            lines[name] = line
            findings += line.findings_about(name)
    columns = own_columns(lines.values())
    published = PublishedList(
        on_list=ListName(inputs.on_list, inputs.system),
        day=inputs.day,
        number=inputs.number,
        revision=inputs.revision,
        edition=edition.id,
        previous=inputs.previous,
        revises=inputs.revises,
        columns=columns,
        rows=tuple(_row(int(name), line, columns, games[name], inputs) for name, line in lines.items()),
        left_off=inputs.left_off,
        whole_digest=inputs.whole_digest,
    )
    return SystemResult(published, chain, states, tuple(findings))


def own_columns(lines: Iterable[Line]) -> tuple[str, ...]:
    """Return the names of the system's own columns that some lines have."""
    named = (name for line in lines for name, value in line.columns.items() if value is not None)
    return tuple(dict.fromkeys(named))


def _row(player: int, line: Line, columns: tuple[str, ...], games: int, inputs: SystemInputs) -> ListedPlayer:
    person, before = inputs.people.get(player), inputs.before.get(player)
    if person is None:
        raise BadInput("person-missing", player=player)
    row = listed_player(person, line, columns)
    return row._replace(games=games, k=None if before is None else (row.rating or 0) - before)


def listed_player(person: Person, line: Line, columns: tuple[str, ...]) -> ListedPlayer:
    """Return the line of a person on the list of a rating system, with the values of its own columns."""
    values = map(line.columns.get, columns)
    return ListedPlayer(
        person.id, person.name, person.federation, category=line.text, rating=line.figure,
        born=birth_year(person.born), identifiers=tuple(sorted(person.identifiers)),
        own=tuple("" if it is None else str(it) for it in values),
    )  # fmt: skip


def _games_since(inputs: SystemInputs) -> Counter[str]:
    """Return how many games each player played after the list before."""
    games: Counter[str] = Counter()
    for unit in inputs.units:
        if inputs.since is None or (unit.last_day or date.max) > inputs.since:
            for game in unit.games:
                games.update((game.player, game.opponent))
    return games
