"""The career of a player: games, results, opponents, the best win and the best performance, list by list."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from sqlalchemy import Connection

from arpad.explain.pictures import WIN
from arpad.explain.player_figures import (
    ALL,
    PlayerEvent,
    Results,
    game_outcome,
    performance,
    rated_games,
    results_by_colour,
)
from arpad.lists.explanation import ExplainedChessEvent, ExplainedGame
from arpad.model.exact import half_up
from arpad.model.rules import Edition, ListName
from arpad.office.editions.acts import editions_here
from arpad.office.players.history import HistoryEntry, explained_line, history_lines
from arpad.regulations.editions import named
from arpad.regulations.fide.performance_rating import PerformanceRating

LEAST_GAMES = 5
"""Rated games of a tournament whose performance may be the best."""


@dataclass(frozen=True, slots=True)
class Career:
    """A player's tournaments on one list."""

    results: Mapping[str, Results]
    """The games over the board, rated or not, by colour."""

    tournaments: int
    rated_games: int
    average: int | None
    """The average rating of the opponents in the rated games."""

    best_win: tuple[ExplainedGame, PlayerEvent] | None
    best_performance: tuple[PerformanceRating, PlayerEvent] | None

    @property
    def all(self) -> Results:
        """The results with both colours."""
        return self.results[ALL]


def careers(
    connection: Connection, player: int, history: Mapping[ListName, Sequence[HistoryEntry]]
) -> dict[ListName, Career]:
    """Return the career on each list on which the player played: every tournament that the lists rated."""
    editions = editions_here(connection)
    found: dict[ListName, Career] = {}
    for name, entries in history.items():
        events: dict[
            str, PlayerEvent
        ] = {}  # a list of a season tells the events of the lists before it again
        for line in history_lines(connection, player, entries):
            for period in explained_line(connection, player, line).periods:
                for event in period.events:
                    events.setdefault(event.id, event)
        if events:
            found[name] = _career(list(events.values()), name, editions)
    return found


def _career(events: Sequence[PlayerEvent], on_list: ListName, editions: Sequence[Edition[Any]]) -> Career:
    rated = [(game, event) for event in events for game in rated_games([event])]
    ratings = [game.rating or 0 for game, _ in rated]
    wins = [(game, event) for game, event in rated if game_outcome(game, chess=event.changes_by_game) == WIN]
    performances = [
        (shown, event)
        for event in events
        if (shown := event_performance([event], on_list, editions)) and shown.games >= LEAST_GAMES
    ]
    return Career(
        results_by_colour(events),
        len({event.report for event in events}),
        len(rated),
        half_up(Fraction(sum(ratings), len(ratings))) if ratings else None,
        max(wins, key=lambda it: it[0].rating or 0, default=None),
        max(performances, key=lambda it: it[0].rating, default=None),
    )


def all_results(careers_by_list: Mapping[ListName, Career]) -> Results:
    """Return wins, draws and losses on all lists together."""
    each = [career.all for career in careers_by_list.values()]
    return Results(sum(it.wins for it in each), sum(it.draws for it in each), sum(it.losses for it in each))


def event_performance(
    events: Sequence[PlayerEvent], on_list: ListName, editions: Sequence[Edition[Any]]
) -> PerformanceRating | None:
    """Return the performance in the rated games of one tournament, with the table of its edition; none at draughts."""
    if not events or not isinstance(events[0], ExplainedChessEvent):
        return None
    return performance(events, named(events[0].edition, editions).on(on_list))
