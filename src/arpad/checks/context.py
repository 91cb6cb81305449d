"""The input of every check of an article, and functions that create findings with their positions in the file.

The lines of the header are searched only when a finding needs one.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, partial
from typing import NamedTuple

from arpad.model.chess import EventKind
from arpad.model.rules import Fact, Finding, ListName, Severity
from arpad.regulations.fide.event_kind import Meetings, treated_as
from arpad.regulations.fide.rules import ChessRules
from arpad.reports.event_facts import EventFacts
from arpad.reports.formats.findings import first_few
from arpad.reports.report import HALF_POINTS, PLAYED, Entrant, Report, Spot
from arpad.reports.time_control import TimeControl


class FirstEvent(NamedTuple):
    """The event of an unrated player without a counted event, in games that were played."""

    place: int
    halves: int
    """Half-points in all games."""

    rated_games: int
    """Games against rated opponents."""

    rated_halves: int


@dataclass(frozen=True)
class Case:
    """A report, its facts and its edition: the input of every check of an article."""

    report: Report
    facts: EventFacts
    edition: str
    rules: ChessRules
    on_list: ListName
    met: Meetings
    control: TimeControl
    ratings: tuple[int | None, ...]
    """Rating of each entrant, None for the unrated."""

    lists: Mapping[ListName, ChessRules] = field(default_factory=dict)
    """The edition's rules for each list in existence; empty: only those of ``on_list`` are known."""

    @property
    def kind(self) -> EventKind:
        """Return the kind of the tournament."""
        return self.met.kind

    @cached_property
    def playing(self) -> tuple[int | None, ...]:
        """Return the ratings of the players who were paired at least once."""
        return tuple(self.ratings[index] for index in self.met.places)

    @cached_property
    def highest(self) -> int | None:
        """Return the highest rating of the field, None if all are unrated."""
        return max([rating for rating in self.ratings if rating is not None], default=None)

    @cached_property
    def rated(self) -> int:
        """Return the number of rated participants."""
        return sum(1 for rating in self.playing if rating is not None)

    @cached_property
    def newcomers(self) -> Sequence[FirstEvent]:
        """Return the unrated players without a counted event who have played."""
        report, newcomers = self.report, []
        for index, rating in enumerate(self.ratings):
            if rating is not None:
                continue
            if self.facts.players:
                entrant = report.entrants[index]
                if self.facts.player(entrant.number, entrant.id).counted_before:
                    continue
            games = self.games_of(index)
            if games:
                rated = [
                    HALF_POINTS[result] for opponent, result in games if self.ratings[opponent] is not None
                ]
                halves = sum(HALF_POINTS[result] for _, result in games)
                newcomers.append(FirstEvent(index, halves, len(rated), sum(rated)))
        return newcomers

    def games_of(self, place: int) -> list[tuple[int, str]]:
        """Return the games that a player played: the opponents' places, and the results."""
        index_of = self.report.places.get
        return [
            (opponent, result)
            for cells in self.report.rounds
            if (result := cells.results[place]) in PLAYED
            and (opponent := index_of(cells.opponents[place])) is not None
        ]

    @property
    def any_unrated(self) -> bool:
        """Return whether an unrated player takes part."""
        return None in self.playing

    @cached_property
    def minutes(self) -> Fraction | None:
        """Return the minutes for the moves that the edition counts, None if the time control cannot be read."""
        return self.control.minutes(self.rules.moves_counted.value)

    @cached_property
    def treated_as(self) -> EventKind:
        """Return the kind whose articles apply."""
        return treated_as(self.met, self.rules)

    @cached_property
    def rounds_played(self) -> list[int]:
        """Return the rounds with at least one pairing."""
        return self.report.paired_rounds

    @property
    def days(self) -> int | None:
        """Return the length of the event in days, both ends included; None if unknown."""
        first, last = self.report.header.first_day, self.report.header.last_day
        return None if first is None or last is None or last < first else (last - first).days + 1


_PLACE = ("line", "column", "player", "round")


def _finding(severity: Severity, code: str, article: str = "", /, **about: Fact) -> Finding:
    """Return a finding; what ``about`` says of its place in the file stands apart from the other facts."""
    if about.keys().isdisjoint(_PLACE):
        return Finding(severity, code, article, facts=about)
    where = {name: value for name in _PLACE if isinstance(value := about.get(name), int)}
    facts = {name: value for name, value in about.items() if name not in _PLACE}
    return Finding(severity, code, article, **where, facts=facts)


error = partial(_finding, Severity.ERROR)
"""Return an error: the event or game cannot be rated like this, or the file contradicts itself."""
warning = partial(_finding, Severity.WARNING)
"""Return a warning: an officer should look at it."""
info = partial(_finding, Severity.INFO)
"""Return a note about something that could not be checked or was assumed."""


def first_start_numbers(entrants: Iterable[Entrant]) -> tuple[Fact, ...]:
    """Return the start numbers of the first entrants, with an ellipsis if there are more."""
    return first_few(entrant.number for entrant in entrants)


def of_player(report: Report, index: int, field: str = "") -> dict[str, Fact]:
    """Return the position of a participant, or of a field named as in ``Entrant``."""
    entrant = report.entrants[index]
    spot = report.file_map.player(entrant, field) if field else None
    return {**_position(spot or Spot(entrant.line or 0)), "player": entrant.number}


def of_cell(report: Report, index: int, round_number: int, field: str) -> dict[str, Fact]:
    """Return the position of the ``opponent``, ``colour`` or ``result`` of a participant in a round."""
    entrant = report.entrants[index]
    spot = report.file_map.game(entrant, round_number, field)
    return {**_position(spot or Spot(entrant.line or 0)), "player": entrant.number, "round": round_number}


def of_round(report: Report, round_number: int) -> dict[str, Fact]:
    """Return the position of the day of a round."""
    return {**_position(report.file_map.round_day(round_number)), "round": round_number}


def of_header(report: Report, *tags: str) -> dict[str, Fact]:
    """Return the position of the first fact about the event that one of the tags of a TRF names."""
    return _position(report.file_map.header(*tags))


def _position(spot: Spot | None) -> dict[str, Fact]:
    if spot is None:
        return {}
    position: dict[str, Fact] = {"line": spot.line or None, "column": spot.column}
    return {**position, "cell": spot.cell} if spot.cell else position
