"""The same replay in one process, in a pool of processes and on a local cluster: equal digests, and what each costs.

    python benchmarks/cluster.py [--games 10000000] [--workers 2] [--repeats 3] [--quick]

Row groups of 131,072 games, a million games a month. Processes and workers are started before the clock, once; the
three run in turn, and the best of each counts. Processor time is that of this process and all its children:
on a machine that is shared it says more than the clock. The last line is one JSON object.
"""

from __future__ import annotations

import json
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import engine
import psutil
import replay as histories
from sizes import read_arguments

from arpad.lists.engine.game_files import file_pieces, read_games
from arpad.lists.engine.player_index import PlayerIndex
from arpad.lists.engine.replay import replay
from arpad.model.rules import ListName
from arpad.regulations.editions import always, chess_edition
from arpad.system.workers import InProcess, Workers, open_workers

ROW_GROUP = 1 << 17
TICK = 0.01
"""The seconds in which the system counts the processor time of another process."""


def processor_time() -> float:
    """Of this process and of all that are alive below it."""
    own = psutil.Process()
    total = 0.0
    for process in (own, *own.children(recursive=True)):
        try:
            spent = process.cpu_times()
        except psutil.NoSuchProcess:
            continue
        total += spent.user + spent.system
    return total


def timed(path: Path, roster: Any, workers: Workers) -> tuple[float, float, str]:
    begun, spent = time.perf_counter(), processor_time()
    pieces = read_games(path) if workers.count == 1 else file_pieces(path)
    editions = always(chess_edition(engine.EDITION))
    digest = ""
    for made in replay(pieces, PlayerIndex(roster), ListName.STANDARD, editions, workers=workers):
        digest = made.digest
    return time.perf_counter() - begun, processor_time() - spent, digest


def main() -> None:
    given = read_arguments(
        "Measure a replay in one process, in a pool and on a cluster.",
        games=(10_000_000, 2_000_000, 2_000), players=(500_000, 500_000, 500),
        month=(histories.MONTH, histories.MONTH, 1_000), workers=(2, 2, 1), repeats=(3, 1, 1),
    )  # fmt: skip
    games, count = given.games, given.workers
    work = engine.workload(given.players, given.month)
    roster = engine.roster_of(work)
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        path = Path(folder) / "games.parquet"
        histories.write_history(path, work, games, row_group=ROW_GROUP)
        places: dict[str, Workers] = {
            "one": InProcess(),
            "pool": stack.enter_context(open_workers(jobs=count)),
            "cluster": stack.enter_context(open_workers(cluster=f"local:{count}")),
        }
        best = dict.fromkeys(places, (1000000000.0, 1000000000.0))
        digests = set()
        for turn in range(given.repeats + 1):
            for name, workers in places.items():
                clock, spent, digest = timed(path, roster, workers)
                digests.add(digest)
                if turn:  # the first round starts the processes and loads the modules
                    best[name] = min(best[name][0], clock), min(best[name][1], spent)
    out: dict[str, Any] = {"games": games, "workers": count, "equal": len(digests) == 1}
    for name, (clock, spent) in best.items():
        out |= {f"{name}_s": round(clock, 2), f"{name}_cpu_s": round(spent, 2)}
    out["cluster_cpu"] = round(best["cluster"][1] / max(best["pool"][1], TICK), 3)
    out["cluster"] = round(best["cluster"][0] / best["pool"][0], 3)
    print(json.dumps(out))


if __name__ == "__main__":
    main()
