"""One history under several editions: every list of each in a few figures, and who moves from one to the other.

Of each list a column of ratings is kept for the comparison: two bytes a player, 200 MB for twenty years of the world.
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
        """The list before the history, to be written on."""
        return PlayerIndex(self.roster or Roster.of({}), self.births, self.born)

    def pieces(self, workers: Workers) -> Iterator[Piece]:
        """The games: read here, or left in the file for those who sum them up."""
        wanted = read_games if workers.count == 1 else file_pieces
        return wanted(self.path, self.first, self.last)


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
    """What became of a history under one scenario."""

    name: str
    lists: tuple[ListFigures, ...]
    player: Column
    ratings: tuple[Column, ...]
    """Of each list by row; earlier lists are shorter. Empty where nothing is compared."""


def run_scenario(
    history: GameHistory,
    scenario: Scenario,
    *,
    workers: Workers | None = None,
    compared: bool = True,
    watch: Callable[[Iterator[Piece]], Iterable[Piece]] = iter,
    told: Callable[[Replayed], None] | None = None,
) -> ScenarioResult:
    """Replay the history under one scenario."""
    workers = workers or InProcess()
    lists, ratings = [], []
    players = history.players()
    pieces = watch(history.pieces(workers))
    made = replay(pieces, players, history.on_list, scenario.editions, start=history.start, workers=workers)
    for one in made:
        lists.append(list_figures(one))
        if compared:
            ratings.append(one.roster.rating)
        if told is not None:
            told(one)
    return ScenarioResult(scenario.name, tuple(lists), players.roster.player, tuple(ratings))


def run_scenarios(
    history: GameHistory, scenarios: Sequence[Scenario], workers: Workers
) -> Iterator[ScenarioResult]:
    """Several scenarios, each replayed whole by one worker."""
    with workers.broadcast(history) as shared:
        yield from workers.map(run_scenario, shared, scenarios)


def list_figures(made: Replayed) -> ListFigures:
    """One list in a few figures."""
    roster = made.roster
    rated = roster.rating[roster.rating > 0]
    mean = Fraction(int(rated.sum(dtype=np.int64)), len(rated)) if len(rated) else Fraction(0)
    entered = int((roster.entered == made.day.toordinal()).sum())
    return ListFigures(
        made.day,
        made.edition,
        made.played,
        len(rated),
        mean,
        entered,
        int(roster.delisted.sum()),
        made.digest,
    )


# ----------------------------------------------------------------------------------------------- comparison


@dataclass(frozen=True, slots=True)
class ScenarioMover:
    """One player's rating on the same list of both."""

    player: int
    was: int
    would: int


@dataclass(frozen=True, slots=True)
class ListComparison:
    """One list under two scenarios: what it was, and what it would have been."""

    day: date
    both: int
    """Players who have a rating on both."""

    moved: int
    mean: Fraction
    """Mean of would minus was."""

    distance: Fraction
    """Mean of the same without its sign."""

    gained: int
    """Players who would have a rating and have none."""

    lost: int
    movers: tuple[ScenarioMover, ...]
    """Those who move furthest; of equals the lower number."""


def compared(was: ScenarioResult, would: ScenarioResult) -> tuple[ListComparison, ...]:
    """Every list whose day both have."""
    player = np.union1d(was.player, would.player)
    rows = [np.searchsorted(player, one.player) for one in (was, would)]
    days = {one.day: place for place, one in enumerate(would.lists)}
    found = []
    for place, one in enumerate(was.lists):
        if one.day in days:
            columns = (was.ratings[place], would.ratings[days[one.day]])
            found.append(_compare_list(one.day, player, *map(_by_row, columns, rows, [len(player)] * 2)))
    return tuple(found)


def _by_row(rating: Column, rows: Column, size: int) -> Column:
    found = np.zeros(size, np.int64)
    found[rows[: len(rating)]] = rating
    return found


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
