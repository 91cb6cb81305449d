"""Read a SQLite database where nothing can be written: a full disk, a read-only disk or folder.

In its usual mode SQLite writes a file beside the database even to read it. If that fails, the database is opened as a
file that nobody changes. If committed rows wait in its log, file and log are first copied to the folder for temporary
files, and the log is moved into the copy.
"""

from __future__ import annotations

import shutil
import sqlite3
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import quote

_KIND = 0xFF
"""The part of an error's number that says its kind."""

_UNWRITABLE = frozenset(
    {sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY}
)


@dataclass(frozen=True, slots=True)
class StillFile:
    """A database that is open to read only, and must not change meanwhile."""

    connection: sqlite3.Connection
    error: sqlite3.Error
    """Why it cannot be written."""

    path: Path
    state: tuple[tuple[int, int], ...]
    """Size and time of the database and of its log."""

    def changed(self) -> bool:
        """Return whether somebody wrote to the database since it was opened."""
        return _state(self.path) != self.state


def cannot_write(error: sqlite3.Error) -> bool:
    """Return whether SQLite refused because it could not write beside the database."""
    return (error.sqlite_errorcode or 0) & _KIND in _UNWRITABLE


def open_to_read(path: Path, error: sqlite3.Error, options: dict[str, Any]) -> StillFile:
    """Open a database that cannot be written; raise the error if it cannot be read either."""
    state = _state(path)
    try:
        if not _log(path).exists() or not _log(path).stat().st_size:
            connection = _open(path, options)
        else:
            connection = _open_copy(path, options)
        connection.execute("PRAGMA schema_version").fetchall()
    except (OSError, sqlite3.OperationalError):
        raise error from None
    if (error.sqlite_errorcode or 0) & _KIND == sqlite3.SQLITE_CANTOPEN:
        error = sqlite3.OperationalError("attempt to write a readonly database")
    return StillFile(connection, error, path, state)


def _open_copy(path: Path, options: dict[str, Any]) -> sqlite3.Connection:
    """Open a copy of a database and of what waits in its log; on disk it is gone as soon as it is open."""
    with TemporaryDirectory(prefix="arpad-read-") as folder:
        copy = Path(folder) / path.name
        for source, target in ((path, copy), (_log(path), _log(copy))):
            shutil.copyfile(source, target)
        written = sqlite3.connect(copy)
        written.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        written.close()
        return _open(copy, options)


def _open(path: Path, options: dict[str, Any]) -> sqlite3.Connection:
    connection: sqlite3.Connection = sqlite3.connect(
        f"file:{quote(str(path))}?mode=ro&immutable=1", **options
    )
    connection.execute("PRAGMA schema_version").fetchall()
    return connection


def _log(path: Path) -> Path:
    return path.with_name(f"{path.name}-wal")


def _state(path: Path) -> tuple[tuple[int, int], ...]:
    files = [file.stat() for file in (path, _log(path)) if file.exists()]
    return tuple((file.st_size, file.st_mtime_ns) for file in files if file.st_size)
