"""Measure a federation's month as an officer runs it: 200 report files to a published list of 20,000 players.

    python benchmarks/federation.py [--reports 200] [--players 20000] [--seed N] [--runs N] [--keep DIR] [--quick]

Four commands, each a process of its own with its start and its exit, one after the other on the same office:

    arpad office submit reports --accept        the reports read, checked, on file and accepted
    arpad office accept --all                   what is left, if anything is
    arpad office draft standard 2025-07-01      the list computed and shown
    arpad office publish standard 2025-07-01    the list stored, with its bundle and its text files: canonical,
                                                FIDE's layout, XML, CSV, and every section

``federation_s`` is the time of all four (goal: at most 5 s on two free cores). The floor of the same run is the plain
work of benchmarks/month.py on the same files (slice, insert the games, insert the list, write it) and four starts of a
bare Python; ``federation`` is the ratio of the two. Floor and month take turns, and the best of each counts;
``federation_processor_s`` is the processor time of the four commands, which a busy machine disturbs less.

The players are those of the made world (benchmarks/world.py), imported before the clock runs. The last line is one JSON
object. With --keep the world is written to that folder, and used again by the next run.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import command_time
import made_month
import month
import world

REPORTS, PLAYERS, QUICK = 200, 20_000, 20
LIST = ("standard", made_month.NEXT_LIST.isoformat())
NOW = f"{month.NOW:%Y-%m-%dT%H:%M:%SZ}"


def commands(folder: Path) -> dict[str, list[str]]:
    """Return the commands of a month, in order."""
    files = ["--out", str(folder / "lists"), "--files", ",".join(made_month.TEXT_KINDS)]
    arguments = {
        "submit": ["submit", str(folder / made_month.REPORTS), "--accept"],
        "accept": ["accept", "--all"],
        "draft": ["draft", *LIST],
        "publish": ["publish", *LIST, *files],
    }
    database = ["--db", str(folder / "office.db"), "--now", NOW]
    return {name: command_time.arpad("office", *given, *database) for name, given in arguments.items()}


def run_month(folder: Path) -> dict[str, dict[str, float]]:
    """Run the commands on a new copy of the office; return the seconds of each."""
    shutil.rmtree(folder / "lists", ignore_errors=True)
    for left in folder.glob("office.db*"):
        left.unlink()
    shutil.copyfile(folder / "begun.db", folder / "office.db")
    month.run_stage("renew", folder)
    # status 1: doubtful entrants leave a report in the inbox for an officer
    return {name: command_time.measure(command, (0, 1)) for name, command in commands(folder).items()}


def measure(folder: Path, given: argparse.Namespace) -> dict[str, Any]:
    """Run floor and month in turn."""
    facts = month.prepare(folder, given.reports, given.seed, given.players * world.RATED_IN // world.RATED_OF)
    floors, months = [], []
    for _ in range(given.runs):
        bare = month.run_stage("floor", folder)
        starts = [command_time.measure(command_time.BARE)["seconds"] for _ in commands(folder)]
        floors.append((bare["seconds"] + sum(starts), bare, starts))
        months.append(run_month(folder))
    floor_s, bare, _ = min(floors, key=lambda floor: floor[0])
    best = min(months, key=_seconds)
    return {
        "reports": given.reports,
        "games": facts["games"],
        "list_rows": bare["list_rows"],
        "import_s": facts["import_s"],
        "commands": best,
        "floor_s": round(floor_s, 3),
        "federation_s": round(_seconds(best), 2),
        "federation_processor_s": round(min(_seconds(each, "processor_s") for each in months), 2),
        "federation": round(_seconds(best) / floor_s, 2),
        "intact": _is_intact(folder),
    }


def _seconds(seconds: dict[str, dict[str, float]], measure_of: str = "seconds") -> float:
    return sum(command[measure_of] for command in seconds.values())


def _is_intact(folder: Path) -> bool:
    """Return whether the published list recomputes from its bundle."""
    (bundle,) = (folder / "lists").glob("*.bundle.zip")
    verify = command_time.arpad("office", "verify", str(bundle))
    return subprocess.run(verify, stdout=subprocess.DEVNULL, check=False).returncode == 0  # noqa: S603  our own


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure a federation's month with the commands.")
    parser.add_argument("--reports", type=int, default=REPORTS)
    parser.add_argument("--players", type=int, default=PLAYERS, help="with a rating")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--runs", type=int, default=3, help="the best of so many counts")
    parser.add_argument("--keep", type=Path, help="the folder of the made world; default: a temporary one")
    parser.add_argument("--quick", action="store_true", help=f"{QUICK} reports, 2,000 players, once")
    given = parser.parse_args()
    if given.quick:
        given.reports, given.players, given.runs = QUICK, 2_000, 1
    if given.keep:
        print(json.dumps(measure(given.keep, given)))
        return
    with tempfile.TemporaryDirectory(prefix="arpad-federation-") as temporary:
        print(json.dumps(measure(Path(temporary), given)))


if __name__ == "__main__":
    sys.exit(main())
