"""Measure how long commands take to start: on an office so small that their work takes no time.

    python benchmarks/start.py [--runs 10] [--quick]

Every command is a process from its start to its exit, beside a bare ``python -c pass``. All take turns, and the best of
each counts. The office has a list of 300 players, one report and one list of its own. ``start_s`` is the slowest
command of the office above the bare Python, by processor time, which a busy machine disturbs less (goal: at most
0.5 s); ``start_clock_s`` is the same by the clock. The last line is one JSON object.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

import command_time
import made_month
from sizes import read_arguments

PLAYERS = 1_000
NOW = ("--now", "2025-06-28T12:00:00Z")
LATER = ("--now", "2025-07-28T12:00:00Z")


def small_office(folder: Path) -> None:
    """Make an office with one report and one list."""
    made_month.write_month(folder, 1, 1, PLAYERS)
    database = str(folder / "office.db")
    made_month.begin(database, folder)
    desk = made_month.open_desk(database)
    made_month.submit_reports(desk, folder / made_month.REPORTS, 1)
    made_month.accept_rest(desk, 1)
    made_month.publish_list(desk, folder / "lists")
    desk.close()


def commands(folder: Path) -> dict[str, list[str]]:
    """Return the commands by name; none of them changes the office."""
    database = ("--db", str(folder / "office.db"))
    (report,) = (folder / made_month.REPORTS).iterdir()
    (bundle,) = (folder / "lists").glob("*.bundle.zip")
    of_office = {
        "lists": database,
        "reports": database,
        "player": ("1", *database),
        "search": ("Al", *database),
        "explain": ("1", "--list", "standard", "--date", "2025-07-01", *database),
        "ledger": database,
        "settings show": database,
        "submit": (str(report), *database, *NOW),
        "draft": ("standard", "2025-08-01", *database, *LATER),
        "publish": ("standard", "2025-07-01", *database, *NOW),
        "verify": ("--quick", *database),
        "verify-bundle": (str(bundle),),
    }
    named = {
        f"office {name}": command_time.arpad("office", *name.removesuffix("-bundle").split(), *arguments)
        for name, arguments in of_office.items()
    }
    return {
        "bare": command_time.BARE,
        "--help": command_time.arpad("--help"),
        "check": command_time.arpad("check", str(report)),
        "office --help": command_time.arpad("office", "--help"),
        **named,
    }


def measure(folder: Path, runs: int) -> dict[str, Any]:
    """Run all commands in turn; return how long each takes above a bare Python."""
    small_office(folder)
    results: dict[str, list[dict[str, float]]] = {}
    for _ in range(runs):
        for name, command in commands(folder).items():
            results.setdefault(name, []).append(command_time.measure(command, (0, 1)))
    best = {
        measure_of: {name: min(each[measure_of] for each in times) for name, times in results.items()}
        for measure_of in ("seconds", "processor_s")
    }
    above = {
        measure_of: {name: round(least - times["bare"], 3) for name, least in times.items() if name != "bare"}
        for measure_of, times in best.items()
    }
    of_office = [name for name in above["seconds"] if name.startswith("office")]
    return {
        "bare_s": best["seconds"]["bare"],
        "above_s": above["seconds"],
        "above_processor_s": above["processor_s"],
        "start_s": max(above["processor_s"][name] for name in of_office),
        "start_clock_s": max(above["seconds"][name] for name in of_office),
    }


def main() -> None:
    given = read_arguments("Measure the start of commands; the best run counts.", runs=(10, 1, 1))
    with tempfile.TemporaryDirectory(prefix="arpad-start-") as temporary:
        print(json.dumps(measure(Path(temporary), given.runs)))


if __name__ == "__main__":
    main()
