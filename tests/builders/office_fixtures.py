"""An office to work in: the same tests on SQLite and on a real PostgreSQL server that the tests start."""

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import IO
from uuid import uuid4
from zlib import crc32

import pytest

from arpad.lists.compute_chess import compute_chess_list
from arpad.lists.inputs import Inputs
from arpad.lists.result import ListResult
from arpad.model.errors import ArpadError
from tests.builders.chess import event
from tests.builders.common_folder import locked, shared_folder
from tests.builders.offices import NEW, WIN, Clock, Desk, listed
from tests.builders.verbs import open_office

SERVERS = sorted(
    Path("/usr/lib/postgresql").glob("*/bin"), key=lambda found: float(found.parent.name), reverse=True
)
DEEP_ON_POSTGRESQL = pytest.mark.parametrize(
    "place", ["sqlite", pytest.param("postgres", marks=pytest.mark.deep)], indirect=True
)
"""For tests of more than the database: another test runs the same queries on PostgreSQL."""

REQUIRED = os.environ.get("ARPAD_REQUIRE_ALL") == "1"


def _missing(sentence: str) -> None:
    if REQUIRED:
        pytest.fail(sentence)
    pytest.skip(sentence)


def _server_user() -> str | None:
    """The user a server runs as: initdb refuses root."""
    if os.geteuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        try:
            pwd.getpwnam(name)
        except KeyError:
            continue
        return name
    return None


@pytest.fixture(scope="session")
def postgres_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Start one server for all test processes, on a socket in a directory of its own; yield the directory.

    The first process that asks starts it, and the last one that ends stops it.
    """
    pytest.importorskip("psycopg", reason="the extra `postgres` is not installed") if not REQUIRED else None
    if not SERVERS:
        _missing("PostgreSQL is not installed: the package is postgresql")
    if os.geteuid() == 0 and _server_user() is None:
        _missing("no user to run a PostgreSQL server as")
    users = shared_folder(tmp_path_factory) / "postgresql-users"
    with locked(users) as file:
        folder, count = _server_in_use(file) or (_start_server(), 0)
        _note_users(file, folder, count + 1)
    try:
        yield folder
    finally:
        with locked(users) as file:
            in_use = _server_in_use(file)
            assert in_use is not None
            _note_users(file, folder, in_use[1] - 1)
            if in_use[1] == 1:
                _run_in(folder, "pg_ctl", "-D", f"{folder}/data", "-m", "immediate", "-w", "stop")
                shutil.rmtree(folder, ignore_errors=True)


def _server_in_use(file: IO[str]) -> tuple[str, int] | None:
    """Return the server's folder and how many test processes use it, if any does."""
    file.seek(0)
    folder, _, count = file.read().partition("\n")
    return (folder, int(count)) if count and int(count) else None


def _note_users(file: IO[str], folder: str, count: int) -> None:
    file.truncate(0)
    file.write(f"{folder}\n{count}")


def _start_server() -> str:
    folder = tempfile.mkdtemp(prefix="arpad-pg-", dir="/tmp")  # a socket's path must be short
    if (user := _server_user()) is not None:
        shutil.chown(folder, user)
    data = f"{folder}/data"
    _run_in(folder, "initdb", "-D", data, "-A", "trust", "-U", "arpad", "-E", "UTF8", "--no-sync")
    options = (
        f"-c listen_addresses='' -c unix_socket_directories='{folder}' -c fsync=off -c max_connections=100"
    )
    _run_in(folder, "pg_ctl", "-D", data, "-o", options, "-l", f"{folder}/log", "-w", "start")
    return folder


def _run_in(folder: str, program: str, *arguments: str) -> None:
    done = subprocess.run(
        (str(SERVERS[0] / program), *arguments), user=_server_user(), cwd=folder, capture_output=True, text=True,
        check=False, env={"LC_ALL": "C"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


def new_database(server: str) -> str:
    """The URL of an empty place of its own: a schema, which is made in no time."""
    import psycopg

    name = f"arpad_{uuid4().hex}"
    with psycopg.connect(host=server, user="arpad", dbname="postgres", autocommit=True) as connection:
        connection.execute(f'CREATE SCHEMA "{name}"')
    return f"postgresql://arpad@/postgres?host={server}&options=-csearch_path%3D{name}"


COMPARED_SHARE = 3
"""One test in so many compares both ways to make a list; the others do with the deep tests."""


@pytest.fixture
def both_ways(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make each chess list of a test on columns and the readable way; both must be the same in all respects."""
    if not os.environ.get("ARPAD_DEEP") and crc32(request.node.nodeid.encode()) % COMPARED_SHARE:
        return
    on_columns = pytest.importorskip("arpad.lists.compute_fast", reason="the extra `scale` is not installed")
    made: Callable[[Inputs], ListResult] = on_columns.compute_list_fast

    def compared(inputs: Inputs) -> ListResult:
        try:
            readable = compute_chess_list(inputs)
        except (ArpadError, KeyError, ValueError, TypeError, AttributeError):
            with pytest.raises((ArpadError, KeyError, ValueError, TypeError, AttributeError)):
                made(inputs)
            raise
        found = made(inputs)
        for part in (
            "head",
            "rows",
            "states",
            "ratings",
            "movements",
            "entered",
            "delisted",
            "pending",
            "pending_players",
        ):
            assert getattr(found, part) == getattr(readable, part), part
        assert (found.digest, found.standings_digest) == (readable.digest, readable.standings_digest)
        assert found.table.equals(readable.table)
        return found

    monkeypatch.setattr(on_columns, "compute_list_fast", compared)


@pytest.fixture(params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where an office can be made."""
    if request.param == "sqlite":
        return str(tmp_path / "office.db")
    return new_database(request.getfixturevalue("postgres_server"))


@pytest.fixture
def sqlite_place(tmp_path: Path) -> str:
    return str(tmp_path / "office.db")


@pytest.fixture
def desk(place: str, tmp_path: Path, both_ways: None) -> Iterator[Desk]:
    """A new office with its clock, on either database."""
    made = Desk.made(place, tmp_path, Clock())
    yield made
    made.office.close()


@pytest.fixture(scope="session")
def february(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of an office on SQLite with the list of February 2018; tests take copies."""
    folder = tmp_path_factory.mktemp("february")
    with closing(_with_february(Desk.made(str(folder / "office.db"), folder, Clock())).office):
        return folder


@pytest.fixture
def out(place: str, tmp_path: Path, february: Path, both_ways: None) -> Iterator[Desk]:
    """An office with one list of its own, that of February 2018."""
    on_sqlite = "://" not in place
    desk = _copy(february, tmp_path) if on_sqlite else _with_february(Desk.made(place, tmp_path, Clock()))
    with closing(desk.office):
        yield desk


@pytest.fixture
def sqlite_out(tmp_path: Path, february: Path, both_ways: None) -> Iterator[Desk]:
    """The same office on SQLite, for tests that are not about the database."""
    desk = _copy(february, tmp_path)
    with closing(desk.office):
        yield desk


def _copy(february: Path, folder: Path) -> Desk:
    shutil.copytree(february, folder, dirs_exist_ok=True)
    clock, place = Clock(date(2018, 2, 1)), str(folder / "office.db")
    return Desk(open_office(place, now=clock, author=NEW["author"]), clock, folder, place)


def _with_february(desk: Desk) -> Desk:
    desk.list(date(2018, 1, 1), listed(1, 2000), listed(2, 1900))
    desk.report(event("Match", WIN, date(2018, 1, 10)))
    desk.publish(date(2018, 2, 1))
    return desk


@pytest.fixture
def sqlite_desk(sqlite_place: str, tmp_path: Path, both_ways: None) -> Iterator[Desk]:
    made = Desk.made(sqlite_place, tmp_path, Clock())
    yield made
    made.office.close()
