"""How fast a whole list is computed, against bare NumPy doing one simplified period on the same games in the same run.

    python benchmarks/engine.py [--games 1000000] [--players 500000] [--repeats 25] [--quick]

The floor has every player rated, one event, one edition, one regime of gaps, no rating floor, no activity and no
newcomers; it is that of the shared bench where it is at hand, and the same work otherwise. The engine closes the
period as it would for a published list. The two run in turn, and the best of each counts; what they agree on is
compared. The last line is one JSON object.
"""

from __future__ import annotations

import importlib.util
import json
import resource
import time
from collections.abc import Callable
from datetime import date
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from sizes import read_arguments

from arpad.lists.engine.columns import NO_TRANCHES, NONE, Column, PlayerColumns, Roster, ordinal
from arpad.lists.engine.event_columns import Context, Entrants, Games
from arpad.lists.engine.next_list import EngineResult, finish_list
from arpad.lists.engine.sums import sum_games
from arpad.lists.period_inputs import Frame
from arpad.model.rules import ListName
from arpad.regulations.editions import CHESS_EDITIONS, chess_edition
from arpad.regulations.tables import TABLE_8_1B

SHARED = Path(__file__).resolve().parents[2] / "shared" / "bench"
EDITION = "fide-2017"
OPENED, DAY = date(2024, 1, 1), date(2024, 2, 1)
YEAR = OPENED.year


def shared(name: str) -> ModuleType | None:
    """A module of the shared bench, where there is one."""
    path = SHARED / f"{name}.py"
    if not path.is_file():
        return None
    spec = importlib.util.spec_from_file_location(f"shared_{name}", path)
    if spec is None or spec.loader is None:
        return None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


# ---------------------------------------------------------------------------------------------- the workload


def made_games(players: int, games: int, seed: int = 20240301) -> dict[str, Column]:
    """Players around 1700, two in five active, each paired with a neighbour in strength; as in the shared bench."""
    rng = np.random.default_rng(seed)
    strength = rng.normal(1700, 300, players)
    rating = np.clip(np.rint(strength + rng.normal(0, 60, players)), 1000, 2900).astype(np.int16)
    before = rng.integers(0, 200, players).astype(np.int32)
    birth = rng.integers(1940, 2013, players).astype(np.int16)
    active = rng.choice(players, int(players * 0.4), replace=False)
    order = active[np.argsort(strength[active] + rng.normal(0, 80, active.size))].astype(np.int32)
    place = rng.integers(0, order.size, games)
    step = rng.integers(1, max(2, order.size // 100), games)
    other = np.where(place + step < order.size, place + step, place - step)
    flip = rng.random(games) < 0.5
    white, black = np.where(flip, order[place], order[other]), np.where(flip, order[other], order[place])
    expected = 1.0 / (1.0 + 10.0 ** (-(strength[white] - strength[black]) / 400.0))
    drawn = 0.35 * (1.0 - np.abs(2 * expected - 1.0))
    luck, win = rng.random(games), expected - drawn / 2
    score = np.where(luck < win, 100, np.where(luck < win + drawn, 50, 0)).astype(np.int8)
    return {
        "rating": rating,
        "games_before": before,
        "birth": birth,
        "reached": (rating >= 2400).astype(np.int8),
        "white": white[np.newaxis],
        "black": black[np.newaxis],
        "score": score[np.newaxis],
    }


def workload(players: int, games: int) -> dict[str, Column]:
    module = shared("workload")
    return dict(module.make(players, games, 1)) if module else made_games(players, games)


# -------------------------------------------------------------------------------------------------- the floor

EXPECTED = np.array([TABLE_8_1B.expected(difference) for difference in range(-400, 401)], np.int16)


def own_floor(work: dict[str, Column]) -> dict[str, Column]:
    """The work of the shared bench: differences, cap, table, sums by player, K, 700, rounding."""
    rating, played = work["rating"].copy(), work["games_before"].copy()
    reached = work["reached"].astype(bool)
    white, black, score = work["white"][0], work["black"][0], work["score"][0]
    difference = np.take(rating, white) - np.take(rating, black)
    np.clip(difference, -400, 400, out=difference)
    difference += 400
    points = score - np.take(EXPECTED, difference)
    size = rating.size
    total = (np.bincount(white, points, size) - np.bincount(black, points, size)).astype(np.int64)
    games = np.bincount(white, minlength=size) + np.bincount(black, minlength=size)
    young = (played < 30) | ((YEAR - work["birth"] < 19) & (rating < 2300))
    k = np.where(reached, 10, np.where(young, 40, 20))
    k = np.where(k * games > 700, 700 // np.maximum(games, 1), k)
    rating = (rating + (k * total + 50) // 100).astype(np.int16)
    return {"rating": rating, "played": (played + games).astype(np.int32), "sum": total, "games": games}


def floor() -> Callable[[dict[str, Column]], Any]:
    module = shared("floor")
    return module.run_numpy if module else own_floor


# ------------------------------------------------------------------------------------------------- the engine


def roster_of(work: dict[str, Column]) -> Roster:
    """The list before the period; made once, as an office has it at hand."""
    size = work["rating"].size
    return Roster(
        player=np.arange(1, size + 1, dtype=np.int64),
        rating=work["rating"],
        games=work["games_before"],
        peak=work["rating"],
        k=np.full(size, NONE, np.int16),
        entered=np.full(size, ordinal(date(2015, 1, 1)), np.int32),
        entry=work["rating"],
        last_list=np.full(size, ordinal(OPENED), np.int32),
        delisted=np.zeros(size, np.bool_),
        inactive=np.zeros(size, np.bool_),
        tranches=NO_TRANCHES,
    )


def context_of(work: dict[str, Column]) -> Context:
    roster = roster_of(work)
    years, born = np.unique(work["birth"], return_inverse=True)
    size = len(roster)
    players = PlayerColumns(
        tuple(int(year) for year in years),
        born.astype(np.int32),
        np.zeros(size, np.bool_),
        np.full(size, NONE, np.int16),
        np.zeros(size, np.int16),
        np.zeros(size, np.bool_),
    )
    frame = Frame.of(ListName.STANDARD, DAY, OPENED, chess_edition(EDITION), CHESS_EDITIONS)
    return Context(roster, players, lambda rows, _: roster.rating[rows], frame)


def closed(work: dict[str, Column], context: Context) -> EngineResult:
    """The period on the engine: one event in which everybody may play."""
    rating = context.roster.rating
    nobody = np.zeros(len(rating), np.bool_)
    rows, event = np.arange(len(rating), dtype=np.int32), np.zeros(len(rating), np.int32)
    entrants = Entrants(rows, event, rating, rating, nobody, nobody, nobody)
    half_points = work["score"][0] // np.int8(50)
    games = Games(EDITION, work["white"][0], work["black"][0], half_points, entrants)
    rules = context.frame.by_edition[EDITION]
    return finish_list(sum_games(games, rules, context), context)


def agrees(work: dict[str, Column], after: EngineResult) -> bool:
    """Games of everybody, and the new rating of all whom the simplifications of the floor do not concern."""
    bare = own_floor(work)
    change = after.roster.rating - work["rating"]
    away = bare["rating"] - work["rating"]
    k = np.where(
        work["reached"] != 0, 10,
        np.where((work["games_before"] < 30) | ((YEAR - work["birth"] < 19) & (work["rating"] < 2300)), 40, 20),
    )  # fmt: skip
    k = np.where(k * bare["games"] > 700, 700 // np.maximum(bare["games"], 1), k)
    halves = (k * bare["sum"] < 0) & (
        k * bare["sum"] % 100 == 50
    )  # the floor rounds them up, 2017 away from zero
    gone = after.roster.delisted
    same = (change == np.where(halves, away - 1, away)) | gone
    return bool(same.all() and (after.games == bare["games"]).all())


def measured(games: int, players: int, repeats: int) -> dict[str, Any]:
    work = workload(players, games)
    context, bare = context_of(work), floor()
    best = {"floor": 1e9, "engine": 1e9}
    spent = dict(best)
    runs: dict[str, Callable[[], Any]] = {
        "floor": lambda: bare(work),
        "engine": lambda: closed(work, context),
    }
    for _ in range(repeats):
        for name, run in runs.items():
            start, used = time.perf_counter(), time.process_time()
            run()
            best[name] = min(best[name], time.perf_counter() - start)
            spent[name] = min(spent[name], time.process_time() - used)
    return {
        "games": games,
        "players": players,
        "floor_ms": round(best["floor"] * 1e3, 2),
        "engine_ms": round(best["engine"] * 1e3, 2),
        "floor_cpu_ms": round(spent["floor"] * 1e3, 2),
        "engine_cpu_ms": round(spent["engine"] * 1e3, 2),
        "million_games_per_second": round(games / best["engine"] / 1e6, 1),
        "agrees": agrees(work, closed(work, context)),
        "peak_mib": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024),
        "engine": round(best["engine"] / best["floor"], 3),
    }


def main() -> None:
    given = read_arguments(
        "Measure how fast a whole list is computed.",
        games=(1_000_000, 1_000_000, 1_000), players=(500_000, 500_000, 500), repeats=(25, 9, 1),
    )  # fmt: skip
    print(json.dumps(measured(given.games, given.players, given.repeats)))


if __name__ == "__main__":
    main()
