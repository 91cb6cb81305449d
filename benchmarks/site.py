"""The site beside Datasette on the same SQLite tables: home, search, player and list, in one run, one server at a time.

    python benchmarks/site.py [--players 1700000] [--seconds 5] [--clients 4] [--rate 20] [--keep build/site] [--quick]

Two offices: the demo, and one that has imported the register of the made world (benchmarks/world.py); both are made at
the first run and used again after. Datasette is the one of requirements-tools.txt; if it is not installed there, Arpad
is measured alone. Both servers are one process on 127.0.0.1 and answer the same questions in the same order, asked by
another process (benchmarks/load.py): each once for the first time ("cold"), then evenly, so many a second ("modest"),
then by a few clients without pause. Datasette gets what suits it best: a copy of the register with a full-text index
for the search, and the list as rows in the order of its key, which it need not sort. The last line is one JSON object;
times are in milliseconds.
"""

from __future__ import annotations

import argparse
import json
import random
import sqlite3
import sys
import time
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

from site_servers import first_request, free_port, load, memory_mib, processor_seconds, serving
from sizes import folder_for, is_tiny, parser_with_folder, read_arguments

HERE = Path(__file__).resolve().parent
PAGES = ("home", "player", "search", "list")
"""A search that finds one player ends on his page: the players come first, so that their first visits count as such."""
QUESTIONS = 500
Found = dict[str, Any]


# ---------------------------------------------------------------------------------------------------- the offices


def demo_office(folder: Path) -> Path:
    """The demo's office."""
    from arpad.demo.build import build

    if not (folder / "demo").exists():
        build(folder / "demo")
    return _present(folder / "demo" / "office.db")


def world_office(folder: Path, players: int) -> Path:
    """An office that has taken over the register of the made world."""
    import world

    from arpad.model.rules import ListName
    from arpad.office.imports.acts import import_list
    from arpad.office.office import init

    place = folder / f"world-{players}.db"
    if place.exists():
        return _present(place)
    register, growing = folder / "register.txt", folder / "growing.db"
    for old in folder.glob("growing.db*"):
        old.unlink()
    with register.open("wb") as stream:
        stream.write(world.HEADING.encode())
        world.write_lines(world.register_lines(world.world(players, 1)), stream)
    begun = time.perf_counter()
    office = init(str(growing), name="World", author="benchmark")
    import_list(office, register, ListName.STANDARD, world.LIST_DAY)
    with office.store.engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    office.close()
    growing.rename(place)
    register.unlink()
    print(f"{players} players imported in {time.perf_counter() - begun:.0f} s", file=sys.stderr)
    return place


def _present(place: Path) -> Path:
    """An office of an earlier run, brought to the present schema."""
    from arpad.office.office import migrate

    migrate(str(place), author="benchmark")
    return place


def listed_players(place: Path, publication: int) -> list[tuple[int, int]]:
    """Return the rated players of a list with their ratings, by number: they are stored in blocks of columns."""
    from arpad.office.lists.block_rows import read_table
    from arpad.office.office import open_office

    office = open_office(str(place), author="")
    with office.store.reading() as connection:
        table = read_table(connection, publication, ("player", "rating")).drop_nulls("rating").sort("player")
    office.close()
    return table.rows()


def with_full_text(place: Path, publication: int) -> Path:
    """A copy of the register with a full-text index and of a list as rows, as Datasette's own tools would make it."""
    copy = place.with_name(f"{place.stem}-search.db")
    if not copy.exists():
        with closing(sqlite3.connect(copy)) as database:
            database.execute("ATTACH ? AS office", (str(place),))
            database.execute(
                "CREATE TABLE players (id INTEGER PRIMARY KEY, name TEXT, federation TEXT, born TEXT)"
            )
            database.execute(
                "INSERT INTO players SELECT id, name, federation, substr(born, 1, 4) FROM office.players"
            )
            database.execute("CREATE VIRTUAL TABLE players_fts USING fts5 (name, content=players)")
            database.execute("INSERT INTO players_fts (players_fts) VALUES ('rebuild')")
            database.execute("CREATE TABLE standings (player INTEGER PRIMARY KEY, rating INTEGER)")
            database.executemany("INSERT INTO standings VALUES (?, ?)", listed_players(place, publication))
            database.commit()
    return copy


# -------------------------------------------------------------------------------------------------- the questions


@dataclass(frozen=True, slots=True)
class Questions:
    """The same for both: who is looked for, who is looked at, where a list is opened."""

    names: list[str]
    players: list[int]
    publication: tuple[int, str]
    places: list[int]
    """How far down a list is opened, in pages."""

    keys: list[int]
    """The players there in the order of the key."""


def questions(place: Path) -> Questions:
    """Always the same of the same office."""
    chance = random.Random(6)
    with closing(sqlite3.connect(f"file:{place}?mode=ro", uri=True)) as database:
        number, name, day, revision = database.execute(
            "SELECT id, list, day, revision FROM publications WHERE list = 'standard' ORDER BY day DESC, revision DESC"
        ).fetchone()
        listed = [player for player, _ in listed_players(place, number)]
        players = [chance.choice(listed) for _ in range(QUESTIONS)]
        known = dict(
            database.execute(f"SELECT id, name FROM players WHERE id IN ({','.join(map(str, players))})")  # noqa: S608  numbers
        )
    names = [_asked(known[player], chance.randrange(4)) for player in players]
    places = [chance.randrange(max(1, len(listed) // 100)) for _ in range(QUESTIONS)]
    keys = [listed[place * 100] for place in places]
    return Questions(names, players, (number, f"{name}-{day}-r{revision}"), places, keys)


def _asked(name: str, way: int) -> str:
    """As people ask: the surname, the whole name, the first name first."""
    surname, _, first = (part.strip() for part in name.partition(","))
    return (surname, surname, f"{surname} {first}", f"{first} {surname}")[way].strip()


def arpad_addresses(asked: Questions) -> dict[str, list[str]]:
    list_name = asked.publication[1]
    return {
        "home": ["/"],
        "search": [f"/players?{urlencode({'q': name})}" for name in asked.names],
        "player": [f"/players/{player}" for player in asked.players],
        "list": [f"/lists/{list_name}?cut=all&page={place + 1}" for place in asked.places],
    }


def datasette_addresses(asked: Questions, place: Path, search: Path) -> dict[str, list[str]]:
    office, register = quote(place.stem), quote(search.stem)
    return {
        "home": ["/"],
        "search": [f"/{register}/players?{urlencode({'_search': name})}" for name in asked.names],
        "player": [f"/{office}/players/{player}" for player in asked.players],
        "list": [f"/{register}/standings?_next={key}" for key in asked.keys],
    }


# ---------------------------------------------------------------------------------------------------- the servers


def datasette_program() -> Path | None:
    """Datasette among the tools of the repository; None if they are not installed."""
    program = HERE.parent / ".venv" / "tools" / "bin" / "datasette"
    if not program.exists():
        print("Datasette is not installed (tools/setup tools): Arpad is measured alone.", file=sys.stderr)
        return None
    return program


# --------------------------------------------------------------------------------------------------- the measuring


def measured(
    command: list[str], port: int, addresses: dict[str, list[str]], given: argparse.Namespace
) -> Found:
    """Every page of one server."""
    with serving(command, port) as (pid, seconds):
        found: Found = {"start_s": round(seconds, 2)}
        for name in PAGES:
            begun = first_request(port, addresses[name][0])
            cold = load(port, given.clients, 2 * given.seconds, addresses[name], "once")
            even = load(port, 16, given.seconds, addresses[name], str(given.rate))
            before = processor_seconds(pid)
            full = load(port, given.clients, given.seconds, addresses[name])
            worked = processor_seconds(pid) - before
            found[name] = {
                "first": begun, "cold_rate": cold["rate"], "cold_p99": cold["p99"],
                "modest_p50": even["p50"], "modest_p99": even["p99"],
                "rate": full["rate"], "processor_ms": round(1000 * worked / max(1, full["requests"]), 2),
                "p50": full["p50"], "p99": full["p99"],
                "bytes": full["bytes"], "statuses": full["statuses"],
            }  # fmt: skip
        found["memory_mib"] = memory_mib(pid)
    return found


def compared(place: Path, datasette: Path | None, given: argparse.Namespace) -> Found:
    """Both servers on one office, in turn; and Arpad once more with two workers."""
    asked = questions(place)
    found: Found = {}
    servers = (("arpad", 1), ("arpad_two_workers", 2))
    for name, workers in servers[: given.servers]:
        port = free_port()
        serve = [sys.executable, "-m", "arpad", "serve", "--db", str(place), "--port", str(port)]
        found[name] = measured([*serve, "--workers", str(workers)], port, arpad_addresses(asked), given)
        if name == "arpad" and datasette is not None:
            port, search = free_port(), with_full_text(place, asked.publication[0])
            serve = [str(datasette), "serve", str(place), str(search), "--port", str(port)]
            found["datasette"] = measured(serve, port, datasette_addresses(asked, place, search), given)
    if "datasette" in found:
        for ratio, rate in (("ratio", "rate"), ("cold_ratio", "cold_rate")):
            found[ratio] = {
                page: round(found["datasette"][page][rate] / found["arpad"][page][rate], 3) for page in PAGES
            }
    return found


def measure(folder: Path, given: argparse.Namespace) -> Found:
    """Compare the servers on both offices; if nothing is measured only on the large one, which is then small."""
    datasette = datasette_program()
    offices: Found = {}
    if not is_tiny():
        offices["demo"] = compared(demo_office(folder), datasette, given)
    offices["world"] = compared(world_office(folder, given.players), datasette, given)
    ratios: Found = {}
    for name, ratio in (("site", "ratio"), ("site_cold", "cold_ratio")):
        shares = [share for office in offices.values() for share in office.get(ratio, {}).values()]
        ratios[name] = max(shares, default=None)
    return {**offices, **ratios}


def main() -> None:
    parser = parser_with_folder()
    parser.set_defaults(keep=None if is_tiny() else HERE.parent / "build" / "site")
    given = read_arguments(
        "Measure the site beside Datasette: players of the large office, seconds for each page and way of asking, "
        "requests a second of a modest load.",
        parser,
        players=(1_700_000, 20_000, 300), seconds=(5.0, 1.0, 0.05), clients=(4, 4, 1), rate=(20.0, 20.0, 40.0),
        servers=(2, 2, 1),
    )  # fmt: skip
    with folder_for(given) as folder:
        print(json.dumps(measure(folder, given)))


if __name__ == "__main__":
    main()
