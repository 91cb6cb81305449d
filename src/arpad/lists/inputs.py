"""Everything a list is computed from, as one value: loaded from the database, or read from a bundle.

``lists.compute.compute_list`` is a pure function of it, so anyone with the bundle gets the same bytes.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property, lru_cache
from hashlib import sha256
from typing import Any

from arpad.lists.system_list import SystemInputs
from arpad.model.draughts import Category
from arpad.model.errors import BadInput
from arpad.model.people import Person
from arpad.model.rules import Edition, ListName
from arpad.regulations.adopted import Own, editions_with
from arpad.regulations.editions import digest as edition_digest
from arpad.regulations.editions import in_force, named
from arpad.reports.event_facts import EventFacts
from arpad.reports.report import MIRROR, Report
from arpad.reports.report_games import ReportGames, games_in_columns
from arpad.reports.stages import read_filed
from arpad.system.extras import are_installed

ON_COLUMNS = are_installed("numpy", "polars")
"""Whether lists can be computed on columns."""

_CACHED_REPORTS = 256
"""Parsed reports in the cache: each is needed a few times while a list is computed."""


@dataclass(frozen=True, slots=True)
class AmendedResult:
    """A result changed after play by an officer; the report keeps the game as played."""

    number: int
    round: int
    result: str


@dataclass(frozen=True)
class EventInput:
    """An event of the period: the bytes of its report, and what an officer added to it."""

    id: str
    """The report's number on file; a part of a long event has its own, ``12/2``."""

    file: str
    data: bytes
    players: tuple[int, ...]
    """The register's number of each entrant, in the order of the report."""

    facts: EventFacts = field(default_factory=EventFacts)
    amended: tuple[AmendedResult, ...] = ()
    rounds: tuple[int, int] | None = None
    """Only these rounds, the first and the last: a part of a long event (4.13)."""

    filed_first_day: date | None = field(default=None, compare=False)
    """The first day as filed with the report; None: it is read from the bytes."""

    games_on_file: ReportGames | None = field(default=None, compare=False, repr=False)
    """The games of the whole report as they were kept at its acceptance; None: they are read from the bytes."""

    @property
    def report_number(self) -> int:
        """The number of the report on file."""
        return report_number(self.id)

    @cached_property
    def digest(self) -> str:
        """The SHA-256 of the bytes."""
        return sha256(self.data).hexdigest()

    @cached_property
    def games(self) -> ReportGames | None:
        """The games in columns, as they are rated; None if the report is irregular."""
        if self.games_on_file is not None and not self.amended and self.rounds is None:
            return self.games_on_file
        return games_in_columns(self.report())

    @cached_property
    def first_day(self) -> date:
        """The day that decides the edition and the ratings; a report without one is not accepted."""
        if self.filed_first_day is not None and self.rounds is None:
            return self.filed_first_day
        games = self.games
        return (games.first_day if games else self.report().header.first_day) or date.min

    def report(self) -> Report:
        """Return the report as it is rated."""
        report = _read_report(self.data, self.file)
        for change in self.amended:
            report = _with_amended_result(report, change)
        return select_rounds(report, *self.rounds) if self.rounds else report


def report_number(event: str) -> int:
    """Return the number of the report on file by the id of an event."""
    return int(event.partition("/")[0])


@lru_cache(maxsize=_CACHED_REPORTS)
def _read_report(data: bytes, file: str) -> Report:
    return read_filed(data, file)


def _with_amended_result(report: Report, change: AmendedResult) -> Report:
    """Return a report with one result, and that of the opponent, as decided."""
    if change.number not in report.places or not 0 < change.round <= len(report.rounds):
        raise BadInput("amended-game", number=change.number, round=change.round)
    cells = report.rounds[change.round - 1]
    index = report.places[change.number]
    opponent = report.places.get(cells.opponents[index])
    if opponent is None:
        raise BadInput("amended-game", number=change.number, round=change.round)
    results = list(cells.results)
    results[index], results[opponent] = change.result, MIRROR[change.result]
    rounds = list(report.rounds)
    rounds[change.round - 1] = replace(cells, results="".join(results))
    return replace(report, rounds=tuple(rounds))


def select_rounds(report: Report, first: int, last: int) -> Report:
    """Return these rounds of a long event; they keep their numbers and give its first and last day."""
    rounds = report.rounds[first - 1 : last]
    days = [cells.day for cells in rounds if cells.day]
    header = replace(
        report.header,
        first_day=min(days, default=report.header.first_day),
        last_day=max(days, default=report.header.last_day),
    )
    return replace(report, header=header, rounds=rounds, first_round=first)


@dataclass(frozen=True, slots=True)
class Guests:
    """The guests in the events of one first day: players whom the office does not own, with their reference ratings.

    A guest counts for the opponents with that rating, is not rated and is not on the list.
    """

    ratings: Mapping[int, int | None]
    """Player → rating; None if the reference list has none: then that of the list in force counts, if there is one."""

    source: str = ""
    """The body whose list it is; empty if no reference list was in force."""

    day: date | None = None
    """The day of the reference list."""

    digest: str = ""
    """The SHA-256 of its file."""


@dataclass(frozen=True, slots=True)
class Inputs:
    """Everything a list is computed from."""

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
    """The state of every player as the period begins, as canonical JSON."""

    lists: Mapping[str, Mapping[int, int]] = field(default_factory=dict)
    """Each list that is used, by digest: player → rating."""

    in_force: Mapping[date, str] = field(default_factory=dict)
    """First day of an event → digest of the list in force."""

    events: tuple[EventInput, ...] = ()
    people: Mapping[int, Person] = field(default_factory=dict)
    k: Mapping[int, int] = field(default_factory=dict)
    """K decided for this period."""

    standard: Mapping[int, int] = field(default_factory=dict)
    """Standard ratings of the same day, for a one-off adjustment that needs them."""

    standard_in_force: Mapping[date, str] = field(default_factory=dict)
    """First day of an event → digest of the standard list in force, for the lists that need it."""

    hidden: frozenset[int] = frozenset()
    """Computed and used for opponents, not published (13)."""

    capitals: Mapping[int, str] = field(default_factory=dict)
    """Draughts: the state with which a player begins on this list (tables 12, 20, 21), as canonical JSON."""

    decisions: tuple[Mapping[str, Any], ...] = ()
    """The decisions behind these inputs, with author and reason."""

    own: tuple[Own, ...] = ()
    """The federation's own editions that had begun by the list's day."""

    left_off: int = 0
    """How many players are left off this list because they asked not to be shown."""

    whole_digest: str = ""
    """The published digest, if players are left off."""

    merged: Mapping[int, int] = field(default_factory=dict)
    """Numbers that were merged: number → player. All other fields already have the player's number."""

    home: str = ""
    """Draughts: the federation of the office; a player of another one is foreign (table 22)."""

    debuts: Mapping[int, str] = field(default_factory=dict)
    """Draughts: the step that explains the capital with which a player begins, as canonical JSON."""

    awards: Mapping[int, tuple[tuple[date, Category], ...]] = field(default_factory=dict)
    """Draughts: the categories given by decision, each from a day on."""

    guests: Mapping[date, Guests] = field(default_factory=dict)
    """First day of an event → its guests."""

    system: SystemInputs | None = None
    """The inputs of a list of a rating system; None for FIDE and Elo-Rubele, which use the other fields."""

    def events_of_system(self) -> SystemInputs:
        """Return the inputs of a list of a rating system; refuse those of another list."""
        if self.system is None:
            raise ValueError(self.on_list)
        return self.system

    def regulations(self) -> tuple[Edition[Any], ...]:
        """Return the editions of the list, with the federation's own ones."""
        return editions_with(self.on_list, self.own)

    def edition_on(self, day: date) -> Edition[Any]:
        """Return the edition in force on a day."""
        return in_force(self.regulations(), self.on_list, day)

    def governing(self) -> Edition[Any]:
        """Return the edition of the list's day."""
        return named(self.edition, self.regulations())

    def editions(self) -> dict[str, str]:
        """Return each edition that is used, with its digest."""
        days = {event.first_day for event in self.events} - {date.min}
        used = {self.edition} | {self.edition_on(day).id for day in days}
        return {edition.id: edition_digest(edition) for edition in self.regulations() if edition.id in used}
