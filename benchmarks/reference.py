"""Add a reference list of 1.7 million players beside an office, find numbers in it and search it by name.

    python benchmarks/reference.py [--rows 1700000] [--keep DIR] [--quick]

The rows are the register of the made world (benchmarks/world.py) as FIDE's combined text. Each stage runs in a process
of its own, which measures its time, its processor time and its peak memory:

    floor    read the file, slice its columns in plain Python, insert one bare row for each player and one for each
             word of a name into SQLite, in tables without an index: no checks, no digests, no compression
    add      an empty office adds the list (``office.add_reference``)
    read     numbers of a thousand entrants, and two hundred names

``reference`` is the ratio of adding to its floor by the clock, ``reference_processor`` by processor time. The last line
is one JSON object.
"""

from __future__ import annotations

import json
import random
import sqlite3
import time
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

import world
from sizes import folder_for, parser_with_folder, read_arguments
from stages import is_stage, run_here, run_stage

COLUMNS = (
    (0, 15), (15, 76), (76, 80), (80, 84), (84, 89), (89, 94), (94, 109), (113, 119), (119, 123), (123, 126),
    (126, 132), (132, 136), (136, 139), (139, 145), (145, 149), (149, 152), (152, 158), (158, 162),
)  # fmt: skip
"""Where each field is in a line."""

BATCH = 10_000


def floor(folder: Path) -> dict[str, Any]:
    """Do what any program must at least do, in plain Python."""
    db = sqlite3.connect(folder / "floor.db")
    db.execute("pragma journal_mode=wal")
    fields = ", ".join(f"c{number} text" for number in range(len(COLUMNS)))
    db.execute(f"create table player({fields})")
    db.execute("create table word(word text, player text)")
    marks = ",".join("?" * len(COLUMNS))
    with (folder / "list.txt").open(encoding="utf-8") as stream, db:
        next(stream)
        while lines := list(islice(stream, BATCH)):
            rows = [tuple(line[first:last].strip() for first, last in COLUMNS) for line in lines]
            db.executemany(f"insert into player values({marks})", rows)
            words = [(word, row[0]) for row in rows for word in row[1].lower().replace(",", "").split()]
            db.executemany("insert into word values(?,?)", words)
    db.close()
    return {}


def add(folder: Path) -> dict[str, Any]:
    """Add the list to an empty office."""
    from arpad.office.fide.reference import add_reference
    from arpad.office.office import init

    desk = init(str(folder / "office.db"), author="bench")
    reference = add_reference(desk, folder / "list.txt", world.LIST_DAY).reference
    desk.close()
    return {"rows": reference.rows}


def read(folder: Path) -> dict[str, Any]:
    """Look up numbers and names."""
    from arpad.office.fide.name_rows import search_reference
    from arpad.office.fide.rows import reference_players
    from arpad.office.office import open_office

    players = [line.split(None, 1) for line in _some_lines(folder / "list.txt")]
    desk = open_office(str(folder / "office.db"), author="bench")
    with desk.store.reading() as connection:
        begun = time.perf_counter()
        known = reference_players(connection, [int(number) for number, _ in players[:1000]])
        numbers_s = time.perf_counter() - begun
        slowest, missed = 0.0, 0
        for number, rest in players[:200]:
            begun = time.perf_counter()
            shown = search_reference(connection, rest[:61])
            slowest = max(slowest, time.perf_counter() - begun)
            missed += int(number) not in {player.id for player in shown}
    desk.close()
    return {
        "known": len(known), "thousand_numbers_ms": round(1000 * numbers_s, 1),
        "slowest_name_ms": round(1000 * slowest, 1), "names_missed": missed,
    }  # fmt: skip


def _some_lines(path: Path) -> list[str]:
    with path.open(encoding="utf-8") as stream:
        next(stream)
        lines = list(islice(stream, 0, None, 97))
    random.Random(1).shuffle(lines)
    return lines


STAGES: dict[str, Callable[[Path], dict[str, Any]]] = {"floor": floor, "add": add, "read": read}


def measured(folder: Path, rows: int) -> dict[str, Any]:
    """Run all stages."""
    folder.mkdir(parents=True, exist_ok=True)
    for left in folder.glob("*.db*"):
        left.unlink()
    if not (folder / "list.txt").is_file():
        with (folder / "list.txt").open("wb") as stream:
            stream.write(world.HEADING.encode())
            world.write_lines(world.register_lines(world.world(rows, 1)), stream)
    stages = {name: run_stage(STAGES, name, folder) for name in STAGES}
    bare, added = stages["floor"], stages["add"]
    return {
        "rows": rows,
        "database_mb": (folder / "office.db").stat().st_size // 1_000_000,
        "stages": stages,
        "reference": round(added["seconds"] / bare["seconds"], 2),
        "reference_processor": round(added["processor_s"] / bare["processor_s"], 2),
        "reference_peak_mib": added["peak_mib"],
    }


def main() -> None:
    if is_stage():
        import arpad.office.fide.reference  # noqa: F401  importing is not part of what is measured

        run_here(STAGES)
        return
    given = read_arguments("Measure reference lists.", parser_with_folder(), rows=(1_700_000, 50_000, 2_000))
    with folder_for(given) as folder:
        print(json.dumps(measured(folder, given.rows)))


if __name__ == "__main__":
    main()
