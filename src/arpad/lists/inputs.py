"""Everything a list is made from, as one value: what the database gathers, and what a bundle holds.

``computed`` in closing.py is a pure function of it, so a stranger with the bundle gets the same bytes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property, lru_cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from arpad.model.draughts import Category
from arpad.model.errors import BadInput
from arpad.model.people import Person
from arpad.model.rules import Edition, ListName
from arpad.regulations.adopted import Own, editions_with
from arpad.regulations.editions import digest as edition_digest
from arpad.regulations.editions import in_force, named
from arpad.reports.event_facts import EventFacts
from arpad.reports.report import MIRROR, Report
from arpad.reports.stages import holds_stages, read_filed

if TYPE_CHECKING:
    from arpad.reports.formats.trf_numbers import NumberedReport

NUMPY = find_spec("numpy") is not None
"""Whether lists can be made on columns."""

_REMEMBERED = 256
"""How many reports are kept read: each is looked at a few times while a list is made."""


@dataclass(frozen=True, slots=True)
class AmendedResult:
    """A result changed after play by an officer; the report keeps the game as played."""

    number: int
    round: int
    result: str


@dataclass(frozen=True)
class EventInput:
    """An event that falls into the period: the report as it came, and what is known beside it."""

    id: str
    """The report's number on file; a part of a long event has its own, ``12/2``."""

    file: str
    data: bytes
    players: tuple[int, ...]
    """The register's number of each entrant, by place."""

    facts: EventFacts = field(default_factory=EventFacts)
    amended: tuple[AmendedResult, ...] = ()
    rounds: tuple[int, int] | None = None
    """Only these rounds, the first and the last: a part of a long event (4.13)."""

    filed_first_day: date | None = field(default=None, compare=False)
    """The first day as filed with the report; None: it is read from the bytes."""

    @property
    def report_number(self) -> int:
        """The report on file."""
        return int(self.id.partition("/")[0])

    @cached_property
    def numbered(self) -> NumberedReport | None:
        """The report as numbers, where NumPy is there and the file is as it should be."""
        if self.amended or self.rounds or not NUMPY or holds_stages(self.data):
            return None
        from arpad.reports.formats.trf_numbers import read_numbers

        return read_numbers(self.data)

    @cached_property
    def first_day(self) -> date:
        """The day that decides the edition and the ratings; a report without one is not accepted."""
        if self.filed_first_day is not None and self.rounds is None:
            return self.filed_first_day
        numbered = self.numbered
        return (numbered.first_day if numbered else self.report().header.first_day) or date.min

    def report(self) -> Report:
        """The report as it is rated."""
        read = _read_report(self.data, self.file)
        for change in self.amended:
            read = _with_amended_result(read, change)
        return select_rounds(read, *self.rounds) if self.rounds else read


@lru_cache(maxsize=_REMEMBERED)
def _read_report(data: bytes, file: str) -> Report:
    return read_filed(data, file)


def _with_amended_result(report: Report, change: AmendedResult) -> Report:
    """A result and its mirror, as decided."""
    if change.number not in report.places or not 0 < change.round <= len(report.rounds):
        raise BadInput("amended-game", number=change.number, round=change.round)
    cells = report.rounds[change.round - 1]
    place = report.places[change.number]
    other = report.places.get(cells.opponents[place])
    if other is None:
        raise BadInput("amended-game", number=change.number, round=change.round)
    results = list(cells.results)
    results[place], results[other] = change.result, MIRROR[change.result]
    rounds = list(report.rounds)
    rounds[change.round - 1] = replace(cells, results="".join(results))
    return replace(report, rounds=tuple(rounds))


def select_rounds(report: Report, first: int, last: int) -> Report:
    """Some rounds of a long event, with their own numbers and their own first and last day."""
    rounds = report.rounds[first - 1 : last]
    days = [cells.day for cells in rounds if cells.day]
    header = replace(
        report.header,
        first_day=min(days, default=report.header.first_day),
        last_day=max(days, default=report.header.last_day),
    )
    return replace(report, header=header, rounds=rounds, first_round=first)


@dataclass(frozen=True, slots=True)
class Inputs:
    """Everything a list is made from."""

    on_list: ListName
    day: date
    opened: date
    """The day of the list before, which opens the period."""

    number: int
    revision: int
    previous: str
    """The digest of the list before."""

    revises: str
    edition: str
    states: Mapping[int, str]
    """Everybody's state as the period begins, as canonical JSON."""

    lists: Mapping[str, Mapping[int, int]] = field(default_factory=dict)
    """Every list used, by digest: player → rating."""

    in_force: Mapping[date, str] = field(default_factory=dict)
    """First day of an event → digest of the list in force."""

    events: tuple[EventInput, ...] = ()
    people: Mapping[int, Person] = field(default_factory=dict)
    k: Mapping[int, int] = field(default_factory=dict)
    """K decided for this period."""

    standard: Mapping[int, int] = field(default_factory=dict)
    """Standard ratings of the same day, for a one-off adjustment that looks at them."""

    standard_in_force: Mapping[date, str] = field(default_factory=dict)
    """First day of an event → digest of the standard list in force, on the lists that look at it."""

    hidden: frozenset[int] = frozenset()
    """Computed and used for opponents, not published (13)."""

    capitals: Mapping[int, str] = field(default_factory=dict)
    """Draughts: the state with which a player begins on this list (tables 12, 20, 21), as canonical JSON."""

    decisions: tuple[Mapping[str, Any], ...] = ()
    """The decisions behind all this, with author and reason."""

    own: tuple[Own, ...] = ()
    """The federation's own editions that had begun by the list's day."""

    left_off: int = 0
    """How many players of the published list asked not to be shown and are left off this one."""

    whole_digest: str = ""
    """The digest that was published, where players are left off."""

    merged: Mapping[int, int] = field(default_factory=dict)
    """Numbers that were merged into a player's: number → player. Everything above has the player's number already."""

    home: str = ""
    """Draughts: the federation whose office it is; a player of another one is foreign (table 22)."""

    debuts: Mapping[int, str] = field(default_factory=dict)
    """Draughts: the step that explains the capital with which a player begins, as canonical JSON."""

    awards: Mapping[int, tuple[tuple[date, Category], ...]] = field(default_factory=dict)
    """Draughts: the categories given by decision, each from a day on."""

    def regulations(self) -> tuple[Edition[Any], ...]:
        """The editions that the list goes by, the federation's own among them."""
        return editions_with(self.on_list, self.own)

    def edition_on(self, day: date) -> Edition[Any]:
        """The edition in force on a day."""
        return in_force(self.regulations(), self.on_list, day)

    def governing(self) -> Edition[Any]:
        """The edition of the list's day."""
        return named(self.edition, self.regulations())

    def editions(self) -> dict[str, str]:
        """Every edition that plays a part, with its digest."""
        days = {event.first_day for event in self.events} - {date.min}
        used = {self.edition} | {self.edition_on(day).id for day in days}
        return {edition.id: edition_digest(edition) for edition in self.regulations() if edition.id in used}
