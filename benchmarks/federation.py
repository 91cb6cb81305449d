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
from pathlib import Path
from typing import Any

import command_time
import made_month
import month
import world
from sizes import folder_for, parser_with_folder, read_arguments
from stages import run_stage

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
    run_stage(month.STAGES, "renew", folder)
    # status 1: doubtful entrants leave a report in the inbox for an officer
    return {name: command_time.measure(command, (0, 1)) for name, command in commands(folder).items()}


def measure(folder: Path, given: argparse.Namespace) -> dict[str, Any]:
    """Run floor and month in turn."""
    facts = month.prepare(folder, given.reports, given.seed, given.players * world.RATED_IN // world.RATED_OF)
    floors, months = [], []
    for _ in range(given.runs):
        bare = run_stage(month.STAGES, "floor", folder)
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
        "verify": _verified(folder),
    }


def _seconds(seconds: dict[str, dict[str, float]], measure_of: str = "seconds") -> float:
    return sum(command[measure_of] for command in seconds.values())


def _verified(folder: Path) -> dict[str, float]:
    """Compute the published list again from its bundle; another list ends the script."""
    (bundle,) = (folder / "lists").glob("*.bundle.zip")
    return command_time.measure(command_time.arpad("office", "verify", str(bundle)))


def main() -> None:
    given = read_arguments(
        "Measure a federation's month with the commands; the players are rated ones, the best run counts.",
        parser_with_folder(),
        reports=(200, 20, 2), players=(20_000, 2_000, 300), seed=(1, 1, 1), runs=(3, 1, 1),
    )  # fmt: skip
    with folder_for(given) as folder:
        print(json.dumps(measure(folder, given)))


if __name__ == "__main__":
    main()
