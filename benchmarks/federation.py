"""Measure a federation's month as an officer runs it: 200 report files to a published list of 20,000 players.

    python benchmarks/federation.py [--reports 200] [--players 20000] [--seed N] [--runs N] [--keep DIR] [--quick]

Four commands, each a process of its own with its start and its exit, one after the other on the same office:

    arpad office submit reports --accept        the reports read, checked, on file and accepted
    arpad office accept --all                   what is left, if anything is
    arpad office draft standard 2025-07-01      the list computed and shown
    arpad office publish standard 2025-07-01    the list stored, with its bundle and its text files: canonical,
                                                FIDE's layout, XML, CSV, and every section

The office has what a real one has (benchmarks/real_month.py): FIDE's list as a reference, a second scheme of numbers,
clubs and memberships; it rates its own players, and 5 of 100 are guests. 5 % of the reports are no regular TRF, and 2 %
of the entrants are doubtful: between submit and accept an officer decides who they are, which is not measured.

``federation_s`` is the time of all four (goal: at most 4 s on two free cores), ``postgres_s`` the same on PostgreSQL.
The floor of the same run is the plain
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
import postgres_server
import real_month
import world
from sizes import folder_for, parser_with_folder, read_arguments
from stages import run_stage

LIST = ("standard", made_month.NEXT_LIST.isoformat())
HOME_SHARE = 95
"""Players of the own federation in 100; the others are guests."""

NOW = f"{month.NOW:%Y-%m-%dT%H:%M:%SZ}"


def commands(folder: Path, database: str) -> dict[str, list[str]]:
    """Return the commands of a month at an office, in order."""
    files = ["--out", str(folder / "lists"), "--files", ",".join(made_month.TEXT_KINDS)]
    arguments = {
        "submit": ["submit", str(folder / made_month.REPORTS), "--accept"],
        "accept": ["accept", "--all"],
        "draft": ["draft", *LIST],
        "publish": ["publish", *LIST, *files],
    }
    office = ["--db", database, "--now", NOW]
    return {name: command_time.arpad("office", *given, *office) for name, given in arguments.items()}


def run_month(folder: Path, database: str) -> dict[str, dict[str, float]]:
    """Run the commands on an office; return the seconds of each."""
    shutil.rmtree(folder / "lists", ignore_errors=True)
    seconds = {}
    for name, command in commands(folder, database).items():
        if name == "accept":  # an officer looks at the inbox, at their own speed
            run_stage(month.STAGES, "decide", folder, database)
        # status 1: doubtful entrants leave a report in the inbox
        seconds[name] = command_time.measure(command, (0, 1))
    return seconds


def run_on_sqlite(folder: Path) -> dict[str, dict[str, float]]:
    """Run the month on a new copy of the office."""
    real_month.copy_begun(folder)
    run_stage(month.STAGES, "renew", folder)
    return run_month(folder, str(folder / "office.db"))


def run_on_postgres(folder: Path, runs: int) -> list[dict[str, dict[str, float]]]:
    """Run the month several times on PostgreSQL, each on a new copy of the office; nothing where it is missing."""
    with postgres_server.server() as server:
        if server is None:
            return []
        begun = postgres_server.create_database(server, "begun")
        run_stage(month.STAGES, "begin", folder, "home", begun)
        return [
            run_month(folder, postgres_server.create_database(server, "office", "begun")) for _ in range(runs)
        ]


def measure(folder: Path, given: argparse.Namespace) -> dict[str, Any]:
    """Run floor and month in turn, then the month on PostgreSQL."""
    size = given.players * world.RATED_IN // world.RATED_OF * 100 // HOME_SHARE
    facts = month.prepare(folder, given.reports, given.seed, size, HOME_SHARE)
    floors, months = [], []
    for _ in range(given.runs):
        bare = run_stage(month.STAGES, "floor", folder)
        starts = [command_time.measure(command_time.BARE)["seconds"] for _ in range(4)]
        floors.append((bare["seconds"] + sum(starts), bare, starts))
        months.append(run_on_sqlite(folder))
    floor_s, bare, _ = min(floors, key=lambda floor: floor[0])
    best = min(months, key=_seconds)
    verified = _verified(folder)
    on_postgres = min(run_on_postgres(folder, given.runs), key=_seconds, default=None)
    return {
        **{name: facts[name] for name in ("reports", "games", "doubtful", "irregular", "import_s")},
        "list_rows": bare["list_rows"],
        "commands": best,
        "floor_s": round(floor_s, 3),
        "federation_s": round(_seconds(best), 2),
        "federation_processor_s": round(min(_seconds(each, "processor_s") for each in months), 2),
        "federation": round(_seconds(best) / floor_s, 2),
        "postgres": on_postgres,
        "postgres_s": None if on_postgres is None else round(_seconds(on_postgres), 2),
        "verify": verified,
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
