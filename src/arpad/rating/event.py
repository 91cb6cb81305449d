"""One event counted for each of its players: the games that are rated, or the tranche an unrated player brings home.

No K and no rounding here: those belong to the player's period, in which there may be several events.
"""

from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from itertools import permutations

from arpad.model.chess import ALL_PLAY_ALL, EventKind, Performance, RatedGame, RoundRobin
from arpad.model.errors import BadInput
from arpad.model.exact import HalfPoints
from arpad.model.rules import Step
from arpad.regulations.fide.entry_rating import different_opponents, swiss_performance
from arpad.regulations.fide.event_kind import Meetings, meetings, treated_as
from arpad.regulations.fide.games import RoundCell, cells, scores
from arpad.regulations.fide.round_robin import CrossTable, round_robin
from arpad.regulations.fide.rules import ChessRules
from arpad.reports.event_facts import EventFacts
from arpad.reports.report import Report
from arpad.reports.time_control import TimeControl, read_time_control


@dataclass(frozen=True, slots=True)
class Counted:
    """One round of one player: the rating the opponent counts with, or why the game does not count."""

    cell: RoundCell
    opponent_rating: int | None
    reason: str
    article: str


@dataclass(frozen=True, slots=True)
class Tally:
    """One player's event."""

    score: HalfPoints
    rounds: tuple[Counted, ...]
    tranche: Performance | None
    """For a player without a rating; None if nothing counts."""

    removed: tuple[Step, ...] = ()
    """The steps for a newcomer who was removed with all games (6.1)."""

    def games(self, own: int, event: str) -> list[RatedGame]:
        """Return the games that count for a rated player, in order of rounds."""
        return [
            RatedGame(own, played.opponent_rating, played.cell.score, event)
            for played in self.rounds
            if not played.reason and played.opponent_rating is not None
        ]


NOT_COUNTED = Tally(0, (), None)
"""The tally of a player who is not in ``only``."""


@dataclass(frozen=True, slots=True)
class EventTally:
    """An event, counted."""

    kind: EventKind
    treated_as: EventKind
    met: Meetings
    control: TimeControl
    round_robin: RoundRobin | None
    players: tuple[Tally, ...]


def tally(
    report: Report,
    ratings: tuple[int | None, ...],
    rules: ChessRules,
    *,
    facts: EventFacts,
    counted_before: AbstractSet[int] = frozenset(),
    rated_meanwhile: AbstractSet[int] = frozenset(),
    edition: str = "",
    only: AbstractSet[int] | None = None,
) -> EventTally:
    """Count an event with the ratings in force on its first day, by place (8.4, 8.2.4).

    ``counted_before`` are the places of unrated players who are no longer first-timers; ``rated_meanwhile`` those who
    entered a list after the event began: their own games count against opponents rated then, and those of their
    opponents against them do not. With ``only``, no other player's games are computed, except in a round robin whose
    procedure needs all.
    """
    met = meetings(report, facts.kind)
    treated = treated_as(met, rules)
    control = control_of(report, facts)
    if treated in ALL_PLAY_ALL and None in ratings:
        only = None
    table = cells(report, ratings, treated, rules, facts=facts, control=control, only=only)
    procedure = _round_robin(report, table, ratings, treated, met, rules, counted_before)
    event = _CountedEvent(report, ratings, rules, procedure, rated_meanwhile)
    unrated_counts = not (treated == EventKind.MATCH and rules.match_unrated.value)
    players = []
    for index, row in enumerate(table):
        if only is not None and index not in only:
            players.append(NOT_COUNTED)
            continue
        rounds = tuple([event.counted(cell) for cell in row])
        tranche: Performance | None = None
        removed: tuple[Step, ...] = ()
        if ratings[index] is None and unrated_counts:
            tranche, removed = event.tranche(index, rounds, treated)
        if tranche is not None:
            tranche = replace(
                tranche, event=report.header.name, last_day=report.header.last_day,
                team_championship=bool(facts.team_championship), edition=edition,
            )  # fmt: skip
        players.append(Tally(sum(cell.score for cell in row), rounds, tranche, removed))
    return EventTally(met.kind, treated, met, control, procedure, tuple(players))


def refuse_draughts(report: Report) -> None:
    """Refuse games of draughts, which no chess edition rates."""
    if report.format == "pdn":
        raise BadInput("draughts-report")


def control_of(report: Report, facts: EventFacts) -> TimeControl:
    """Return the officer's time control, else the report's."""
    if facts.time_control is not None:
        return read_time_control(facts.time_control)
    return read_time_control(report.header.time_control, report.header.coded_time_control)


def _round_robin(
    report: Report,
    table: list[list[RoundCell]],
    ratings: tuple[int | None, ...],
    treated: EventKind,
    met: Meetings,
    rules: ChessRules,
    counted_before: AbstractSet[int],
) -> RoundRobin | None:
    """Return the procedure for unrated players in a complete round robin (8.58), or None.

    A player who was never paired took no part. A play-off adds a game to the pair that played it.
    """
    numbers = [entrant.number for entrant in report.entrants]
    rated = {numbers[index]: ratings[index] for index in met.places}
    unrated = {number for number, rating in rated.items() if rating is None}
    possible = treated in ALL_PLAY_ALL and met.complete and len(rated) == len(met.places)
    if not possible or not unrated or len(unrated) == len(rated):
        return None
    by_number = {
        (numbers[player], numbers[opponent]): score for (player, opponent), score in scores(table).items()
    }
    if by_number.keys() != {*permutations(rated, 2)}:
        return None  # only one side reports a game: there is no cross-table
    more = {
        (numbers[player], numbers[opponent]): times - met.cycles
        for (player, opponent), times in met.played.items()
    }
    play_offs = {pair: games for pair, games in more.items() if games}
    before = {numbers[index] for index in counted_before}
    return round_robin(CrossTable(rated, by_number, met.cycles, play_offs), rules, unrated - before)


@dataclass(frozen=True, slots=True)
class _CountedEvent:
    """An event with what decides whether its games count."""

    report: Report
    ratings: tuple[int | None, ...]
    rules: ChessRules
    round_robin: RoundRobin | None
    rated_meanwhile: AbstractSet[int]

    def counted(self, cell: RoundCell) -> Counted:
        """Return the rating an opponent counts with, and why the game does not count, if so."""
        if cell.opponent is None:
            return Counted(cell, None, cell.reason, cell.article)
        rating, rules = self.ratings[cell.opponent], self.rules
        met_newcomer = cell.opponent in self.rated_meanwhile and self.ratings[cell.index] is not None
        if met_newcomer and cell.reason in ("", "unrated-opponent"):
            return Counted(cell, rating, "rated-meanwhile", rules.rated_meanwhile.article)
        if cell.reason:
            return Counted(cell, rating, cell.reason, cell.article)
        if self.round_robin is not None:
            own = self.report.entrants[cell.index].number
            if cell.opponent_number in self.round_robin.ignored or own in self.round_robin.ignored:
                ignored = rules.ignored_for_opponents
                return Counted(cell, rating, "ignored-newcomer", ignored.article if ignored else "")
            if rating is None and cell.index not in self.rated_meanwhile:
                rating = self.round_robin.entries[cell.opponent_number].ru_new
        if rating is None:
            return Counted(cell, None, "unrated-opponent", rules.articles["unrated-opponent"])
        return Counted(cell, rating, "", "")

    def tranche(
        self, index: int, rounds: tuple[Counted, ...], treated: EventKind
    ) -> tuple[Performance | None, tuple[Step, ...]]:
        """Return what the event adds to an unrated player's tranches, and the steps for one who was removed."""
        report, rules, table = self.report, self.rules, self.round_robin
        number = report.entrants[index].number
        if table is not None and rules.round_robin_entry is not None:
            if number in table.ignored:
                return None, tuple(
                    it for it in table.steps if it.quantity == "removed" and it.value == number
                )
            if number not in table.entries:  # never paired
                return None, ()
            performance = replace(rules.round_robin_entry.value(table, number, rules), kind=treated)
        else:
            counted = [
                (rating, played.cell)
                for played in rounds
                if not played.reason and (rating := played.opponent_rating) is not None
            ]
            performance = swiss_performance(
                report.header.name,
                [rating for rating, _ in counted],
                sum(cell.score for _, cell in counted),
                opponents=different_opponents((cell.opponent for _, cell in counted), rules),
            )
        return (performance if performance.games else None), ()
