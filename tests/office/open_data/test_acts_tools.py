"""Open data in the programs of others: DuckDB reads the Parquet files, Datasette the CSV files loaded into SQLite."""

import csv
import json
import shutil
import sqlite3
import subprocess
from pathlib import Path
from urllib.parse import urlencode

import pytest

from arpad.office.office import open_office
from arpad.office.open_data.acts import write_open_data
from arpad.publishing.open_data import TABLES
from tests.paths import ROOT

TOOLS = ROOT / ".venv" / "tools" / "bin"

RECOMPUTED = """
    select c.player, c.list, c.before, c.after, c.points, sum(g.k * (g.score - g.expected)) as recomputed
    from '{folder}/changes.parquet' c join '{folder}/games.parquet' g using (list, player)
    where g.counts and g.k is not null group by all order by all
"""
SAME = (
    "select sum(k * (score - expected)) from games "
    "where counts = 'true' and k <> '' and list = :list and player = :player"
)


@pytest.fixture(scope="module")
def folder(demo_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("open")
    shutil.copy(demo_folder / "office.db", path / "office.db")
    office = open_office(str(path / "office.db"))
    write_open_data(office, path / "data")
    office.close()
    return path / "data"


def run(*arguments: object) -> str:
    """Return what a program of the tools prints."""
    program, *rest = map(str, arguments)
    if not (TOOLS / program).exists():
        pytest.skip("the tools are not installed: tools/setup tools")
    done = subprocess.run([TOOLS / program, *rest], check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.deep
def test_duckdb_recomputes_every_change_from_the_games(folder: Path) -> None:
    script = "import duckdb, json, sys; print(json.dumps(duckdb.sql(sys.argv[1]).fetchall(), default=str))"
    rows = json.loads(run("python", "-c", script, RECOMPUTED.format(folder=folder)))
    assert len(rows) > 100
    for player, name, before, after, points, recomputed in rows:
        assert points == recomputed, (player, name)
        if before and after and "2024-03-01" not in name:  # this list also adjusted all ratings below 2000
            assert abs(after - before - float(points)) <= 0.5, (player, name)


@pytest.mark.deep
def test_datasette_shows_the_tables_loaded_into_sqlite(folder: Path, tmp_path: Path) -> None:
    database = tmp_path / "data.db"
    with sqlite3.connect(database) as connection:
        for table in TABLES:
            with (folder / f"{table.name}.csv").open(encoding="utf-8", newline="") as stream:
                heading, *rows = csv.reader(stream)
            connection.execute(f"create table {table.name} ({', '.join(heading)})")
            marks = ", ".join("?" for _ in heading)
            connection.executemany(f"insert into {table.name} values ({marks})", rows)  # noqa: S608  our own names
    connection.close()
    assert json.loads(run("datasette", database, "--get", "/data/players.json?_size=5&_shape=objects"))[
        "rows"
    ]
    first = {
        "sql": "select list, player, points from changes where list like 'standard%' and points <> '' limit 1"
    }
    ((name, player, points),) = asked(database, first)
    ((recomputed,),) = asked(database, {"sql": SAME, "list": name, "player": player})
    assert round(float(recomputed), 2) == float(points)


def asked(database: Path, query: dict[str, str]) -> list[list[str]]:
    """Return the rows that Datasette answers to a query."""
    address = f"/data.json?{urlencode({**query, '_shape': 'arrays'})}"
    rows: list[list[str]] = json.loads(run("datasette", database, "--get", address))["rows"]
    return rows
