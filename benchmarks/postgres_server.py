"""A PostgreSQL server of our own for a benchmark, on a socket in a directory of its own, as the tests have one.

It writes as safely as a server does by default. initdb refuses root, so the server then runs as another user.
"""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

SERVERS = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: float(path.parent.name))


@contextmanager
def server() -> Iterator[str | None]:
    """Start a server and give its directory; None where PostgreSQL or a user to run it is missing."""
    user = _user()
    if not SERVERS or (os.geteuid() == 0 and user is None):
        yield None
        return
    folder = tempfile.mkdtemp(prefix="arpad-pg-", dir="/tmp")
    if user is not None:
        shutil.chown(folder, user)
    data = f"{folder}/data"
    _run(folder, "initdb", "-D", data, "-A", "trust", "-U", "arpad", "-E", "UTF8", "--no-sync")
    options = f"-c listen_addresses='' -c unix_socket_directories='{folder}'"
    _run(folder, "pg_ctl", "-D", data, "-o", options, "-l", f"{folder}/log", "-w", "start")
    try:
        yield folder
    finally:
        _run(folder, "pg_ctl", "-D", data, "-m", "immediate", "-w", "stop")
        shutil.rmtree(folder, ignore_errors=True)


def create_database(folder: str, name: str, template: str = "template1") -> str:
    """Create a database, perhaps as a copy of another one, in place of one of that name; return its address."""
    import psycopg

    with psycopg.connect(host=folder, user="arpad", dbname="postgres", autocommit=True) as connection:
        connection.execute(f"DROP DATABASE IF EXISTS {name}".encode())
        connection.execute(f"CREATE DATABASE {name} TEMPLATE {template}".encode())
    return f"postgresql://arpad@/{name}?host={folder}"


def _user() -> str | None:
    if os.geteuid() != 0:
        return None
    users = {entry.pw_name for entry in pwd.getpwall()}
    return next((name for name in ("postgres", "nobody") if name in users), None)


def _run(folder: str, program: str, *arguments: str) -> None:
    subprocess.run(  # noqa: S603  the programs of the server
        (str(SERVERS[-1] / program), *arguments), user=_user(), cwd=folder, capture_output=True, check=True,
        env={"LC_ALL": "C"},
    )  # fmt: skip
