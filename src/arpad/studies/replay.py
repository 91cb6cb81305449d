"""Compute the lists of a history again, period by period, under one edition, several, or one that is tried."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import TypeAlias

from arpad.lists.period import ClosedPeriod, Contribution, Event, InForce, RegisterFacts, close
from arpad.model.chess import GameChange, PlayerState
from arpad.model.chess import RatedGame as CountedGame
from arpad.model.rules import Edition, ListName
from arpad.rating.event import Tally
from arpad.regulations.calendar import is_in_time, list_after
from arpad.regulations.editions import CHESS_EDITIONS, EditionByDay, editions_in, rules_by_day
from arpad.regulations.fide.change import game_changes
from arpad.regulations.fide.rules import ChessRules
from arpad.reports.report import HALF_POINTS, PLAYED
from arpad.studies.history import (
    Closing,
    History,
    HistoryGame,
    HistoryList,
    HistoryPlayer,
    Tournament,
    event_of,
)
from arpad.system.extras import are_installed


@dataclass(frozen=True, slots=True)
class ReplayedPeriod:
    """A period with what it began from: enough to account for every point."""

    before: Mapping[int, PlayerState]
    period: ClosedPeriod
    events: Mapping[str, Event]
    kept_by_office: bool = False
    """Whether an office made the changes between the previous list and this start."""


@dataclass(slots=True)
class Replay:
    """The lists so far; ``close`` adds the next one."""

    on_list: ListName
    editions: EditionByDay
    opened: date
    standings: Mapping[int, PlayerState]
    people: Mapping[int, HistoryPlayer]
    days: list[date] = field(default_factory=list)
    lists: list[Mapping[int, int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Put the list of the start in force until the next."""
        self.days.append(self.opened)
        self.lists.append(ratings_of(self.standings))

    def in_force(self, player: int, day: date) -> int | None:
        """Return a player's rating on the list in force on a day; before the first list, that one."""
        return self.lists[max(0, bisect_right(self.days, day) - 1)].get(player)

    def next_day(self) -> date:
        """Return the day of the next list."""
        return list_after(self.days[-1], rules_by_day(self.editions, self.on_list))

    def close(self, day: date, tournaments: Iterable[Tournament]) -> ReplayedPeriod:
        """Close the period that ends with the list of a day."""
        return self.close_events(day, *self.events_of(tournaments))

    def events_of(self, tournaments: Iterable[Tournament]) -> tuple[list[Event], RegisterFacts]:
        """Return tournaments as reports, and the births of their players."""
        events = [
            event_of(tournament, self.editions(tournament.first_day), self.people)
            for tournament in tournaments
        ]
        born = {
            player: self.people[player].born
            for event in events
            for player in event.players
            if player in self.people
        }
        return events, RegisterFacts(born=born)

    def close_events(self, day: date, events: Sequence[Event], register: RegisterFacts) -> ReplayedPeriod:
        """Close a period with reports and the facts of the register."""
        before = self.standings
        period = close(
            *self._period_arguments(day, events),
            register=register,
            editions=self._known_editions(day, events),
        )
        self._record_list(day, period.standings)
        return ReplayedPeriod(before, period, {event.id: event for event in events})

    def advance_events(self, day: date, events: Sequence[Event], register: RegisterFacts) -> None:
        """Close a period without derivations, on columns if NumPy is installed: equal, and many times faster."""
        if not are_installed("numpy"):
            self.close_events(day, events, register)
            return
        from arpad.lists import engine

        arguments, editions = self._period_arguments(day, events), self._known_editions(day, events)
        context = engine.period_context(*arguments, register=register, editions=editions)
        self._record_list(day, engine.close(context, self.standings, events))

    def _period_arguments(
        self, day: date, events: Sequence[Event]
    ) -> tuple[
        ListName, date, date, Mapping[int, PlayerState], Sequence[Event], InForce, Edition[ChessRules]
    ]:
        edition = self.editions(day)
        return self.on_list, day, self.days[-1], self.standings, events, self.in_force, edition

    def _known_editions(self, day: date, events: Sequence[Event]) -> list[Edition[ChessRules]]:
        """Return all editions of a pending event: those that take turns, and the published ones."""
        used = (*editions_in(self.editions), *(event.edition for event in events), self.editions(day))
        tried = {edition.id: edition for edition in used}
        return [*tried.values(), *(edition for edition in CHESS_EDITIONS if edition.id not in tried)]

    def _record_list(self, day: date, standings: Mapping[int, PlayerState]) -> None:
        self.standings = standings
        self.days.append(day)
        self.lists.append(ratings_of(standings))


def ratings_of(standings: Mapping[int, PlayerState]) -> Mapping[int, int]:
    """Return the ratings of a list."""
    return {player: standing.rating for player, standing in standings.items() if standing.rating is not None}


def listed(standings: Mapping[int, PlayerState], day: date) -> HistoryList:
    """Return a list with its active players."""
    active = frozenset(
        player
        for player, standing in standings.items()
        if standing.rating is not None and not standing.inactive
    )
    return HistoryList(day, ratings_of(standings), active)


def replay(history: History, editions: EditionByDay) -> Iterator[ReplayedPeriod]:
    """Return every period of a history, in order.

    A tournament goes into the first list for which it is in time, by the edition of the list's day (7.13). An office's
    history brings its own calendar.
    """
    state = Replay(history.on_list, editions, history.opened, history.start, history.people)
    for day, events, register in _periods(history, state):
        closed = state.close_events(day, events, register)
        yield replace(closed, kept_by_office=True) if history.closings else closed


def _periods(history: History, state: Replay) -> Iterator[tuple[date, Sequence[Event], RegisterFacts]]:
    """Return what each list takes, while the replay goes on."""
    if history.closings:
        yield from _as_closed(history.closings, state)
        return
    waiting = sorted(history.tournaments, key=lambda tournament: (tournament.last_day, tournament.id))
    ends = history.ends
    while waiting or (ends is not None and state.days[-1] < ends):
        day = state.next_day()
        rules = state.editions(day).on(history.on_list)
        tournaments = [tournament for tournament in waiting if is_in_time(tournament.last_day, day, rules)]
        waiting = waiting[len(tournaments) :]  # they are in the order of their last days
        yield day, *state.events_of(tournaments)


def _as_closed(
    closings: Iterable[Closing], state: Replay
) -> Iterator[tuple[date, Sequence[Event], RegisterFacts]]:
    """Return every list on the office's calendar; what an officer set between two lists is set here too."""
    for closing in closings:
        if closing.acts:
            unchanged = {
                player: standing for player, standing in state.standings.items() if player not in closing.acts
            }
            state.standings = unchanged | {
                player: standing for player, standing in closing.acts.items() if standing is not None
            }
            state.lists[-1] = ratings_of(state.standings)
        yield (
            closing.day,
            [replace(event, edition=state.editions(event.first_day)) for event in closing.events],
            closing.known,
        )


def rated_games(closed: ReplayedPeriod) -> list[HistoryGame]:
    """Return the games of a period that count for both players, each once."""
    sides_by_cell = sides(closed.period)
    return [
        _game(closed.events[event], side, other)
        for (event, number, index), side in sides_by_cell.items()
        if index < side.opponent_index and (other := sides_by_cell.get((event, number, side.opponent_index)))
    ]


def _game(event: Event, side: Side, other: Side) -> HistoryGame:
    cells = event.report.round(side.round)
    white, black = (side, other) if cells.colours[side.index] != "b" else (other, side)
    return HistoryGame(
        event.id,
        cells.day or event.first_day,
        side.round,
        white.player,
        black.player,
        white.change.game.score,
        white.change.game.own,
        black.change.game.own,
        white.change.expected,
        black.change.expected,
        white.k_applied,
        black.k_applied,
    )


def given_games(history: History, editions: EditionByDay) -> list[HistoryGame]:
    """Return the games of a file with its own ratings and the expectation of the edition; K is unknown."""
    games: list[HistoryGame] = []
    for tournament in history.tournaments:
        boards = [
            board
            for board in tournament.boards
            if board.result in PLAYED and board.white_rating and board.black_rating
        ]
        rules = editions(tournament.first_day).on(history.on_list)
        games_by_player: dict[int, list[tuple[int, CountedGame]]] = {}
        for index, board in enumerate(boards):
            score, white, black = HALF_POINTS[board.result], board.white_rating or 0, board.black_rating or 0
            games_by_player.setdefault(board.white, []).append((index, CountedGame(white, black, score)))
            games_by_player.setdefault(board.black, []).append((index, CountedGame(black, white, 2 - score)))
        worth = {
            (player, index): change
            for player, player_games in games_by_player.items()
            for (index, _), change in zip(
                player_games, game_changes([game for _, game in player_games], rules), strict=True
            )
        }
        games += [
            HistoryGame(
                tournament.id,
                board.day or tournament.first_day,
                board.round,
                board.white,
                board.black,
                HALF_POINTS[board.result],
                board.white_rating or 0,
                board.black_rating or 0,
                worth[board.white, index].expected,
                worth[board.black, index].expected,
            )
            for index, board in enumerate(boards)
            if worth[board.white, index].rated
        ]
    return games


def all_games(run: Sequence[ReplayedPeriod]) -> list[HistoryGame]:
    """Return every game of a run that counted for both players."""
    return [game for closed in run for game in rated_games(closed)]


def all_lists(history: History, run: Sequence[ReplayedPeriod]) -> list[HistoryList]:
    """Return every list of a run, that of the start included."""
    return [
        listed(history.start, history.opened),
        *(listed(closed.period.standings, closed.period.day) for closed in run),
    ]


SideKey: TypeAlias = tuple[str, int, int]
"""Event, round, place."""


@dataclass(frozen=True, slots=True)
class Side:
    """A game as it counts for one player."""

    player: int
    round: int
    index: int
    opponent_index: int
    k: int
    """Before the limit of K times games."""

    k_applied: int
    change: GameChange


def sides(period: ClosedPeriod) -> dict[SideKey, Side]:
    """Return the rated games of a period from both players' view, by event, round and index."""
    sides_by_cell: dict[SideKey, Side] = {}
    for player, happened in period.players.items():
        for part in happened.contributions:
            for side in _sides_of(player, part, period):
                sides_by_cell[part.event, side.round, side.index] = side
    return sides_by_cell


def _sides_of(player: int, part: Contribution, period: ClosedPeriod) -> list[Side]:
    tally: Tally = period.tallies[part.event].players[part.index]
    counted = [cell for cell in tally.rounds if not cell.reason and cell.opponent_rating is not None]
    player_sides = []
    for cell, change in zip(counted, part.games, strict=True):
        opponent = cell.cell.opponent
        if opponent is None or not change.rated:
            continue
        player_sides.append(
            Side(player, cell.cell.round, part.index, opponent, part.k, part.k_applied, change)
        )
    return player_sides
