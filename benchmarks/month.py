"""A month of the world end to end: report files → on file → accepted → closed → published with its files.

    python benchmarks/month.py [--reports N] [--seed N] [--processes N] [--papers xlsx,pdf] [--keep DIR] [--quick]

The reports are those of the made world (benchmarks/world.py), 4,000 for the whole of it; the office knows the rated
players, and the others who play, from a list that it takes over before the clock runs. Each stage runs in a process
of its own, which tells its time and its peak memory. The officer decides that doubtful entrants are new players.

The floor is that of the shared bench, floor_month.py, on the same bytes in the same run: read and slice the reports,
insert their games into SQLite, insert a list of as many rows, write it as text; no checks, no rating, no identities.
(It cuts blank ratings, which the shared script has none of; else the work is the same.) What is compared with what:

    submit   on file, checked and accepted, doubts decided      slicing the files, inserting the games
    close    the period closed, the list published with its     inserting the list's rows, writing them as text
             bundle and all its text files: canonical, FIDE's
             layout, XML, CSV, and every section
    month    everything                                         the whole floor

``submit_processor`` is the same as ``submit`` in processor time, all processes together: what a busy machine disturbs
less, and what more cores do not better.

XLSX and PDF are for lists that people print; with --papers they are measured too, beside the month. The last line is
one JSON object. With --keep the world is made in that folder, and found there again by the next run.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import world

NEXT = date(2025, 7, 1)
NOW = datetime(2025, 6, 28, 12, tzinfo=UTC)
"""The day of the work: all events have ended, and none is late."""

TEXT = ("canonical", "txt", "xml", "csv", "sections")
QUICK = 100


# --------------------------------------------------------------------------------------------- before the clock runs


def prepared(folder: Path, reports: int, seed: int) -> dict[str, Any]:
    """The reports, and an office that knows the players; made once for a folder."""
    told = folder / "month.json"
    if told.is_file():
        found: dict[str, Any] = json.loads(told.read_text(encoding="utf-8"))
        if (found["reports"], found["seed"]) == (reports, seed):
            return found
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "reports").mkdir(parents=True)
    made = world.world(max(1000, world.PLAYERS * reports // world.REPORTS), seed)
    games = size = 0
    playing: set[str] = set()
    for index in range(reports):
        text, played, _ = world.report(made, index, seed)
        data = text.encode()
        (folder / "reports" / f"e{index + 1:05}.trf").write_bytes(data)
        games, size = games + played, size + len(data)
        playing.update(line[57:68].strip() for line in text.split("\r\n") if line.startswith("001"))
    with (folder / "register.txt").open("wb") as stream:
        stream.write(world.HEADING.encode())
        world.write_lines(_known(made, playing), stream)
    told_of = stage("take_over", folder)
    facts = {"reports": reports, "seed": seed, "games": games, "megabytes": round(size / 1e6, 2)}
    facts |= {"register": told_of["rows"], "take_over_s": told_of["take_over_s"]}
    told.write_text(json.dumps(facts), encoding="utf-8")
    return facts


def _known(made: world.World, playing: set[str]) -> Iterator[str]:
    """The lines of the rated, and of everybody else who plays."""
    for place, line in enumerate(world.register_lines(made)):
        if place * world.RATED_OF % world.RATED_IN < world.RATED_OF or line[:15].strip() in playing:
            yield line


def take_over(folder: Path) -> dict[str, Any]:
    """The office starts from the list of 1 June."""
    from arpad import office
    from arpad.model.rules import ListName

    begun = time.perf_counter()
    desk = office.init(str(folder / "begun.db"), author="bench", now=lambda: NOW)
    found = office.import_list(desk, folder / "register.txt", ListName.STANDARD, world.LIST_DAY)
    desk.close()
    return {"rows": found.rows, "take_over_s": round(time.perf_counter() - begun, 2)}


def renew(folder: Path) -> dict[str, Any]:
    """A kept office may be of an older schema."""
    from arpad import office

    before, after = office.migrate(str(folder / "office.db"))
    return {"from": before, "to": after}


# -------------------------------------------------------------------------------------------------------- the floor


def floor(folder: Path) -> dict[str, Any]:
    """What any program must at least do, in plain Python."""
    rows = sum(1 for line in (folder / "register.txt").open("rb") if line[114:118].strip()) - 1
    clock = time.perf_counter
    out, t = {}, clock()
    found = []
    for event, path in enumerate(sorted((folder / "reports").iterdir())):
        players = {}
        for line in path.read_bytes().decode().split("\r\n"):
            if line[:3] == "001":
                number = int(line[4:8])
                players[number] = (int(line[48:52].strip() or 0), int(line[57:68].strip() or 0))
                for turn, cell in enumerate(range(91, len(line), 10)):
                    if line[cell + 5] == "w":
                        found.append((event, turn, number, int(line[cell : cell + 4]), line[cell + 7]))
    out["slice_s"], t = clock() - t, clock()
    with tempfile.TemporaryDirectory() as place:
        db = sqlite3.connect(Path(place) / "floor.db")
        db.execute("pragma journal_mode=wal")
        db.execute("pragma synchronous=normal")
        db.execute("create table game(event int, round int, white int, black int, result text)")
        db.execute("create table entry(id integer primary key, rating int, k int, games int)")
        with db:
            db.executemany("insert into game values(?,?,?,?,?)", found)
        out["insert_games_s"], t = clock() - t, clock()
        with db:
            db.executemany("insert into entry values(?,?,?,?)", ((i, 1500, 20, 3) for i in range(rows)))
        out["insert_list_s"], t = clock() - t, clock()
        with (Path(place) / "list.txt").open("w") as stream:
            for i in range(rows):
                stream.write(f"{i:<15}{'Surname, Name':<61}ITA M{'':26}{1500:>4}  {3:>3} {20:>2} 1990\n")
        out["write_s"] = clock() - t
        db.close()
    return {"list_rows": rows, **{name: round(value, 3) for name, value in out.items()}}


# ------------------------------------------------------------------------------------------------------- the stages


def _desk(folder: Path) -> Any:
    from arpad import office

    return office.open_office(str(folder / "office.db"), author="bench", now=lambda: NOW)


def submit(folder: Path, processes: str) -> dict[str, Any]:
    """Every report on file, checked, and accepted where nothing stands against it."""
    from arpad import office

    desk = _desk(folder)
    with office.IncomingFiles([folder / "reports"]) as files:
        found = list(office.submit_many(desk, files, accept=True, processes=int(processes)))
    desk.close()
    submitted = [one for one in found if isinstance(one, office.Submitted)]
    return {
        "on_file": len(submitted),
        "accepted": sum(one.accepted is not None for one in submitted),
        "findings": sum(len(one.findings_json) for one in submitted),
    }


def accept(folder: Path, processes: str) -> dict[str, Any]:
    """The rest, with the doubtful entrants as new players."""
    from arpad import office
    from arpad.model.json_values import load

    desk = _desk(folder)
    doubts: dict[int, dict[int, int]] = {}
    for filed in office.reports_on_file(desk, status="received"):
        for finding in load(filed.findings):
            if finding["code"].startswith("match-"):
                doubts.setdefault(filed.id, {})[finding["player"]] = office.NEW
    found = list(office.accept_many(desk, matches=doubts, processes=int(processes)))
    left = [one for one in found if isinstance(one, office.NotAccepted)]
    desk.close()
    return {"decided": len(doubts), "accepted": len(found) - len(left), "left": len(left)}


def close(folder: Path) -> dict[str, Any]:
    """What would be published."""
    from arpad import office
    from arpad.model.rules import ListName

    desk = _desk(folder)
    office.draft(desk, ListName.STANDARD, NEXT)
    desk.close()
    return {}


def publish(folder: Path, _processes: str) -> dict[str, Any]:
    """The list out, with its bundle and its text files."""
    from arpad import office
    from arpad.model.rules import ListName

    desk = _desk(folder)
    found = office.publish(desk, ListName.STANDARD, NEXT, folder / "lists", kinds=TEXT)
    desk.close()
    return {"digest": found.digest}


def files(folder: Path, kinds: str) -> dict[str, Any]:
    """Files for print, kind by kind, from the rows."""
    from arpad import office
    from arpad.model.rules import ListName

    desk = _desk(folder)
    found = office.publications(desk, ListName.STANDARD)[-1]
    seconds = {}
    for kind in kinds.split(","):
        begun = time.perf_counter()
        office.emit(desk, found, folder / "lists", (kind,), bundle=False)
        seconds[kind] = round(time.perf_counter() - begun, 3)
    desk.close()
    return {"kinds": seconds}


STAGES: dict[str, Callable[..., dict[str, Any]]] = {
    "take_over": take_over,
    "renew": renew,
    "floor": floor,
    "submit": submit,
    "accept": accept,
    "close": close,
    "publish": publish,
    "files": files,
}


def alone(name: str, folder: Path, *more: str) -> None:
    """One stage in this process: what it did, how long it took, how much memory."""
    import arpad.lists.compute_fast
    import arpad.office  # noqa: F401  importing is not part of what is measured

    begun, worked = time.perf_counter(), _worked()
    told = STAGES[name](folder, *more)
    told["seconds"] = round(time.perf_counter() - begun, 3)
    told["processor_s"] = round(_worked() - worked, 3)
    own, most = (
        resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
    told["peak_mib"] = round(own / 1024)
    if most:
        told["peak_child_mib"] = round(most / 1024)
    print(json.dumps(told))


def _worked() -> float:
    """Seconds of processor time, of this process and of those that it started and that have ended."""
    spent = os.times()
    return spent.user + spent.system + spent.children_user + spent.children_system


def stage(name: str, folder: Path, *more: str) -> dict[str, Any]:
    """A stage in a process of its own."""
    command = [sys.executable, __file__, "--stage", name, "--keep", str(folder), *more]
    run = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)  # noqa: S603  this very script
    found: dict[str, Any] = json.loads(run.stdout.strip().splitlines()[-1])
    print(name, json.dumps(found), file=sys.stderr, flush=True)
    return found


# -------------------------------------------------------------------------------------------------------- measuring


def measured(folder: Path, given: argparse.Namespace) -> dict[str, Any]:
    facts = prepared(folder, given.reports, given.seed)
    shutil.rmtree(folder / "lists", ignore_errors=True)
    for left in folder.glob("office.db*"):
        left.unlink()
    shutil.copyfile(folder / "begun.db", folder / "office.db")
    stage("renew", folder)
    processes = ("--processes", str(given.processes))
    ran = {"floor": stage("floor", folder)}
    ran |= {name: stage(name, folder, *processes) for name in ("submit", "accept", "close", "publish")}
    seconds = {name: found["seconds"] for name, found in ran.items()}
    month = sum(spent for name, spent in seconds.items() if name != "floor")
    papers = stage("files", folder, "--kinds", given.papers) if given.papers else {"seconds": 0}
    bare = ran["floor"]
    floors = {
        "submit": bare["slice_s"] + bare["insert_games_s"],
        "close": bare["insert_list_s"] + bare["write_s"],
    }
    whole = sum(floors.values())
    return {
        **{name: value for name, value in facts.items() if name != "seed"},
        "processes": given.processes,
        "list_rows": bare["list_rows"],
        "floor_s": round(whole, 3),
        "month_s": round(month, 3),
        "stages": ran,
        "papers": papers,
        "submit": round((seconds["submit"] + seconds["accept"]) / floors["submit"], 2),
        "close": round((seconds["close"] + seconds["publish"]) / floors["close"], 2),
        "month": round(month / whole, 2),
        "submit_processor": round(
            _work(ran, "submit", "accept") / _work(ran, "floor") * whole / floors["submit"], 2
        ),
    }


def _work(ran: dict[str, dict[str, Any]], *names: str) -> float:
    return float(sum(ran[name]["processor_s"] for name in names))


def main() -> None:
    parser = argparse.ArgumentParser(
        description="Measure a month of the made world, files to published list."
    )
    parser.add_argument("--reports", type=int, default=world.REPORTS, help="4,000 is the whole world")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--papers", default="", metavar="xlsx,pdf", help="files for print, measured beside")
    parser.add_argument("--kinds", help=argparse.SUPPRESS)
    parser.add_argument("--keep", type=Path, help="the folder to make the world in; default: a temporary one")
    parser.add_argument("--quick", action="store_true", help=f"{QUICK} reports")
    parser.add_argument("--stage", choices=STAGES, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.stage:
        given_to = dict.fromkeys(("submit", "accept", "publish"), (str(given.processes),))
        more = {"files": (given.kinds,), **given_to}.get(given.stage, ())
        alone(given.stage, given.keep, *more)
        return
    if given.quick:
        given.reports = QUICK
    if given.keep:
        print(json.dumps(measured(given.keep, given)))
        return
    with tempfile.TemporaryDirectory(prefix="arpad-month-") as place:
        print(json.dumps(measured(Path(place), given)))


if __name__ == "__main__":
    main()
