"""Open the database; transactions; errors of the database as one sentence.

Writers come one at a time: BEGIN IMMEDIATE on SQLite, one advisory lock on PostgreSQL. So the ledger stays a chain and
there are no deadlocks; readers never wait.
"""

import errno
import os
import shutil
import sqlite3
import stat
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from glob import escape
from pathlib import Path
from secrets import token_hex
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import quote

from sqlalchemy import Connection, Engine, MetaData, create_engine, event, exc, inspect, text
from sqlalchemy.engine import URL, Dialect, make_url
from sqlalchemy.pool import ConnectionPoolEntry

from arpad.model.errors import ArpadError, BadInput, Unreadable
from arpad.store.bulk import LOG_STAYS
from arpad.store.fingerprint import (
    VERSION_TABLE,
    differing_tables,
    fingerprint,
    known_fingerprints,
    stored_schema,
)
from arpad.store.schema import ledger
from arpad.store.written_rows import collect_rows, note_statement
from arpad.system.atomic_files import PRIVATE
from arpad.system.extras import require

WAIT_SECONDS = 60
"""How long a writer waits for the others."""

READER_WAIT_SECONDS = 1
"""How long a reader waits on SQLite while another program locks the whole file; Arpad never does."""

NOTE_WAIT_SECONDS = 2
"""How long a short transaction without the ledger waits, such as a sign-in or the count of a request."""

_LOG_PAGES = 1000
"""Pages of SQLite's log from which on a commit moves them into the file; SQLite's own number."""

_STILL = "arpad_still"
"""The key under which a connection that can only read keeps its file."""

_LOCK = 0x41727061  # the letters Arpa; with the schema, since two schemas are two offices


@dataclass(frozen=True, slots=True)
class Store:
    """An opened database."""

    engine: Engine
    address: str
    """The URL or path as the user wrote it, without a password."""

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Open a writing transaction; there is only one at a time."""
        with self._transaction(arpad_writing=True, arpad_waits=WAIT_SECONDS) as writer:
            if self.engine.dialect.name == "postgresql":
                lock = text("SELECT pg_advisory_xact_lock(:lock, hashtext(current_schema()))")
                writer.execute(lock, {"lock": _LOCK})
            with collect_rows(writer):
                yield writer

    @contextmanager
    def unlogged_writing(self) -> Iterator[Connection]:
        """Open a short transaction without the ledger; it waits for other writers only a moment."""
        with self._transaction(
            arpad_writing=True, arpad_noting=True, arpad_waits=NOTE_WAIT_SECONDS
        ) as writer:
            yield writer

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Open a reading transaction, which sees the database as it is at one moment."""
        still = {"isolation_level": "REPEATABLE READ"} if self.engine.dialect.name == "postgresql" else {}
        with self._transaction(arpad_reading=True, **still) as reader:
            yield reader

    @contextmanager
    def _transaction(self, **options: Any) -> Iterator[Connection]:
        """Open a transaction with the options of ours that other modules and ``_begin_sqlite`` ask for."""
        with (
            self._errors_as_sentences(),
            self.engine.connect().execution_options(**options) as connection,
            connection.begin(),
        ):
            if self.engine.dialect.name == "postgresql" and "arpad_waits" in options:
                connection.execute(text(f"SET LOCAL lock_timeout = '{options['arpad_waits']}s'"))
            yield connection
            still: StillFile | None = connection.info.get(_STILL)
            if still is not None and still.changed():
                raise Unreadable("office-busy", place=self.address, reason="")

    def move_log(self) -> None:
        """Move what was committed from SQLite's log into its file, as far as no reader needs the log."""
        if self.engine.dialect.name == "sqlite":
            with self._errors_as_sentences(), self.engine.connect() as connection:
                driver: Any = connection.connection.driver_connection
                driver.execute("PRAGMA wal_checkpoint").fetchall()

    @contextmanager
    def _errors_as_sentences(self) -> Iterator[None]:
        """Turn errors of SQLAlchemy and of the driver into one sentence each."""
        driver: type[Exception] = self.engine.dialect.loaded_dbapi.Error
        try:
            yield
        except (exc.DBAPIError, driver) as error:
            raise _sentence(self.address, error) from error
        except UnicodeEncodeError as error:
            raise BadInput("text-not-unicode", value=ascii(_wrong_text(error))[1:-1]) from error
        except UnicodeDecodeError as error:  # SQLite names what is damaged, and the name is damaged too
            reason = error.object.decode("utf-8", "backslashreplace").split("\n", 1)[0]
            raise Unreadable("not-a-database", place=self.address, reason=reason) from error
        except OverflowError as error:
            raise BadInput("number-too-large") from error
        except exc.SQLAlchemyError as error:
            reason = str(error).split("\n", 1)[0]
            raise Unreadable("database-failed", place=self.address, reason=reason) from error


def open_store(address: str, *, create: bool = False, to_migrate: bool = False) -> Store:
    """Open the database at a URL or a path.

    Its schema must be the present one; ``to_migrate`` also opens a database of an older schema.
    """
    store = Store(_engine(_url(address, create=create), create=create), _shown(address))
    if not create:
        with closed_on_error(store), store.reading() as connection:
            refuse_other_schema(store.address, schema_version(connection), to_migrate=to_migrate)
    return store


@contextmanager
def new_store(address: str) -> Iterator[Store]:
    """Open a database for a new office; on an error delete the files that were not there before."""
    path = _file_of(address)
    had = path is None or path.exists()
    with closed_on_error(open_store(address, create=True)) as store:
        try:
            yield store
        except BaseException:
            store.engine.dispose()
            if path is not None and not had:
                for leftover in (path, *path.parent.glob(f"{escape(path.name)}-*")):
                    leftover.unlink(missing_ok=True)
            raise


@dataclass(frozen=True, slots=True)
class SchemaVersion:
    """The schema that a database or a backup says it has."""

    revision: str
    """Its number; empty if there is no office."""

    fingerprint: str
    """Empty if there is none: a version that was never released, or another program made the tables."""


def refuse_other_schema(address: str, version: SchemaVersion, *, to_migrate: bool = False) -> None:
    """Refuse a database or a backup whose schema is not the present one; or an older one, if it is to be migrated."""
    known = known_fingerprints()
    newest = max(known)
    if not version.revision:
        raise Unreadable("no-office", place=address)
    if not version.fingerprint or version.fingerprint != known.get(version.revision, version.fingerprint):
        raise Unreadable("database-foreign", place=address, found=version.revision)
    if version.revision not in known:
        raise Unreadable("database-newer", place=address, found=version.revision, known=newest)
    if version.revision != newest and not to_migrate:
        raise Unreadable("database-older", place=address, found=version.revision, known=newest)


def refuse_other_tables(address: str, connection: Connection) -> MetaData:
    """Return the tables of a database; refuse one whose tables are not those of its schema."""
    version = schema_version(connection)
    refuse_other_schema(address, version, to_migrate=True)
    stored = stored_schema(connection)
    if fingerprint(stored) == version.fingerprint:
        return stored
    differing = differing_tables(stored) if version.revision == max(known_fingerprints()) else []
    code = "database-tables" if differing else "database-foreign"
    names = ", ".join([*differing[:_MOST_NAMED], *(["…"] if len(differing) > _MOST_NAMED else [])])
    raise Unreadable(code, place=address, found=version.revision, tables=names)


_MOST_NAMED = 5


@contextmanager
def closed_on_error(store: Store) -> Iterator[Store]:
    """Close the database on an error."""
    try:
        yield store
    except BaseException:
        store.engine.dispose()
        raise


def schema_version(connection: Connection) -> SchemaVersion:
    """Return the schema that a database says it has; without a number if there is no office."""
    tables = set(inspect(connection).get_table_names())
    if VERSION_TABLE not in tables or ledger.name not in tables:
        return SchemaVersion("", "")
    row = connection.execute(text(f"SELECT * FROM {VERSION_TABLE}")).mappings().first()  # noqa: S608  our table
    stored = dict(row or {})
    return SchemaVersion(stored.get("version_num") or "", stored.get("fingerprint") or "")


def has_tables(connection: Connection) -> bool:
    """Return whether the database has any tables."""
    return bool(inspect(connection).get_table_names())


def _url(address: str, *, create: bool) -> URL:
    if "://" not in address:
        path = Path(address)
        if not create and not path.exists():
            raise Unreadable("no-office", place=address)
        if not path.parent.is_dir():
            raise BadInput("database-not-opened", place=address, reason=os.strerror(errno.ENOTDIR))
        return URL.create("sqlite", database=str(path))
    try:
        url = make_url(address)
    except (exc.ArgumentError, ValueError):
        raise BadInput("database-url", place=_shown(address)) from None
    if url.get_backend_name() == "sqlite":
        return _url(url.database or "", create=create)
    if url.get_backend_name() != "postgresql":
        raise BadInput("database-url", place=_shown(address))
    return url.set(drivername="postgresql+psycopg")


def _file_of(address: str) -> Path | None:
    """Return the file of a database; None if it is on a server."""
    if "postgresql" in address.partition("://")[0]:
        return None
    return Path(_url(address, create=True).database or "")


def _shown(address: str) -> str:
    """Return a URL without its password."""
    if "://" not in address:
        return address
    try:
        return make_url(address).render_as_string(hide_password=True)
    except (exc.ArgumentError, ValueError):
        return address.rpartition("@")[2]


def readable_by_others(address: str) -> str:
    """Return the permissions of a database file, such as ``644``, if others than its owner may open it."""
    path = _file_of(address)
    rights = stat.S_IMODE(path.stat().st_mode) if path is not None and path.is_file() else 0
    return f"{rights:o}" if rights & (stat.S_IRWXG | stat.S_IRWXO) else ""


def _engine(url: URL, *, create: bool) -> Engine:
    if url.get_backend_name() == "sqlite":
        if create:
            # for its owner only; SQLite gives its other files the same permissions, and reports a wrong path
            with suppress(FileExistsError, OSError):
                os.close(os.open(url.database or "", os.O_CREAT | os.O_EXCL | os.O_WRONLY, PRIVATE))
        engine = create_engine(url, connect_args={"timeout": READER_WAIT_SECONDS})
        if create:
            event.listen(engine, "connect", _begin_sqlite_file)
        else:
            event.listen(engine, "do_connect", _open_existing_file)
        event.listen(engine, "connect", _prepare_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
    else:
        require("postgres", "psycopg")
        engine = create_engine(url, pool_pre_ping=True)
    event.listen(engine, "before_execute", note_statement)
    return engine


def _open_existing_file(
    dialect: Dialect, record: ConnectionPoolEntry, arguments: Sequence[Any], options: dict[str, Any]
) -> Any:
    """Open only an existing file: by default SQLite creates an empty one. If it cannot be written, open it to read."""
    options["uri"] = True
    driver: Any = dialect.loaded_dbapi
    connection = driver.connect(f"file:{quote(arguments[0])}?mode=rw", **options)
    try:
        connection.execute("PRAGMA schema_version").fetchall()
    except driver.OperationalError as error:
        if cannot_write(error):
            connection.close()
            still = open_to_read(Path(arguments[0]), error, options)
            record.info[_STILL] = still
            return still.connection
    return connection


def _begin_sqlite_file(connection: Any, _record: object) -> None:
    """Set the journal mode of a new file; a database of another program stays as it is."""
    connection.isolation_level = None
    if not connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
        connection.execute("PRAGMA journal_mode = WAL")


def _prepare_sqlite(connection: Any, _record: object) -> None:
    connection.isolation_level = None  # the transactions are ours
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA foreign_keys = ON")


def _begin_sqlite(connection: Connection) -> None:
    options = connection.get_execution_options()
    still: StillFile | None = connection.info.get(_STILL)
    if still is not None and options.get("arpad_writing"):
        raise still.error
    seconds = options.get("arpad_waits", READER_WAIT_SECONDS)
    if connection.info.get("arpad_waits") != seconds:
        connection.exec_driver_sql(f"PRAGMA busy_timeout = {seconds * 1000}")
        connection.info["arpad_waits"] = seconds
    if connection.info.pop(LOG_STAYS, False):
        connection.exec_driver_sql(f"PRAGMA wal_autocheckpoint = {_LOG_PAGES}")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if options.get("arpad_writing") else "BEGIN")


def _wrong_text(error: UnicodeEncodeError) -> str:
    """Return the text that cannot be written: of a row of the ledger only the cell."""
    text, begin = error.object, error.object.rfind('"', 0, error.start) + 1
    return text[begin:].partition('"')[0][:_LONGEST_SHOWN]


_LONGEST_SHOWN = 60
_SENTENCES = (
    (("disk is full", "no space left", "disk i/o error", "could not extend"), "disk-full"),
    (("database is locked", "lock timeout", "lock_timeout", "busy"), "office-busy"),
    (("not a database", "malformed", "disk image"), "not-a-database"),
    (("readonly", "read-only"), "database-read-only"),
    (("arpad-kept",), "kept"),
    (
        ("unable to open", "connection failed", "could not connect", "connection refused"),
        "database-not-opened",
    ),
)


def _sentence(address: str, error: Exception) -> ArpadError:
    message = str(getattr(error, "orig", None) or error).strip()
    reason, lowered = message.split("\n", 1)[0], message.lower()
    for words, code in _SENTENCES:
        if any(word in lowered for word in words):
            return Unreadable(code, place=address, reason=reason)
    return Unreadable("database-failed", place=address, reason=reason)


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
