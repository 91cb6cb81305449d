"""Measure ``office verify`` on 15 years of monthly lists of 20,000 players on average.

    python benchmarks/verify.py [--months 180] [--players 14000] [--reports 20] [--keep DIR] [--quick]

The office is built by benchmarks/office_years.py; with --keep it stays in that folder for the next run. Measured are
the commands with their start:

    digests   arpad office verify --quick    the ledger, the reports, every row of every list and its digest
    verify    arpad office verify            the same, and every list computed again from its reports

The floor is to read as many rows with a line of text each from a table of SQLite, in the order of the key, and to hash
each list: what a program must do at least to say that no row was altered, however it stores them. It does not compute
a list again, so ``verify`` against it is only there to be watched; the goal is 30 s for 15 years. ``computing_s`` is
the difference of the two commands. The last line is one JSON object.
"""

from __future__ import annotations

import argparse
import json
import sqlite3
import tempfile
import time
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Any

import command_time
import made_month
import office_years
from sizes import folder_for, parser_with_folder, read_arguments

LINE = "{}\tSurname, Name\tITA\tM\t\t\t\t1500\t3\t20\t1990\t{}"


def rows_of_lists(database: Path) -> list[int]:
    """Return the rows of each published list, as its head gives them."""
    from arpad.office.lists.in_force import publications

    with closing(made_month.open_desk(str(database))) as desk:
        heads = [publication.head.split("\n") for publication in publications(desk)]
    lines = [next((line for line in head if line.startswith("rows\t")), "rows\t0") for head in heads]
    return [int(line.partition("\t")[2]) for line in lines]


def floor(rows: list[int]) -> float:
    """Return the seconds to read the rows of all lists and to hash them."""
    with (
        tempfile.TemporaryDirectory() as temporary,
        closing(sqlite3.connect(Path(temporary) / "floor.db")) as db,
    ):
        db.execute("PRAGMA journal_mode = WAL")
        db.execute(
            "CREATE TABLE row (list INT, player INT, line TEXT, PRIMARY KEY (list, player)) WITHOUT ROWID"
        )
        for number, count in enumerate(rows):
            lines = ((number, player, LINE.format(player, number)) for player in range(count))
            with db:
                db.executemany("INSERT INTO row VALUES (?, ?, ?)", lines)
        start = time.perf_counter()
        for number in range(len(rows)):
            digest = sha256()
            chosen = db.execute("SELECT line FROM row WHERE list = ? ORDER BY player", (number,))
            digest.update("\n".join(line for (line,) in chosen).encode())
            digest.hexdigest()
        return time.perf_counter() - start


def measure(folder: Path, given: argparse.Namespace) -> dict[str, Any]:
    """Verify with and without computing, and run the floor in between."""
    database = office_years.build(folder, given.months, given.players, given.reports)
    rows = rows_of_lists(database)
    command = command_time.arpad("office", "verify", "--db", str(database))
    digests = command_time.measure([*command, "--quick"])
    floor_s = floor(rows)
    verify = command_time.measure(command)
    return {
        "lists": len(rows),
        "rows": sum(rows),
        "megabytes": round(database.stat().st_size / 1e6, 1),
        "floor_s": round(floor_s, 3),
        "digests_s": digests["seconds"],
        "verify_s": verify["seconds"],
        "computing_s": round(verify["seconds"] - digests["seconds"], 2),
        "verify_processor_s": verify["processor_s"],
        "peak_mib": verify["peak_mib"],
        "digests": round(digests["seconds"] / floor_s, 2),
        "verify": round(verify["seconds"] / floor_s, 2),
    }


def main() -> None:
    given = read_arguments(
        "Measure the verification of many years of lists; the players are those of the first list, the reports those "
        "of each month.",
        parser_with_folder(),
        months=(office_years.MONTHS, 12, 2), players=(office_years.PLAYERS, 1_000, 300),
        reports=(office_years.REPORTS, 2, 1),
    )  # fmt: skip
    with folder_for(given) as folder:
        print(json.dumps(measure(folder, given)))


if __name__ == "__main__":
    main()
