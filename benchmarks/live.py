"""Measure how long a live list takes to follow one more accepted report.

    python benchmarks/live.py [--reports 4000] [--more 20] [--seed 1] [--keep DIR] [--quick]

The office is that of benchmarks/month.py before its list: it knows the players and has accepted the reports of a month
except the last ones (--more). Its live list is computed once, everybody. Then each of those reports is accepted, and
the live list is updated; submitting and accepting are not part of the time. The first half is updated in this process.
For the second half a worker process does it as in a real office: the time goes from the return of the acceptance to the
moment at which another process reads the new live list, with the worker's polling, its job and its commit.

The floor does the least that any program must do for the same result, on the same players and reports, in turn with
Arpad: slice the bytes of the reports in which the entrants play, look their official ratings up in SQLite, add each
game by a table of expectations, and write a row for each entrant in one transaction. It knows no K, no newcomers, no
decisions and no register.

The last line is one JSON object: ``accepted_to_live_s`` is the worst time with a worker by the clock (goal: 1 s),
``live_s`` the worst update alone by the clock, ``live_processor_s`` the same of the processor, ``live`` the median
ratio of the processor time to that of the floor. With --keep the office is built once.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

import made_month
import month
import world
from sizes import folder_for, parser_with_folder, read_arguments
from stages import run_stage

EVEN, WIDEST, SPREAD = 50, 400, 12


def prepare(folder: Path, reports: int, seed: int, more: int) -> None:
    """Build the office with the reports of a month, except the last ones, which are put aside; once for a folder."""
    if (folder / "ready").is_file():
        return
    made_month.write_month(folder, reports, seed)
    made_month.begin(str(folder / "begun.db"), folder)
    aside = folder / "aside"
    aside.mkdir(exist_ok=True)
    for path in sorted((folder / made_month.REPORTS).iterdir())[-more:]:
        path.rename(aside / path.name)
    shutil.copyfile(folder / "begun.db", folder / "office.db")
    run_stage(month.STAGES, "renew", folder)
    run_stage(month.STAGES, "submit", folder, str(os.cpu_count() or 1))
    (folder / "ready").touch()


def timed(work: Callable[[], object]) -> tuple[float, float]:
    """Return the seconds of a piece of work, by the clock and of the processor."""
    clock, processor = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - clock, time.process_time() - processor


# -------------------------------------------------------------------------------------------------------- the floor


def bare_register(path: Path, register: Path) -> None:
    """Write the official ratings into a plain table."""
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("create table official (fide integer primary key, rating int)")
        database.execute("create table live (fide integer primary key, rating int, games int)")
        with register.open("rb") as lines:
            next(lines)
            rows = ((int(line[:15]), int(line[114:118].strip() or 0)) for line in lines)
            database.executemany("insert or ignore into official values (?, ?)", rows)


def bare_update(database: sqlite3.Connection, reports: Iterable[bytes], entrants: Iterable[int]) -> None:
    """Rate the entrants of a report from all reports in which they play."""
    concerned = set(entrants)
    sums = dict.fromkeys(concerned, (0, 0))
    for data in reports:
        lines = [line for line in data.decode().split("\r\n") if line[:3] == "001"]
        numbers = {int(line[4:8]): int(line[57:68].strip() or 0) for line in lines}
        marks = ", ".join("?" * len(numbers))
        query = f"select fide, rating from official where fide in ({marks})"  # noqa: S608  question marks
        ratings = dict(database.execute(query, list(numbers.values())))
        for line in lines:
            player = numbers[int(line[4:8])]
            if player not in concerned:
                continue
            games, points = sums[player]
            for cell in range(91, len(line), 10):
                opponent = numbers.get(int(line[cell : cell + 4].strip() or 0), 0)
                if ratings.get(opponent) and line[cell + 7 : cell + 8] in "1=0":
                    gap = max(-WIDEST, min(WIDEST, ratings.get(player, 0) - ratings[opponent]))
                    scored = {"1": 2 * EVEN, "=": EVEN, "0": 0}.get(line[cell + 7], 0)
                    games, points = games + 1, points + scored - EVEN - gap // SPREAD
            sums[player] = games, points
    with database:
        database.executemany(
            "insert or replace into live values (?, ?, ?)",
            [(player, points, games) for player, (games, points) in sums.items()],
        )


# -------------------------------------------------------------------------------------------------------- measuring


def measure(folder: Path, given: argparse.Namespace) -> dict[str, Any]:
    """Accept the reports that were put aside one by one; return the figures of the updates and of their floors."""
    prepare(folder, given.reports, given.seed, given.more)
    worked = Path(tempfile.mkdtemp(dir=folder))
    try:
        shutil.copyfile(folder / "office.db", worked / "office.db")
        bare_register(worked / "floor.db", folder / made_month.REGISTER)
        with closing(made_month.open_desk(str(worked / "office.db"))) as desk:
            whole = timed(lambda: update(desk))
            aside = sorted((folder / "aside").iterdir())
            pairs = [
                pair
                for path in aside[::2]
                if (pair := accepted_one(desk, path, worked / "floor.db")) is not None
            ]
            followed = follow(desk, worked / "office.db", aside[1::2])
    finally:
        shutil.rmtree(worked)
    updates, floors = zip(*pairs, strict=True)
    return {
        "reports": given.reports, "updates": len(updates), "whole_s": round(whole[0], 2),
        "whole_processor_s": round(whole[1], 2), "accepted_to_live_s": round(max(followed), 3),
        "accepted_to_live_median_s": round(statistics.median(followed), 3),
        "live_s": round(max(clock for clock, _ in updates), 3),
        "live_processor_s": round(max(processor for _, processor in updates), 3),
        "floor_processor_s": round(max(processor for _, processor in floors), 4),
        "live": round(statistics.median(own[1] / bare[1] for own, bare in pairs), 1),
    }  # fmt: skip


def update(desk: Any) -> None:
    """Bring the live list up to the last act."""
    from arpad.model.rules import ListName
    from arpad.office.live.acts import update_live
    from arpad.office.live.rows import ACCEPTED

    update_live(desk, ListName.STANDARD, (ACCEPTED,))


def accepted_one(
    desk: Any, path: Path, floor: Path
) -> tuple[tuple[float, float], tuple[float, float]] | None:
    """Submit and accept a report; return the seconds of the update and of its floor, None if it is not accepted."""
    from arpad.office.inbox.accept import accept
    from arpad.office.inbox.submit import submit
    from arpad.office.reports import rows

    sent = submit(desk, path.read_bytes(), path.name)
    if sent.errors:
        return None
    accept(desk, sent.report)
    own = timed(lambda: update(desk))
    with desk.store.reading() as connection:
        numbers = rows.reports_with(connection, rows.players_of(connection, sent.report))
        files = list(rows.data_of(connection, numbers).values())
    lines = path.read_text(encoding="utf-8").split("\n")
    entrants = [int(line[57:68].strip() or 0) for line in lines if line[:3] == "001"]
    with closing(sqlite3.connect(floor)) as database:
        return own, timed(lambda: bare_update(database, files, entrants))


# ---------------------------------------------------------------------------------------------------- with a worker


def follow(desk: Any, database: Path, paths: Iterable[Path]) -> list[float]:
    """Accept reports while a worker runs; return the seconds from each acceptance to the stored live list."""
    from arpad.office.inbox.accept import accept
    from arpad.office.inbox.submit import submit
    from arpad.office.settings.acts import change_settings

    worker = subprocess.Popen([sys.executable, __file__, "--work", str(database)])  # noqa: S603  ourselves
    try:
        change_settings(desk, set_={"live_lists": "public"})
        wait_for_live(desk, worker)
        times = []
        for path in paths:
            sent = submit(desk, path.read_bytes(), path.name)
            wait_for_live(desk, worker)
            if not sent.errors:
                accept(desk, sent.report)
                begun = time.perf_counter()
                wait_for_live(desk, worker)
                times.append(time.perf_counter() - begun)
        return times
    finally:
        worker.kill()
        worker.wait()


def wait_for_live(desk: Any, worker: subprocess.Popen[bytes]) -> None:
    """Wait until the live list has come to the last act; a worker that has ended never brings it there."""
    from arpad.model.rules import ListName
    from arpad.office.live.rows import read_state
    from arpad.store import ledger

    while True:
        with desk.store.reading() as connection:
            state = read_state(connection, ListName.STANDARD)
            if state is not None and state.act == ledger.next_seq(connection) - 1:
                return
        if worker.poll() is not None:
            sys.exit("The worker has ended.")
        time.sleep(0.005)


def work(database: str) -> None:
    """Keep the live list of accepted reports, as ``arpad work`` does, on the day of the made month."""
    from threading import Event

    from arpad.worker import loop
    from arpad.worker.kinds import KINDS

    loop.work(made_month.open_desk(database), Event(), kinds={"live": KINDS["live"]})


def main() -> None:
    parser = parser_with_folder()
    parser.add_argument("--work", help=argparse.SUPPRESS)
    given = read_arguments(
        "Measure a live list that follows one more report.",
        parser,
        reports=(world.REPORTS, month.QUICK, 4), more=(20, 20, 2), seed=(1, 1, 1),
    )  # fmt: skip
    if given.work:
        work(given.work)
        return
    with folder_for(given) as folder:
        print(json.dumps(measure(folder, given)))


if __name__ == "__main__":
    main()
