"""A database for one use: a file, or a schema beside the office's own on its PostgreSQL server."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex
from tempfile import TemporaryDirectory

from sqlalchemy import Connection, text

from arpad.store.database import Store

_NAME = "arpad_scratch_"
_OLD_SECONDS = 24 * 3600


@contextmanager
def scratch_database(beside: Store | None = None) -> Iterator[str]:
    """Yield the address of an empty database and remove it at the end, whatever happened.

    Beside a store on PostgreSQL it is a schema of the same database, else a file of SQLite.
    """
    if beside is None or beside.engine.dialect.name != "postgresql":
        with TemporaryDirectory(prefix="arpad-scratch-") as folder:
            yield str(Path(folder) / "office.db")
        return
    name = f"{_NAME}{int(time.time())}_{token_hex(4)}"
    url = beside.engine.url.set(drivername="postgresql").difference_update_query(["options"])
    with beside.unlogged_writing() as connection:
        for left in _left_behind(connection):
            connection.execute(text(f'DROP SCHEMA "{left}" CASCADE'))
        connection.execute(text(f'CREATE SCHEMA "{name}"'))
    try:
        yield url.update_query_dict({"options": f"-csearch_path={name}"}).render_as_string(
            hide_password=False
        )
    finally:
        with beside.unlogged_writing() as connection:
            connection.execute(text(f'DROP SCHEMA "{name}" CASCADE'))


def _left_behind(connection: Connection) -> list[str]:
    """Return the schemas that a killed process left, a day ago or earlier."""
    query = "SELECT nspname FROM pg_namespace WHERE nspname ~ :form"
    names = connection.execute(text(query), {"form": f"^{_NAME}[0-9]+_[0-9a-f]+$"}).scalars()
    return [name for name in names if int(name.split("_")[2]) < time.time() - _OLD_SECONDS]
