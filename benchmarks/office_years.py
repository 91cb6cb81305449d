"""Build an office with many years of monthly lists: for the benchmarks of verification and of the player's page.

The office imports a list of the made world (benchmarks/world.py) and then lives month by month: reports come in, are
accepted, and the next list is published, all with the office's own functions and without files. It writes
FOLDER/office-MONTHS.db, and continues from the longest shorter one that is there, so that 20 years begin with 15. A few
reports a month are enough for what is measured, since each list has all its rows; a federation has about 200.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
import sys
import time
from contextlib import closing
from datetime import date, timedelta
from pathlib import Path

import made_month
import world

MONTHS, PLAYERS, REPORTS = 180, 14_000, 20
"""Newcomers join the lists, some 75 a month: they have 14,000 rows at first, 20,000 on the average of 15 years."""

MONTH = timedelta(days=30)


def list_days(months: int) -> list[date]:
    """Return the days of the lists after the imported one."""
    first = world.LIST_DAY.year * 12 + world.LIST_DAY.month
    return [date((first + month) // 12, (first + month) % 12 + 1, 1) for month in range(months)]


def build(folder: Path, months: int, players: int, reports: int, seed: int = 1) -> Path:
    """Return the database with so many months; build what is not there."""
    from arpad.office.office import migrate

    folder.mkdir(parents=True, exist_ok=True)
    _same_office(folder, {"players": players, "reports": reports, "seed": seed})
    path = database(folder, months)
    if not path.exists():
        people = world.world(players * world.RATED_IN // world.RATED_OF, seed)
        growing = folder / "growing.db"
        months_done = _begin(folder, growing, people, months)
        for month, day in enumerate(list_days(months)):
            if month >= months_done:
                _live_through(
                    folder, str(growing), people, range(month * reports, (month + 1) * reports), day
                )
        _finish(growing, path)
    migrate(str(path))
    return path


def database(folder: Path, months: int) -> Path:
    """Return where the office with so many months is."""
    return folder / f"office-{months}.db"


def _same_office(folder: Path, wanted: dict[str, int]) -> None:
    """Remove the databases of other sizes from a folder."""
    record = folder / "years.json"
    if not record.is_file() or json.loads(record.read_text(encoding="utf-8")) != wanted:
        for path in folder.glob("*.db*"):
            path.unlink()
        record.write_text(json.dumps(wanted), encoding="utf-8")


def _begin(folder: Path, growing: Path, people: world.World, months: int) -> int:
    """Copy the longest shorter office, or import the first list; return its months."""
    from arpad.office.office import migrate

    for left in folder.glob("growing.db*"):
        left.unlink()
    shorter = [int(path.stem.removeprefix("office-")) for path in folder.glob("office-*.db")]
    if months_done := max((done for done in shorter if done < months), default=0):
        shutil.copyfile(database(folder, months_done), growing)
        migrate(str(growing))
    else:
        made_month.write_register(folder / made_month.REGISTER, people, set())
        made_month.begin(str(growing), folder)
    return months_done


def _live_through(folder: Path, place: str, people: world.World, indices: range, day: date) -> None:
    """Let the reports of a month come in, and publish the list of its end."""
    begun = time.perf_counter()
    incoming = folder / made_month.REPORTS
    shutil.rmtree(incoming, ignore_errors=True)
    made_month.write_reports(incoming, people, indices, 1, day - MONTH)
    with closing(made_month.open_desk(place, day)) as desk:
        made_month.submit_reports(desk, incoming, 1)
        left = made_month.accept_rest(desk, 1)["left"]
        made_month.publish_list(desk, None, day)
    print(f"{day}: {left} left, {time.perf_counter() - begun:.2f} s", file=sys.stderr, flush=True)


def _finish(growing: Path, path: Path) -> None:
    """Give the finished office its name, with everything in one file."""
    with closing(sqlite3.connect(growing)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    growing.rename(path)
