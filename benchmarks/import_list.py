"""Import a list of another publisher into an empty office, and the same list again into the office that knows it.

    python benchmarks/import_list.py [--rows 125000,500000] [--keep DIR] [--quick]

The rows are the rated players of the made world (benchmarks/world.py), in FIDE's text. Each stage runs in a process of
its own, which measures its time, its processor time and its peak memory:

    floor    read the file, slice its columns in plain Python, insert bare rows of players, identifiers, name words
             (each word as it is written and once more with a sign, as many rows as the index of names has) and list
             into SQLite, in tables without an index: no checks, no matching, no digests, no rankings
    import   an empty office imports the list
    again    the same office imports the next list of the same players, a month later, with other ratings

``import`` and ``again`` are the ratios of the largest size to its floor by the clock; ``import_processor`` and
``again_processor`` are by processor time, which a busy machine disturbs less. ``growth`` is how many times longer a row
of the largest size takes than a row of the smallest, by processor time: 1 is linear. The last line is one JSON object.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime
from itertools import islice
from pathlib import Path
from typing import Any

import world
from sizes import folder_for, parser_with_folder, read_arguments
from stages import is_stage, run_here, run_stage

NOW = datetime(2025, 7, 28, 12, tzinfo=UTC)
NEXT = date(2025, 7, 1)
COLUMNS = (
    (0, 15), (15, 76), (76, 80), (80, 84), (84, 89), (89, 94), (94, 109), (113, 119), (119, 123), (123, 126),
    (152, 158), (158, 162),
)  # fmt: skip
"""Where id, name, federation, sex, titles, rating, games, K, birth and flag are in a line."""


def write_lists(folder: Path, rows: int) -> None:
    """Write the list of 1 June, and that of 1 July with other ratings."""
    players = world.world(-(-rows * world.RATED_IN // world.RATED_OF), 1)
    for name, later in (("june.txt", False), ("july.txt", True)):
        with (folder / name).open("wb") as stream:
            stream.write(world.HEADING.encode())
            world.write_lines(_rated(players, rows, later=later), stream)


def _rated(players: world.World, rows: int, *, later: bool) -> Iterator[str]:
    lines = (
        line
        for place, line in enumerate(world.register_lines(players))
        if place * world.RATED_OF % world.RATED_IN < world.RATED_OF
    )
    for line in islice(lines, rows):
        yield f"{line[:113]}{int(line[113:119]) + 1:<6}{line[119:]}" if later else line


# ------------------------------------------------------------------------------------------------------- the stages


def floor(folder: Path) -> dict[str, Any]:
    """Do what any program must at least do, in plain Python."""
    players, identifiers, words, entries = [], [], [], []
    with (folder / "june.txt").open(encoding="utf-8") as stream:
        next(stream)
        for player, line in enumerate(stream, start=1):
            fide, name, federation, sex, title, women_title, others, rating, games, k, born, flag = (
                line[first:last].strip() for first, last in COLUMNS
            )
            players.append((player, name, federation, sex, born, title, women_title, others))
            identifiers.append(("fide", fide, player))
            for word in name.lower().replace(",", "").split():
                words.append((word, player))
                words.append(("~" + word, player))
            entries.append((player, int(rating), int(games), int(k), flag))
    db = sqlite3.connect(folder / "floor.db")
    db.execute("pragma journal_mode=wal")
    db.execute(
        "create table player(id integer primary key, n text, f text, s text, b text, t text, w text, o text)"
    )
    db.execute("create table identifier(scheme text, value text, player int)")
    db.execute("create table word(word text, player int)")
    db.execute("create table entry(player integer primary key, rating int, games int, k int, flag text)")
    with db:
        db.executemany("insert into player values(?,?,?,?,?,?,?,?)", players)
        db.executemany("insert into identifier values(?,?,?)", identifiers)
        db.executemany("insert into word values(?,?)", words)
        db.executemany("insert into entry values(?,?,?,?,?)", entries)
    db.close()
    return {"rows": len(players), "words": len(words)}


def first_import(folder: Path) -> dict[str, Any]:
    """Import the list into an empty office."""
    from arpad.office.office import init

    return _import(init(str(folder / "office.db"), author="bench", now=lambda: NOW), folder, "june.txt")


def second_import(folder: Path) -> dict[str, Any]:
    """Import the next list of the same players."""
    from arpad.office.office import open_office

    desk = open_office(str(folder / "office.db"), author="bench", now=lambda: NOW)
    return _import(desk, folder, "july.txt")


def _import(desk: Any, folder: Path, name: str) -> dict[str, Any]:
    from arpad.model.rules import ListName
    from arpad.office.imports.acts import import_list

    day = world.LIST_DAY if name == "june.txt" else NEXT
    imported = import_list(desk, folder / name, ListName.STANDARD, day)
    desk.close()
    return {"rows": imported.rows, "newcomers": imported.newcomers, "changed": imported.changed}


STAGES: dict[str, Callable[[Path], dict[str, Any]]] = {
    "floor": floor,
    "import": first_import,
    "again": second_import,
}


# -------------------------------------------------------------------------------------------------------- measuring


def measure(folder: Path, rows: int) -> dict[str, Any]:
    """Run all stages with a list of some rows."""
    folder.mkdir(parents=True, exist_ok=True)
    for left in folder.glob("*.db*"):
        left.unlink()
    if not (folder / "july.txt").is_file():
        write_lists(folder, rows)
    stages = {name: run_stage(STAGES, name, folder) for name in STAGES}
    bare = stages["floor"]
    ratios = {
        name + ending: round(stages[name][unit] / bare[unit], 2)
        for name in ("import", "again")
        for ending, unit in (("", "seconds"), ("_processor", "processor_s"))
    }
    return {
        "rows": rows,
        "database_mb": (folder / "office.db").stat().st_size // 1_000_000,
        "stages": stages,
    } | ratios


def measured(folder: Path, sizes: tuple[int, ...]) -> dict[str, Any]:
    """Measure all sizes."""
    runs = [measure(folder / str(rows), rows) for rows in sizes]
    per_row = [run["stages"]["import"]["processor_s"] / run["rows"] for run in runs]
    names = ("import", "again", "import_processor", "again_processor")
    return {
        "sizes": runs,
        "growth": round(per_row[-1] / per_row[0], 2),
        **{name: runs[-1][name] for name in names},
    }


def main() -> None:
    if is_stage():
        import arpad.store.fingerprint  # noqa: F401  with Alembic, which a new office needs

        run_here(STAGES)
        return
    given = read_arguments(
        "Measure the import of a list; sizes have commas between them.",
        parser_with_folder(),
        rows=("125000,500000", "20000", "100"),
    )
    with folder_for(given) as folder:
        print(json.dumps(measured(folder, tuple(map(int, given.rows.split(","))))))


if __name__ == "__main__":
    main()
