"""How all tests run: the same random examples on every machine, none timed, and one demo for all."""

import gc
import json
import os
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any
from zlib import crc32

import argon2
import pytest
import sqlalchemy
from hypothesis import HealthCheck, settings
from sqlalchemy.engine.default import DefaultDialect as Dialect
from sqlalchemy.util import LRUCache

from arpad.store import database, fingerprint, tables
from tests.builders.common_folder import locked, shared_folder

pytest_plugins = [
    "tests.builders.command_fixtures",
    "tests.builders.office_fixtures",
    "tests.builders.site_fixtures",
]

# Machines are slow and busy: time is measured in benchmarks/, never here. Deep runs look for new examples each time.
settings.register_profile(
    "arpad",
    deadline=None,
    derandomize=not os.environ.get("ARPAD_DEEP"),
    max_examples=100 if os.environ.get("ARPAD_DEEP") else 30,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("arpad")

# Several test processes share the processors: threads of columns would only wait for each other.
os.environ.setdefault("POLARS_MAX_THREADS", "1")

LONG_FIXTURES = {"browser", "copied_folder"}
"""Tests that drive a browser or follow a recipe on a copy of the source."""


POSTGRESQL_SHARE = 20
"""Outside of the store one test in so many runs on PostgreSQL too; the others do with the deep tests."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> None:
    """Import the test modules before they are collected, beginning in each test process at another one.

    In a new clone pytest has to rewrite the asserts of every module, which takes a process ten seconds. It keeps the
    result in a file; so each process does a part of it for the others.
    """
    worker = os.environ.get("PYTEST_XDIST_WORKER", "")
    if not worker or session.config.args != session.config.getini("testpaths"):
        return
    modules = sorted((session.config.rootpath / "tests").rglob("test_*.py"))
    first = len(modules) * int(worker.removeprefix("gw")) // int(os.environ["PYTEST_XDIST_WORKER_COUNT"])
    for path in modules[first:] + modules[:first]:
        with suppress(Exception, pytest.skip.Exception):  # the collection says what is wrong
            import_module(".".join(path.relative_to(session.config.rootpath).with_suffix("").parts))


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the longest files first, run a share of the tests on PostgreSQL; in deep runs, add those of random examples.

    A test process takes one file after the other, so none is at work long after the others.
    """
    functions = [item for item in items if isinstance(item, pytest.Function)]
    long = {item.path for item in functions if LONG_FIXTURES & set(item.fixturenames)}
    counts = Counter(item.path for item in items)
    items.sort(key=lambda item: (item.path not in long, -counts[item.path]))
    for item in functions:
        on_postgresql = getattr(item, "callspec", None) and item.callspec.params.get("place") == "postgres"
        if (
            on_postgresql
            and "store" not in item.path.parts
            and "rows" not in item.path.stem.split("_")
            and crc32(item.nodeid.encode()) % POSTGRESQL_SHARE
        ):
            item.add_marker(pytest.mark.deep)
    if os.environ.get("ARPAD_DEEP"):
        for item in functions:
            if getattr(item.obj, "is_hypothesis_test", False):
                item.add_marker(pytest.mark.deep)


def pytest_collection_finish() -> None:
    """Except the modules and the collected tests from every later search for garbage: they stay until the end."""
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def no_settings_of_the_developer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Let commands read and write settings in a folder of the tests, not in the home of whoever runs them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CONFIG_HOME", str(tmp_path_factory.mktemp("settings")))
        patch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
        yield


@pytest.fixture(scope="session", autouse=True)
def cheap_password_hashes() -> Iterator[None]:
    """Hash passwords with the smallest parameters, since tests sign in hundreds of times.

    tests/office/accounts/test_passwords.py checks the real parameters.
    """
    cheap = partial(argon2.PasswordHasher, time_cost=1, memory_cost=8, parallelism=1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(argon2, "PasswordHasher", cheap)
        yield


@pytest.fixture(scope="session", autouse=True)
def shared_statements() -> Iterator[None]:
    """Compile every statement once per test process instead of once per engine, since nearly every test opens one.

    SQLAlchemy's own option for a shared cache (``compiled_cache``) does not suffice: the keys of the cache contain the
    dialect object, and each engine has its own. All dialects of one class are set up alike here.
    """
    statements: LRUCache[Any, Any] = LRUCache(5000)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Dialect, "__eq__", lambda one, other: type(one) is type(other))
        patch.setattr(Dialect, "__hash__", lambda one: hash(type(one)))

        def create_engine(*arguments: Any, **options: Any) -> sqlalchemy.Engine:
            engine = sqlalchemy.create_engine(*arguments, **options)
            engine._compiled_cache = statements
            return engine

        patch.setattr(database, "create_engine", create_engine)
        yield


@pytest.fixture(scope="session", autouse=True)
def equal_schemas_read_once() -> Iterator[None]:
    """Read the tables of SQLite databases with the same statements once: `verify` compares them each time."""
    known: dict[tuple[Any, ...], sqlalchemy.MetaData] = {}
    read = fingerprint.stored_schema

    def read_once(connection: sqlalchemy.Connection) -> sqlalchemy.MetaData:
        if connection.dialect.name != "sqlite":
            return read(connection)
        statements = tuple(connection.exec_driver_sql("SELECT name, sql FROM sqlite_master ORDER BY name"))
        if statements not in known:
            known[statements] = read(connection)
        return known[statements]

    with pytest.MonkeyPatch.context() as patch:
        for module in (database, fingerprint, fingerprint, tables):
            patch.setattr(module, "stored_schema", read_once)
        yield


@pytest.fixture(scope="session", autouse=True)
def no_waiting_for_the_disk() -> Iterator[None]:
    """Leave it to the operating system when to write files: that counts only when a machine fails, not a process.

    Processes that tests start wait for the disk as usual. A listener for all engines would not do: SQLAlchemy calls it
    before those of the engine, one of which sets ``synchronous``.
    """
    prepare = database._prepare_sqlite

    def prepare_without_waiting(connection: Any, record: object) -> None:
        prepare(connection, record)
        connection.execute("PRAGMA synchronous = OFF")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda _: None)
        patch.setattr(database, "_prepare_sqlite", prepare_without_waiting)
        yield


@pytest.fixture(scope="session")
def demo_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the demo that ends on its usual day, built once; a test that opens the database copies it first.

    SQLite puts files beside a database while it is read, and another test could copy the folder meanwhile. Its
    numbers are in demo.json beside the folder.
    """
    shared = shared_folder(tmp_path_factory)
    folder = shared / "demo"
    with locked(shared / "demo.lock"):
        if not folder.exists():
            from arpad.demo.build import build

            facts = asdict(build(folder)) | {"lists": str(folder / "lists")}
            (shared / "demo.json").write_text(json.dumps(facts), encoding="utf-8")
    return folder
