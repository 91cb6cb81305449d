"""How fast a history of games is replayed from a Parquet file, against reading the same file and bare NumPy sums.

    python benchmarks/replay.py [GAMES] [PLAYERS]

A million games a month; the floor reads the same batches and does the simplified period of benchmarks/engine.py on
each month, with no lists kept, no floor and no activity. The last line is one JSON object.
"""

from __future__ import annotations

import json
import resource
import sys
import tempfile
import time
from datetime import date
from pathlib import Path
from typing import Any

import engine
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from arpad.engine.game_files import EPOCH, read_games
from arpad.engine.book import Book
from arpad.engine.replay import replay
from arpad.model import ListName
from arpad.regulations import chess_edition
from arpad.rules import add_months

MONTH = 1_000_000
FIRST = date(2010, 1, 1)


def write_history(path: Path, work: dict[str, Any], games: int) -> None:
    """Month after month of the same pairings, on the first 28 days."""
    writer = None
    white, black = (work[side][0].astype(np.int32) + 1 for side in ("white", "black"))
    score = (work["score"][0] // 50).astype(np.int8)
    for month in range(games // MONTH):
        first = add_months(FIRST, month).toordinal() - EPOCH
        days = first + np.arange(MONTH, dtype=np.int32) * 28 // MONTH
        table = pa.table(
            {
                "date": pa.array(days, pa.int32()).cast(pa.date32()),
                "white": np.roll(white, month * 7919),
                "black": np.roll(black, month * 7919),
                "score": np.roll(score, month * 104729),
            }
        )
        writer = writer or pq.ParquetWriter(path, table.schema)
        writer.write_table(table)
    if writer:
        writer.close()


def floor(path: Path, work: dict[str, Any]) -> None:
    for games in read_games(path):
        month = {
            **work,
            "white": games.white[np.newaxis] - np.int32(1),
            "black": games.black[np.newaxis] - np.int32(1),
            "score": games.score[np.newaxis] * np.int8(50),
        }
        engine.own_floor(month)


def main(games: int = 20_000_000, players: int = 500_000) -> None:
    work = engine.workload(players, MONTH)
    roster = engine.roster_of(work)
    edition = chess_edition(engine.EDITION)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "games.parquet"
        write_history(path, work, games)
        size = path.stat().st_size
        best = {"floor": 1e9, "replay": 1e9}
        lists = 0
        for _ in range(3 if games <= 20 * MONTH else 1):
            begun = time.perf_counter()
            floor(path, work)
            between = time.perf_counter()
            made = replay(read_games(path), Book(roster), ListName.STANDARD, lambda _: edition)
            lists = sum(1 for _ in made)
            best["replay"] = min(best["replay"], time.perf_counter() - between)
            best["floor"] = min(best["floor"], between - begun)
    out = {
        "games": games,
        "lists": lists,
        "file_mb": round(size / 1e6, 1),
        "floor_s": round(best["floor"], 2),
        "replay_s": round(best["replay"], 2),
        "million_games_per_second": round(games / best["replay"] / 1e6, 2),
        "peak_mib": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024),
        "replay": round(best["replay"] / best["floor"], 3),
    }
    print(json.dumps(out))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
