"""The office of the made world at rest: taking over its list, finding and explaining a player, verifying.

    python benchmarks/office_world.py [--reports 4000] [--seed 1] [--keep DIR] [--quick]

The office is that of benchmarks/month.py after its month: a folder kept by that script is taken as it is, otherwise the
month is run first. Each question is put in a process of its own, which tells its time and its peak memory:

    take_over   the list of 1 June into an empty office, with the register and the index of names
    search      players found by the beginnings of their names
    explain     how one player's rating came about, for a hundred players who played; none is asked for twice
    page        all the periods of one player, as his page shows them
    bundle      the published list computed again from its bundle; the floor is the digest of the same file
    verify      the whole office: ledger, reports, every row, every list computed again

The last line is one JSON object.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Any

import month
import world
from sizes import folder_for
from stages import Figures, is_stage, run_here, run_stage

ASKED = 100


def _milliseconds(found: list[float]) -> dict[str, float]:
    ordered = sorted(found)
    return {
        "median_ms": round(statistics.median(ordered) * 1000, 1),
        "p95_ms": round(ordered[int(len(ordered) * 0.95)] * 1000, 1),
        "worst_ms": round(ordered[-1] * 1000, 1),
    }


def _desk(folder: Path) -> Any:
    from arpad.office.office import open_office

    return open_office(str(folder / "office.db"), author="bench", now=lambda: month.NOW)


def take_over(folder: Path) -> dict[str, Any]:
    """A list of everybody, taken over."""
    from arpad.model.rules import ListName
    from arpad.office.imports.acts import import_list
    from arpad.office.office import init

    with tempfile.TemporaryDirectory() as place:
        desk = init(str(Path(place) / "new.db"), author="bench", now=lambda: month.NOW)
        begun = time.perf_counter()
        found = import_list(desk, folder / "register.txt", ListName.STANDARD, world.LIST_DAY)
        seconds = time.perf_counter() - begun
        desk.close()
    return {"rows": found.rows, "rows_per_second": round(found.rows / seconds)}


def search(folder: Path) -> dict[str, Any]:
    """Names as people begin them."""
    from arpad.office.register.acts import find_players

    desk, found = _desk(folder), []
    made = world.world(world.PLAYERS, 1)
    for place in range(0, ASKED * 7919, 7919):
        name = made.player(place).name.split(",")[0][:5]
        begun = time.perf_counter()
        find_players(desk, name)
        found.append(time.perf_counter() - begun)
    desk.close()
    return _milliseconds(found)


def _players(folder: Path) -> list[int]:
    """Return some players who played, far apart in the register."""
    import sqlite3

    with closing(sqlite3.connect(folder / "office.db")) as db:
        reports = [json.loads(players) for (players,) in db.execute("SELECT players FROM entrants")]
    everybody = sorted({player for players in reports for player in players})
    return everybody[:: max(1, len(everybody) // ASKED)][:ASKED]


def explain(folder: Path) -> dict[str, Any]:
    """One player after the other, none twice."""
    from arpad.model.rules import ListName
    from arpad.office.players.explain import explain_on

    players, desk, found, told = _players(folder), _desk(folder), [], 0

    def explained(player: int) -> bool:
        with desk.store.reading() as connection:
            return explain_on(connection, player, ListName.STANDARD, month.NEXT).change is not None

    explained(players[0])  # modules loaded, database opened
    for player in players[1:]:
        begun = time.perf_counter()
        told += explained(player)
        found.append(time.perf_counter() - begun)
    desk.close()
    return {"players": len(found), "told": told, **_milliseconds(found)}


def page(folder: Path) -> dict[str, Any]:
    """The lines of a player's page, the newest explained."""
    from arpad.model.rules import ListName
    from arpad.office.players.history import explained_line, history_lines, player_history

    players, desk, found = _players(folder), _desk(folder), []
    for player in players:
        begun = time.perf_counter()
        with desk.store.reading() as connection:
            points = player_history(connection, player).get(ListName.STANDARD, [])
            for line in history_lines(connection, player, points)[:1]:
                explained_line(connection, player, line)
        found.append(time.perf_counter() - begun)
    desk.close()
    return _milliseconds(found[1:])


def bundle(folder: Path) -> dict[str, Any]:
    """The list from its bundle alone."""
    from arpad.publishing.bundle import verify_bundle

    path = next((folder / "lists").glob("*.bundle.zip"))
    begun = time.perf_counter()
    digest = sha256()
    with path.open("rb") as stream:
        while block := stream.read(1 << 20):
            digest.update(block)
    floor = time.perf_counter() - begun
    begun = time.perf_counter()
    intact = verify_bundle(path).intact
    return {
        "intact": intact,
        "megabytes": round(path.stat().st_size / 1e6, 1),
        "bundle_s": round(time.perf_counter() - begun, 4),
        "digest_s": round(floor, 6),
    }


def verify(folder: Path) -> dict[str, Any]:
    """The whole office."""
    from arpad.office.verify.acts import verify as office_verify

    desk = _desk(folder)
    found = office_verify(desk)
    desk.close()
    return {"intact": found.intact, **found.counted}


STAGES: dict[str, Callable[[Path], dict[str, Any]]] = {
    "take_over": take_over,
    "search": search,
    "explain": explain,
    "page": page,
    "bundle": bundle,
    "verify": verify,
}


def measure(folder: Path, given: argparse.Namespace) -> Figures:
    """Put every question to the office after its month, which is run first if the folder does not have it."""
    if not list((folder / "lists").glob("*.bundle.zip")):
        month.prepare(folder, given.reports, given.seed)
        month.run_month(folder, given)
    answers = {name: run_stage(STAGES, name, folder) for name in STAGES}
    bundle = answers["bundle"]
    return {
        **answers,
        "explain_ms": answers["explain"]["median_ms"],
        "bundle": round(bundle["bundle_s"] / bundle["digest_s"], 1),
    }


def main() -> None:
    if is_stage():
        run_here(STAGES)
        return
    given = month.read_month_arguments("Measure the office of the made world.", runs=(1, 1, 1))
    with folder_for(given) as folder:
        print(json.dumps(measure(folder, given)))


if __name__ == "__main__":
    main()
