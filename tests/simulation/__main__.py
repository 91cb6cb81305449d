# ruff: noqa: T201  this program prints what it finds
"""Run the simulation: ``python -m tests.simulation 1000``, or one seed with ``--seed 17``.

``--log FILE`` notes every seed in a file; the next call with this file runs the others.
"""

import argparse
import os
import sys
import time
from pathlib import Path

FAILED = Path(__file__).with_name("failed_seeds.txt")
SHOWN = 40
"""How many of the last events of a failed seed are shown."""


def failed_seeds(*, still: bool = False) -> list[int]:
    """Return every seed that failed once and holds now, or those that still fail."""
    lines = FAILED.read_text(encoding="utf-8").splitlines()
    seeds = [line.split(maxsplit=2) for line in lines if line and not line.startswith("#")]
    return [int(seed) for seed, state, _ in seeds if (state == "open") == still]


def seeds_in(log: Path | None) -> set[int]:
    """Return the seeds that a log names as run."""
    lines = log.read_text(encoding="utf-8").splitlines() if log is not None and log.exists() else []
    return {int(line.split()[1]) for line in lines if line.startswith("seed ")}


def main(words: list[str]) -> int:
    """Run seeds; return 1 if an invariant broke."""
    parser = argparse.ArgumentParser(prog="python -m tests.simulation", description=__doc__)
    parser.add_argument("seeds", nargs="?", type=int, default=10, help="how many seeds")
    parser.add_argument("--first", type=int, default=1, help="the first of them")
    parser.add_argument("--seed", type=int, action="append", help="only this seed, with all its events")
    parser.add_argument("--failed", action="store_true", help="only the seeds that ever failed")
    parser.add_argument("--minutes", type=float, default=0, help="begin no seed after so many minutes")
    parser.add_argument("--log", type=Path, help="note each seed here, and run none that is noted")
    options = parser.parse_args(words)
    from tests.simulation.run import run_seed

    seeds = options.seed or (
        failed_seeds() if options.failed else range(options.first, options.first + options.seeds)
    )
    begun, broken, done, before = time.monotonic(), [], 0, seeds_in(options.log)
    for seed in seeds:
        if seed in before:
            continue
        if options.minutes and time.monotonic() - begun > 60 * options.minutes:
            break
        outcome = run_seed(seed, verified_acts=1) if options.seed else run_seed(seed)
        done += 1
        if outcome.broken or options.seed:
            print(*(outcome.events if options.seed else outcome.events[-SHOWN:]), sep="\n")
        print(outcome.line(), flush=True)
        if options.log:
            with options.log.open("a", encoding="utf-8") as log:
                print(outcome.line(), file=log)
        if outcome.broken:
            broken.append(seed)
            print(f"repeat it: python -m tests.simulation --seed {seed}", flush=True)
    print(f"{done} seeds, {len(broken)} failed: {broken}")
    return 1 if broken else 0


if __name__ == "__main__":
    if os.environ.get("PYTHONHASHSEED") != "0":  # the order of sets must be the same every time
        os.environ |= {"PYTHONHASHSEED": "0", "POLARS_MAX_THREADS": "1"}  # one thread: the tables are small
        os.execv(sys.executable, [sys.executable, "-m", "tests.simulation", *sys.argv[1:]])  # noqa: S606
    sys.exit(main(sys.argv[1:]))
