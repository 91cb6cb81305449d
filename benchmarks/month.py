"""Measure a month of the world end to end: report files → on file → accepted → drafted → published with its files.

    python benchmarks/month.py [--reports 4000] [--seed 1] [--processes N] [--runs 3] [--inbox] [--keep DIR] [--quick]

The reports are those of the made world (benchmarks/world.py), 4,000 for the whole of it; the office knows the rated
players, and the others who play, from a list that it imports before the clock runs. It has what a real office has
(benchmarks/real_month.py): FIDE's list as a reference, a second scheme of numbers, clubs and memberships; 5 % of the
reports are no regular TRF, and 2 % of the entrants have to be decided. Each stage runs in a process of its
own, which reports its time and its peak memory. The officer decides who the doubtful entrants are when all reports are
on file (submit --accept --ask); with --inbox in a stage of its own, from the inbox (accept --all --ask), which
counts as part of submit.

The floor is that of the shared bench, floor_month.py, on the same bytes in the same run: read and slice the reports,
insert their games into SQLite, insert a list of as many rows, write it as text; no checks, no rating, no identities.
(It cuts blank ratings, which the shared script has none of, and reads no CSV and XLSX, 3 % of the files.) Each ratio
has its floor:

    submit    on file, checked and accepted, doubts decided     slicing the files, inserting the games
    draft     the list computed and kept for publishing         inserting the list's rows
    publish   the list stored, with its bundle and all its      inserting the list's rows, writing them as text
              text files: canonical, FIDE's layout, XML, CSV,
              and every section
    month     everything                                        every part of the floor once

A draft that is kept and a list that is published are two sets of rows, so each of the two may cost one insertion; only
publishing writes text. The floor of the month contains each part once, as before, so that it can be compared with
earlier runs and is stricter than its stages together. ``submit_processor`` and the like are the same in processor time,
all processes together: a busy machine disturbs it less, and more cores do not improve it.

``peak_mib`` is the largest memory of any process of a stage (goal: below 1.5 GiB). The peak of a process begins with
what its parent held when it was started, so the processes of the stages are started by this small one.

The run fails if the list of 100 reports has another digest than the one recorded here.

With --runs, floor and stages are run several times in turn, and the best time of each part of the floor and of each
stage counts: the speed of a shared machine differs by a quarter from one minute to the next.

The last line is one JSON object. With --keep the world is written to that folder, and used again by the next run.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import made_month
import real_month
import world
from sizes import folder_for, parser_with_folder, read_arguments
from stages import Figures, is_stage, run_here, run_stage

QUICK = 100
FORM = "real"
"""Folders of the earlier form, without a reference list and clubs, are not used again."""

NEXT = made_month.NEXT_LIST
NOW = made_month.moment(NEXT)()
RECORDED = {
    QUICK: "cc2b2df68620f7c1158a113c6d33b04a4cda79b7003a78384a7ec718f08fbe6a",
}
"""The digests of the lists of the first seed by the number of reports: what is measured is the same work as ever."""


# --------------------------------------------------------------------------------------------- before the clock runs


def prepare(folder: Path, reports: int, seed: int, players: int = 0, home_share: int = 0) -> Figures:
    """Write the reports and make an office that knows the players; once for a folder."""
    record = folder / "month.json"
    size = players or made_month.players_of(reports)
    wanted = {"form": FORM, "reports": reports, "seed": seed, "players": size, "home_share": home_share}
    if record.is_file():
        facts: Figures = json.loads(record.read_text(encoding="utf-8"))
        if wanted.items() <= facts.items():
            return facts
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    facts = wanted | real_month.write_real_month(folder, reports, seed, size, home_share)
    owned = ["home"] if home_share else []
    imported = run_stage(STAGES, "begin", folder, *owned)
    facts |= {"register": imported["rows"], "import_s": imported["seconds"]}
    record.write_text(json.dumps(facts), encoding="utf-8")
    return facts


def begin(folder: Path, owned: str = "all", database: str = "") -> Figures:
    """Make an office that begins with the list of 1 June, with all that a real office keeps."""
    return {"rows": real_month.begin_real(database or str(folder / "begun.db"), folder, owned)}


def decide(_: Path, database: str) -> Figures:
    """Decide who the doubtful entrants in the inbox are: the work of an officer, which is not measured."""
    return {"decided": real_month.decide_waiting(database)}


def renew(folder: Path) -> Figures:
    """Bring a kept office to the present schema."""
    from arpad.office.office import migrate

    before, after = migrate(str(folder / "office.db"))
    return {"from": before, "to": after}


# -------------------------------------------------------------------------------------------------------- the floor


def floor(folder: Path) -> Figures:
    """Do what any program must at least do, in plain Python."""
    rows = sum(1 for line in (folder / "register.txt").open("rb") if line[114:118].strip()) - 1
    seconds: Figures = {}
    start = _clocks()
    games = []
    for event, path in enumerate(sorted((folder / "reports").glob("*.trf"))):
        players = {}
        for line in path.read_bytes().decode().splitlines():
            if line[:3] == "001":
                number = int(line[4:8])
                players[number] = (int(line[48:52].strip() or 0), int(line[57:68].strip() or 0))
                for turn, cell in enumerate(range(91, len(line), 10)):
                    if line[cell + 5] == "w":
                        games.append((event, turn, number, int(line[cell : cell + 4]), line[cell + 7]))
    start = _note(seconds, "slice", start)
    with tempfile.TemporaryDirectory() as temporary:
        db = sqlite3.connect(Path(temporary) / "floor.db")
        db.execute("pragma journal_mode=wal")
        db.execute("pragma synchronous=normal")
        db.execute("create table game(event int, round int, white int, black int, result text)")
        db.execute("create table entry(id integer primary key, rating int, k int, games int)")
        with db:
            db.executemany("insert into game values(?,?,?,?,?)", games)
        start = _note(seconds, "insert_games", start)
        with db:
            db.executemany("insert into entry values(?,?,?,?)", ((i, 1500, 20, 3) for i in range(rows)))
        start = _note(seconds, "insert_list", start)
        with (Path(temporary) / "list.txt").open("w") as stream:
            for i in range(rows):
                stream.write(f"{i:<15}{'Surname, Name':<61}ITA M{'':26}{1500:>4}  {3:>3} {20:>2} 1990\n")
        _note(seconds, "write", start)
        db.close()
    return {"list_rows": rows, **seconds}


def _clocks() -> tuple[float, float]:
    return time.perf_counter(), time.process_time()


def _note(seconds: Figures, part: str, start: tuple[float, float]) -> tuple[float, float]:
    """Note how long a part of the floor took, by the clock and of the processor; return the time."""
    now = _clocks()
    seconds[f"{part}_s"], seconds[f"{part}_processor_s"] = (
        round(end - begun, 6) for end, begun in zip(now, start, strict=True)
    )
    return now


# ------------------------------------------------------------------------------------------------------- the stages


def _desk(folder: Path) -> Any:
    return closing(made_month.open_desk(str(folder / "office.db")))


def submit(folder: Path, processes: str, inbox: str = "") -> Figures:
    """Submit every report and accept them; with ``inbox`` only those without doubtful entrants."""
    with _desk(folder) as desk:
        return made_month.submit_reports(desk, folder / "reports", int(processes), ask=not inbox)


def accept(folder: Path, processes: str) -> Figures:
    """Decide who the doubtful entrants of the reports in the inbox are, and accept these reports."""
    with _desk(folder) as desk:
        return made_month.accept_rest(desk, int(processes))


def draft(folder: Path) -> Figures:
    """Compute what would be published."""
    with _desk(folder) as desk:
        made_month.draft_list(desk)
    return {}


def publish(folder: Path) -> Figures:
    """Publish the list, with its bundle and its text files."""
    with _desk(folder) as desk:
        publication = made_month.publish_list(desk, folder / "lists")
    return {"digest": publication.digest, "standings": publication.standings_digest}


STAGES: dict[str, Callable[..., Figures]] = {
    "begin": begin,
    "renew": renew,
    "decide": decide,
    "floor": floor,
    "submit": submit,
    "accept": accept,
    "draft": draft,
    "publish": publish,
}


# -------------------------------------------------------------------------------------------------------- measuring


def measure(folder: Path, given: argparse.Namespace) -> Figures:
    """Run the floor and every stage of the month in turn, perhaps several times; return all figures."""
    facts = prepare(folder, given.reports, given.seed)
    stages = best_of([run_month(folder, given) for _ in range(given.runs)])
    return {
        **{name: value for name, value in facts.items() if name != "seed"},
        "processes": given.processes,
        "runs": given.runs,
        "list_rows": stages["floor"]["list_rows"],
        **ratios(stages),
        "peak_mib": largest_peak(stages),
        "stages": stages,
    }


def run_month(folder: Path, given: argparse.Namespace) -> dict[str, Figures]:
    """Run the floor and every stage of the month once; return the figures of each."""
    shutil.rmtree(folder / "lists", ignore_errors=True)
    real_month.copy_begun(folder)
    run_stage(STAGES, "renew", folder)
    processes, inbox = str(given.processes), ["inbox"] if given.inbox else []
    names = ["floor", "submit", *(["accept"] if inbox else []), "draft", "publish"]
    arguments = {"submit": [processes, *inbox], "accept": [processes]}
    stages = {name: run_stage(STAGES, name, folder, *arguments.get(name, [])) for name in names}
    digest = stages["publish"]["digest"]
    if given.seed == 1 and digest != RECORDED.get(given.reports, digest):
        sys.exit("The list has another digest than the one that was recorded.")
    return stages


def best_of(runs: Sequence[dict[str, Figures]]) -> dict[str, Figures]:
    """Return the shortest times and the largest memory of several runs; all must have made the same list."""
    if len({run["publish"]["digest"] for run in runs}) != 1:
        sys.exit("Two runs made different lists.")

    def best(name: str, key: str) -> Any:
        values = [run[name][key] for run in runs]
        return min(values) if key.endswith(("_s", "seconds")) else max(values)

    return {name: {key: best(name, key) for key in figures} for name, figures in runs[0].items()}


def ratios(stages: Mapping[str, Figures]) -> Figures:
    """Return the seconds of the month and of its floor, and the ratio of each part."""
    by_clock, floor_s, month_s = _ratios(stages, "_s", "seconds")
    by_processor, _, _ = _ratios(stages, "_processor_s", "processor_s")
    processor = {f"{name}_processor": ratio for name, ratio in by_processor.items()}
    return {"floor_s": round(floor_s, 3), "month_s": round(month_s, 3), **by_clock, **processor}


def _ratios(stages: Mapping[str, Figures], part: str, whole: str) -> tuple[Figures, float, float]:
    """Return the ratios by one measure of time, with the floor and the month in seconds."""
    bare = stages["floor"]
    slicing = bare[f"slice{part}"] + bare[f"insert_games{part}"]
    inserting, writing = bare[f"insert_list{part}"], bare[f"write{part}"]
    floors = {"submit": slicing, "draft": inserting, "publish": inserting + writing}
    spent = {name: stages[name][whole] for name in ("submit", "draft", "publish")}
    spent["submit"] += stages["accept"][whole] if "accept" in stages else 0
    floors["month"], spent["month"] = slicing + inserting + writing, sum(spent.values())
    shares = {name: round(spent[name] / floors[name], 2) for name in floors}
    return shares, floors["month"], spent["month"]


def largest_peak(stages: Mapping[str, Figures]) -> int:
    """Return the largest memory of any process of any stage, in MiB."""
    keys = ("peak_mib", "peak_child_mib")
    return max(figures.get(key, 0) for name, figures in stages.items() if name != "floor" for key in keys)


def read_month_arguments(description: str, runs: tuple[int, int, int]) -> argparse.Namespace:
    """Return the arguments of a script that runs a month."""
    parser = parser_with_folder()
    parser.add_argument("--inbox", action="store_true", help="decide doubtful entrants from the inbox")
    return read_arguments(
        description,
        parser,
        reports=(world.REPORTS, QUICK, 2), seed=(1, 1, 1), processes=(os.cpu_count() or 1, os.cpu_count() or 1, 1),
        runs=runs,
    )  # fmt: skip


def load_modules() -> None:
    """Load what a month needs, as every command does: it is not part of what is measured."""
    from arpad.cli import prepare_process

    prepare_process()

    import numpy.ma  # noqa: F401  Polars loads it later
    import polars as pl  # noqa: F401

    import arpad.lists.compute_fast
    import arpad.office.corrections.acts
    import arpad.office.inbox.accept
    import arpad.office.inbox.submit  # noqa: F401


def main() -> None:
    if is_stage():
        load_modules()
        run_here(STAGES)
        return
    given = read_month_arguments("Measure a month, from files to the published list.", runs=(3, 1, 1))
    with folder_for(given) as folder:
        print(json.dumps(measure(folder, given)))


if __name__ == "__main__":
    main()
