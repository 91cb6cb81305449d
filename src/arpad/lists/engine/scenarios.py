"""Replay one history under several editions: a few figures of each list, and the players whose ratings differ.

The ratings of each list are kept for the comparison: two bytes per player, 200 MB for twenty years of the world.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from pathlib import Path

import numpy as np

from arpad.lists.engine.columns import Column, Roster
from arpad.lists.engine.game_files import file_pieces, read_games
from arpad.lists.engine.game_slices import Piece
from arpad.lists.engine.player_index import PlayerIndex
from arpad.lists.engine.replay import Replayed, replay
from arpad.model.people import Birth
from arpad.model.rules import ListName
from arpad.regulations.editions import EditionByDay
from arpad.system.workers import InProcess, Workers

MOVERS = 10
"""Players named in a comparison."""


@dataclass(frozen=True, slots=True)
class GameHistory:
    """Games in a file, and the list before them."""

    path: Path
    on_list: ListName
    first: date | None = None
    last: date | None = None
    start: int = 0
    roster: Roster | None = None
    births: Sequence[Birth] = ()
    born: Column | None = None

    def players(self) -> PlayerIndex:
        """Return the list before the history, as a copy that can grow."""
        return PlayerIndex(self.roster or Roster.of({}), self.births, self.born)

    def pieces(self, workers: Workers) -> Iterator[Piece]:
        """Return the games: read in this process, or as pieces of the file for the workers."""
        read = read_games if workers.count == 1 else file_pieces
        return read(self.path, self.first, self.last)


@dataclass(frozen=True, slots=True)
class Scenario:
    """EditionByDay under a name."""

    name: str
    editions: EditionByDay


@dataclass(frozen=True, slots=True)
class ListFigures:
    """One list in a few figures."""

    day: date
    edition: str
    games: int
    rated: int
    mean: Fraction
    entered: int
    delisted: int
    digest: str


@dataclass(frozen=True, slots=True)
class ScenarioResult:
    """The lists of a history under one scenario."""

    name: str
    lists: tuple[ListFigures, ...]
    player: Column
    ratings: tuple[Column, ...]
    """Of each list by row; earlier lists are shorter. Empty if nothing is compared."""


def run_scenario(
    history: GameHistory,
    scenario: Scenario,
    *,
    workers: Workers | None = None,
    compared: bool = True,
    watch: Callable[[Iterator[Piece]], Iterable[Piece]] = iter,
    on_list_done: Callable[[Replayed], None] | None = None,
) -> ScenarioResult:
    """Replay the history under one scenario."""
    workers = workers or InProcess()
    lists, ratings = [], []
    players = history.players()
    pieces = watch(history.pieces(workers))
    history_lists = replay(
        pieces, players, history.on_list, scenario.editions, start=history.start, workers=workers
    )
    for replayed in history_lists:
        lists.append(list_figures(replayed))
        if compared:
            ratings.append(replayed.roster.rating)
        if on_list_done is not None:
            on_list_done(replayed)
    return ScenarioResult(scenario.name, tuple(lists), players.roster.player, tuple(ratings))


def run_scenarios(
    history: GameHistory, scenarios: Sequence[Scenario], workers: Workers
) -> Iterator[ScenarioResult]:
    """Replay several scenarios, each as a whole by one worker."""
    with workers.broadcast(history) as shared:
        yield from workers.map(run_scenario, shared, scenarios)


def list_figures(replayed: Replayed) -> ListFigures:
    """Return a few figures of one list."""
    roster = replayed.roster
    rated = roster.rating[roster.rating > 0]
    mean = Fraction(int(rated.sum(dtype=np.int64)), len(rated)) if len(rated) else Fraction(0)
    entered = int((roster.entered == replayed.day.toordinal()).sum())
    return ListFigures(
        replayed.day,
        replayed.edition,
        replayed.played,
        len(rated),
        mean,
        entered,
        int(roster.delisted.sum()),
        replayed.digest,
    )


# ----------------------------------------------------------------------------------------------- comparison


@dataclass(frozen=True, slots=True)
class ScenarioMover:
    """A player's rating on the same list under two scenarios."""

    player: int
    was: int
    would: int


@dataclass(frozen=True, slots=True)
class ListComparison:
    """One list under two scenarios: what it was, and what it would have been."""

    day: date
    both: int
    """Players with a rating on both."""

    moved: int
    mean: Fraction
    """Mean of would minus was."""

    distance: Fraction
    """Mean of the absolute difference."""

    gained: int
    """Players who would have a rating and have none."""

    lost: int
    movers: tuple[ScenarioMover, ...]
    """The players with the largest differences; of equal ones the lower number first."""


def compared(was: ScenarioResult, would: ScenarioResult) -> tuple[ListComparison, ...]:
    """Compare each list that both scenarios have on the same day."""
    player = np.union1d(was.player, would.player)
    rows = [np.searchsorted(player, result.player) for result in (was, would)]
    days = {figures.day: index for index, figures in enumerate(would.lists)}
    comparisons = []
    for index, figures in enumerate(was.lists):
        if figures.day in days:
            columns = (was.ratings[index], would.ratings[days[figures.day]])
            by_row = map(_by_row, columns, rows, [len(player)] * 2)
            comparisons.append(_compare_list(figures.day, player, *by_row))
    return tuple(comparisons)


def _by_row(rating: Column, rows: Column, size: int) -> Column:
    column = np.zeros(size, np.int64)
    column[rows[: len(rating)]] = rating
    return column


def _compare_list(day: date, player: Column, was: Column, would: Column) -> ListComparison:
    both = np.flatnonzero((was > 0) & (would > 0))
    move = would[both] - was[both]
    distance = np.abs(move)
    furthest = np.lexsort((player[both], -distance))[:MOVERS]
    count = max(1, len(both))
    return ListComparison(
        day,
        len(both),
        int((move != 0).sum()),
        Fraction(int(move.sum()), count),
        Fraction(int(distance.sum()), count),
        int(((would > 0) & (was == 0)).sum()),
        int(((was > 0) & (would == 0)).sum()),
        tuple(
            ScenarioMover(int(player[row]), int(was[row]), int(would[row]))
            for row in both[furthest].tolist()
            if was[row] != would[row]
        ),
    )
