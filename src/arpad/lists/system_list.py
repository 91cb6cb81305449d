"""The list of a rating system: its lines as values, its canonical text, and its computation from states and events.

``arpad-list/2`` is like the text of ``lists.canonical``, with the system's name and its columns
(docs/reference/list-format.md).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from hashlib import sha256
from itertools import pairwise
from operator import attrgetter
from typing import Any

from arpad.lists.canonical import (
    canonical_head,
    escape,
    identifiers_field,
    own_fields,
    parse_head,
    parse_line,
    system_unreadable,
)
from arpad.lists.chain import EVERY, Chain, chain_start, rate_again
from arpad.lists.chain_checkpoints import ChainStart, KeptCheckpoint, begin_chain, kept_chain
from arpad.lists.published import ListHead
from arpad.lists.system_units import periods_of, state_of, state_text
from arpad.model.errors import BadInput
from arpad.model.people import Person, birth_year
from arpad.model.rules import Fact, Finding, ListName
from arpad.regulations.rating_system import Driver, Line, System, SystemEdition, Unit
from arpad.regulations.systems import edition_digest, edition_of, edition_on, system_named


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemRow:
    """The line of a player."""

    player: int
    """The register's number."""

    name: str
    federation: str = ""
    born: int | None = None
    """The year only."""

    figure: int
    """The printed rating."""

    printed: str
    """The same with its marks: 1742-81, 1500 ± 60."""

    columns: Mapping[str, int | str] = field(default_factory=dict)
    """The system's own columns: index, deviation, floor."""

    games: int = 0
    """Played since the list before."""

    change: int | None = None
    """Of the printed figure since the list before; None for who was not on it."""

    identifiers: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, kw_only=True)
class SystemList(ListHead):
    """A list with its players, by number."""

    rows: tuple[SystemRow, ...] = ()

    def __post_init__(self) -> None:
        """Sort the rows, and refuse a list that has a player twice."""
        rows = tuple(sorted(self.rows, key=attrgetter("player")))
        for row, following in pairwise(rows):
            if row.player == following.player:
                raise BadInput("listed-twice", player=row.player)
        object.__setattr__(self, "rows", rows)


# --------------------------------------------------------------------------------------------- canonical text


def write_system_list(published: SystemList) -> bytes:
    """Return the canonical text."""
    lines = (f"{_line(row, published.columns)}\n" for row in published.rows)
    return "".join([canonical_head(published, len(published.rows)), *lines]).encode()


def _line(row: SystemRow, columns: tuple[str, ...]) -> str:
    own = (row.columns.get(name) for name in columns)
    values = (
        row.player,
        row.name,
        row.federation,
        row.born,
        row.figure,
        row.printed,
        *own,
        row.games,
        row.change,
    )
    texts = ["" if value is None else escape(str(value)) for value in values]
    return "\t".join([*texts, identifiers_field(row.identifiers)])


def read_system_list(data: bytes) -> SystemList:
    """Return the list of a canonical text; refuse any other form, with its line."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise system_unreadable(data[: error.start].count(b"\n") + 1) from error
    head, lines = parse_head(text), text.split("\n")
    if not head.on_list.is_own:
        raise system_unreadable(1)
    above = canonical_head(head, 0).count("\n")
    rows = tuple(_rows(lines[above:-1], above, head.columns))
    published = SystemList(**head.values(), rows=rows)
    if (written := write_system_list(published)) != data:
        both = zip(written.split(b"\n"), data.split(b"\n"), strict=False)
        first = (number for number, (ours, theirs) in enumerate(both, start=1) if ours != theirs)
        raise system_unreadable(next(first, len(lines)))
    return published


def _rows(lines: list[str], above: int, columns: tuple[str, ...]) -> Iterator[SystemRow]:
    for number, line in enumerate(lines, start=above + 1):
        try:
            row = parse_line(line, own=True)
            own = zip(columns, own_fields(row.other_titles), strict=True)
        except ValueError as error:
            raise system_unreadable(number) from error
        yield SystemRow(
            player=row.player,
            name=row.name,
            federation=row.federation,
            born=row.born,
            figure=row.rating or 0,
            printed=row.category,
            columns={name: text for name, text in own if text},
            games=row.games,
            change=row.k,
            identifiers=row.identifiers,
        )


# ------------------------------------------------------------------------------------------------ computation


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

    published: SystemList
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
        return write_system_list(self.published)

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
    games = _games_since(inputs)
    rows, findings = list[SystemRow](), list[Finding]()
    columns: dict[str, None] = {}
    for name, state in sorted(states.items(), key=lambda item: int(item[0])):
        line = system.line(state, edition.rules, inputs.day)
        if line.figure is not None and int(name) not in inputs.hidden:
            row = _row(int(name), line, games[name], inputs)
            columns |= dict.fromkeys(row.columns)
            rows.append(row)
            findings += line.findings_about(name)
    published = SystemList(
        on_list=ListName(inputs.on_list, inputs.system),
        day=inputs.day,
        number=inputs.number,
        revision=inputs.revision,
        edition=edition.id,
        previous=inputs.previous,
        revises=inputs.revises,
        columns=tuple(columns),
        rows=tuple(rows),
        left_off=inputs.left_off,
        whole_digest=inputs.whole_digest,
    )
    return SystemResult(published, chain, states, tuple(findings))


def _row(player: int, line: Line, games: int, inputs: SystemInputs) -> SystemRow:
    person, figure = inputs.people.get(player), line.figure or 0
    if person is None:
        raise BadInput("person-missing", player=player)
    before = inputs.before.get(player)
    return SystemRow(
        player=player,
        name=person.name,
        federation=person.federation,
        born=birth_year(person.born),
        figure=figure,
        printed=line.text,
        columns={name: str(value) for name, value in line.columns.items() if value is not None},
        games=games,
        change=None if before is None else figure - before,
        identifiers=tuple(sorted(person.identifiers)),
    )


def _games_since(inputs: SystemInputs) -> Counter[str]:
    """Return how many games each player played after the list before."""
    games: Counter[str] = Counter()
    for unit in inputs.units:
        if inputs.since is None or (unit.last_day or date.max) > inputs.since:
            for game in unit.games:
                games.update((game.player, game.opponent))
    return games
