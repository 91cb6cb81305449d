"""How fast a history of games is replayed from a Parquet file, against reading the same file and bare NumPy sums.

    python benchmarks/replay.py [--games 20000000] [--players 500000] [--month 1000000] [--quick]

The floor reads the same columns and does the simplified period of
benchmarks/engine.py on each month, with nothing checked, no lists kept, no rating floor and no activity. Processor
time is given beside the clock, since the clock of a shared machine measures the others too. The last line is one JSON
object.
"""

from __future__ import annotations

import json
import resource
import tempfile
import time
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import engine
import numpy as np
import polars as pl
from sizes import read_arguments

from arpad.lists.engine.columns import PlayerColumns
from arpad.lists.period import RegisterFacts
from arpad.model.rules import ListName
from arpad.regulations.editions import chess_edition
from arpad.regulations.fide.rules import add_months
from arpad.studies.game_replay import replay
from arpad.studies.game_table import EPOCH, read_games

MONTH = 1_000_000
FIRST = date(2010, 1, 1)


def write_history(folder: Path, work: dict[str, Any], games: int) -> None:
    """Write month after month of the same pairings, a file each, on the first 28 days."""
    size = work["score"].shape[1]
    white, black = (work[side][0].astype(np.int32) + 1 for side in ("white", "black"))
    score = (work["score"][0] // 50).astype(np.int8)
    for month in range(games // size):
        first = add_months(FIRST, month).toordinal() - EPOCH
        days = first + np.arange(size, dtype=np.int64) * 28 // size
        table = pl.DataFrame(
            {
                "date": pl.Series(days.astype(np.int32)).cast(pl.Date),
                "white": np.roll(white, month * 7919),
                "black": np.roll(black, month * 7919),
                "score": np.roll(score, month * 104729),
            }
        )
        table.write_parquet(folder / f"{month:05}.parquet")


def floor(folder: Path, work: dict[str, Any]) -> None:
    """Read each month whole and sum it up, with nothing checked."""
    for file in sorted(folder.iterdir()):
        table = pl.read_parquet(file, columns=["white", "black", "score"])
        white, black, score = (column.to_numpy() for column in table)
        games = {
            "white": white[np.newaxis] - np.int32(1),
            "black": black[np.newaxis] - np.int32(1),
            "score": score[np.newaxis] * np.int8(50),
        }
        engine.own_floor({**work, **games})


def timed(run: Callable[[], int]) -> tuple[float, float, float, int]:
    """By the clock, of the processor, of the processor without the thread that reads ahead; and what was made."""
    begun = time.perf_counter(), time.process_time(), time.thread_time()
    found = run()
    ended = time.perf_counter(), time.process_time(), time.thread_time()
    clock, spent, own = (end - start for start, end in zip(begun, ended, strict=True))
    return clock, spent, own, found


def main() -> None:
    given = read_arguments(
        "Measure how fast a history of games is replayed.",
        games=(20 * MONTH, 2 * MONTH, 2_000), players=(500_000, 500_000, 500), month=(MONTH, MONTH, 1_000),
    )  # fmt: skip
    games, players, month = given.games, given.players, given.month
    work = engine.workload(players, month)
    roster = engine.roster_of(work)
    facts = PlayerColumns.of(RegisterFacts(), roster)
    edition = chess_edition(engine.EDITION)

    def replayed() -> int:
        made = replay(read_games(path), roster, facts, ListName.STANDARD, lambda _: edition)
        return sum(1 for _ in made)

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder)
        write_history(path, work, games)
        size = sum(file.stat().st_size for file in path.iterdir())
        floors, replays = [], []
        for _ in range(3 if games <= 20 * MONTH else 1):
            floors.append(timed(lambda: floor(path, work) or 0))
            replays.append(timed(replayed))
    bare, ours = ([min(column) for column in zip(*runs, strict=True)] for runs in (floors, replays))
    out = {
        "games": games,
        "players": players,
        "lists": ours[3],
        "file_mb": round(size / 1e6, 1),
        "floor_s": round(bare[0], 2),
        "floor_cpu_s": round(bare[1], 2),
        "replay_s": round(ours[0], 2),
        "replay_cpu_s": round(ours[1], 2),
        "replay_cpu_without_reading_s": round(ours[2], 2),
        "million_games_per_second": round(games / ours[0] / 1e6, 2),
        "million_games_per_cpu_second": round(games / ours[1] / 1e6, 2),
        "peak_mib": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024),
        "replay_cpu": round(ours[1] / bare[1], 3),
        "replay": round(ours[0] / bare[0], 3),
    }
    print(json.dumps(out))


if __name__ == "__main__":
    main()
