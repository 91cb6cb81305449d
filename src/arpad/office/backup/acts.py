"""Backup into one portable file for both databases, restore, and export into open formats.

A backup is a ZIP with one file of JSON lines for each table, taken at one moment while work goes on. It is restored
only into an empty database, and only if all its lines are there.
"""

import base64
import csv
import json
import re
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import Connection

from arpad.lists.published import StoredPlayer
from arpad.lists.table import rows_of
from arpad.model.errors import BadInput, Unreadable
from arpad.office.declared import Reading, WrittenFile, WrittenFolder, query
from arpad.office.editions.rows import TITLES, adopted
from arpad.office.lists.block_rows import read_table
from arpad.office.lists.rows import ever_published
from arpad.office.office import Clock, Office, migrate_within, wall_clock
from arpad.office.users import ADMINISTRATOR
from arpad.publishing.bundle import ARCHIVE_ERRORS
from arpad.store import tables
from arpad.store.database import SchemaVersion, has_tables, new_store, refuse_other_schema, schema_version
from arpad.store.declared_tables import exported_tables
from arpad.store.fingerprint import upgrade
from arpad.store.tables import StoredTable
from arpad.store.written_rows import collect_rows, end_collecting
from arpad.system.atomic_files import atomic_folder, atomic_write
from arpad.system.batches import batches
from arpad.system.spreadsheet_cells import escape

SCHEMA = "arpad.backup/1"
_MANIFEST = "manifest.json"


@dataclass(frozen=True, slots=True)
class WrittenBackup:
    """A backup that was written, and the rows of each table in it."""

    file: str
    rows: Mapping[str, int]
    total: int


@dataclass(frozen=True, slots=True)
class WrittenExport:
    """Files that were written into a folder, and the rows of each table in them."""

    folder: str
    rows: Mapping[str, int]
    total: int


# --------------------------------------------------------------------------------------------- backup, restore


@query("backup", ADMINISTRATOR, says="office.written-file")
def write_backup(reading: Reading, file: WrittenFile) -> WrittenBackup:
    """Write everything into one file, while work goes on.

    It writes on this computer, so that programs have no route for it.
    """
    rows = backup(reading.office, file)
    return WrittenBackup(str(file), rows, sum(rows.values()))


def backup(office: Office, path: Path) -> dict[str, int]:
    """Write everything into one file, as it is at one moment; return the number of rows of each table."""
    counts: dict[str, int] = {}
    digests: dict[str, str] = {}
    with (
        atomic_write(path, private=True) as stream,
        office.store.reading() as connection,
        zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive,
    ):
        for table, rows in tables.whole_tables(connection):
            counts[table], digests[table] = _write_table(table, rows, archive)
        version = schema_version(connection)
        manifest = {
            "schema": SCHEMA, "revision": version.revision, "fingerprint": version.fingerprint,
            "rows": counts, "sha256": digests,
        }  # fmt: skip
        archive.writestr(_MANIFEST, json.dumps(manifest, sort_keys=True))
    return counts


def _write_table(table: str, rows: Iterable[dict[str, Any]], archive: zipfile.ZipFile) -> tuple[int, str]:
    digest, count = sha256(), 0
    with archive.open(f"{table}.jsonl", "w", force_zip64=True) as member:
        for row in rows:
            plain = {name: _packed(value) for name, value in row.items()}
            line = (json.dumps(plain, ensure_ascii=False, sort_keys=True) + "\n").encode()
            member.write(line)
            digest.update(line)
            count += 1
    return count, digest.hexdigest()


def _packed(value: Any) -> Any:
    return base64.b64encode(bytes(value)).decode() if isinstance(value, bytes | memoryview) else value


def restore(
    path: Path, database: str, *, now: Clock = wall_clock, author: str = "office", migrating: bool = True
) -> dict[str, int]:
    """Create the office of a backup in an empty database; return the number of rows of each table.

    An older backup is migrated, which is an act of its own; without ``migrating`` its schema stays as it was.
    """
    with _open_archive(path) as archive:
        counts, digests, version = _manifest(archive, path)
        refuse_other_schema(str(path), version, to_migrate=True)
        with new_store(database) as store, store.writing() as connection:
            if has_tables(connection):
                raise BadInput("office-exists", place=store.address)
            end_collecting(connection)  # the rows come with their acts
            upgrade(connection, version.revision)
            for table in tables.stored_tables(connection):
                _read_table(
                    connection, table, archive, counts.get(table.name, 0), digests.get(table.name), path
                )
            if migrating:
                with collect_rows(connection):
                    migrate_within(connection, now, author)
        store.engine.dispose()
    return counts


def _open_archive(path: Path) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(path)
    except FileNotFoundError as error:
        raise Unreadable("file-not-opened", path=str(path), reason=error.strerror or str(error)) from error
    except ARCHIVE_ERRORS as error:
        raise Unreadable("backup-unreadable", path=str(path)) from error


def _manifest(archive: zipfile.ZipFile, path: Path) -> tuple[dict[str, int], dict[str, str], SchemaVersion]:
    """Return the number of rows of each table, the digest of each, and their schema."""
    try:
        manifest = json.loads(archive.read(_MANIFEST))
        if manifest["schema"] != SCHEMA:
            raise Unreadable("backup-unreadable", path=str(path))
        version = SchemaVersion(str(manifest["revision"]), str(manifest.get("fingerprint", "")))
        return dict(manifest["rows"]), dict(manifest["sha256"]), version
    except ARCHIVE_ERRORS as error:
        raise Unreadable("backup-unreadable", path=str(path)) from error


def _read_table(
    connection: Connection,
    table: StoredTable,
    archive: zipfile.ZipFile,
    expected: int,
    digest: str | None,
    path: Path,
) -> None:
    computed, count = sha256(), 0
    for batch in batches(_lines(archive, table.name, path), 1000):
        for line in batch:
            computed.update(line)
        count += len(batch)
        try:
            rows = [_unpacked(line, table.binary, table.others) for line in batch]
        except ARCHIVE_ERRORS as error:
            raise Unreadable("backup-damaged", path=str(path), table=table.name) from error
        table.add(connection, rows)
    if count != expected or computed.hexdigest() != digest:
        raise Unreadable("backup-damaged", path=str(path), table=table.name)


def _lines(archive: zipfile.ZipFile, table: str, path: Path) -> Iterator[bytes]:
    try:
        with archive.open(f"{table}.jsonl") as member:
            yield from member
    except ARCHIVE_ERRORS as error:
        raise Unreadable("backup-damaged", path=str(path), table=table) from error


def _unpacked(line: bytes, binary: Sequence[str], others: Sequence[str]) -> dict[str, Any]:
    row: dict[str, Any] = json.loads(line)
    if len(row) != len(binary) + len(others):
        raise ValueError(sorted(row))
    return {name: row[name] for name in others} | {name: base64.b64decode(row[name]) for name in binary}


# ----------------------------------------------------------------------------------------------------- export


@query("export", ADMINISTRATOR, says="office.written-folder")
def write_export(reading: Reading, folder: WrittenFolder) -> WrittenExport:
    """Write everything as CSV, and the reports as received.

    It writes on this computer, so that programs have no route for it.
    """
    rows = export(reading.office, folder)
    return WrittenExport(str(folder), rows, sum(rows.values()))


def export(office: Office, folder: Path) -> dict[str, int]:
    """Write everything in open formats: a CSV for each table, reports and own editions as the files they came in."""
    counts: dict[str, int] = {}
    with atomic_folder(folder, private=True) as growing, office.store.reading() as connection:
        (growing / "reports").mkdir()
        for table in exported_tables():
            columns = tables.columns(table, binary=False)
            rows = (row.values() for row in tables.rows(connection, table, columns))
            counts[table] = _write_csv(columns, rows, growing / f"{table}.csv")
        columns = ("report", "place", "player", "act")
        counts["entrants"] = _write_csv(columns, _entrants(connection), growing / "entrants.csv")
        columns = ("publication", *StoredPlayer._fields)
        counts["standings"] = _write_csv(columns, _standings(connection), growing / "standings.csv")
        for row in tables.rows(connection, "reports", ("id", "file", "data")):
            path = growing / "reports" / f"{row['id']}-{_safe_name(row['file'])}"
            path.write_bytes(bytes(row["data"]))
        for adoption in (*adopted(connection), *adopted(connection, about=TITLES)):
            (growing / f"{adoption.edition}.toml").write_text(adoption.text, encoding="utf-8")
    return counts


def _entrants(connection: Connection) -> Iterator[tuple[int, int, int, int]]:
    """Yield the entrants of all accepted reports, each with its place, its player and the act."""
    for row in tables.rows(connection, "entrants", ("report", "players", "act")):
        for place, player in enumerate(json.loads(row["players"])):
            yield row["report"], place, player, row["act"]


def _standings(connection: Connection) -> Iterator[tuple[Any, ...]]:
    """Yield the players of all lists, each with the number of the publication."""
    for publication in ever_published(connection):
        for row in rows_of(read_table(connection, publication.id)):
            yield (publication.id, *row)


def _write_csv(columns: Sequence[str], rows: Iterable[Iterable[Any]], path: Path) -> int:
    count = 0
    with path.open("w", encoding="utf-8", newline="") as stream:
        out = csv.writer(stream, lineterminator="\r\n")  # so that a line end inside a cell is quoted
        out.writerow(columns)
        for row in rows:
            out.writerow([_cell(value) for value in row])
            count += 1
    return count


def _cell(value: Any) -> Any:
    """Return a value as a spreadsheet may have it: numbers stay numbers, no text becomes a formula."""
    return escape(value) if isinstance(value, str) else "" if value is None else value


def _safe_name(name: str) -> str:
    """Return the name of a report's file with letters, digits and ``._-`` only."""
    safe = "".join(letter if letter.isalnum() or letter in "._-" else "-" for letter in Path(name).name)
    return safe.lstrip(".")[:50] or "report"


KEEP = "ARPAD_BACKUPS_KEEP"
"""The environment variable with the numbers of backups to keep, as ``7,5,12``."""


class Kept(NamedTuple):
    """How many backups are kept: the last of so many days, weeks and months."""

    daily: int = 7
    weekly: int = 5
    monthly: int = 12


def parse_kept(text: str) -> Kept:
    """Return the numbers of a text such as ``7,5,12``; the default if it is empty."""
    if not text:
        return Kept()
    if not re.fullmatch(r"\d{1,4},\d{1,4},\d{1,4}", text) or not any(map(int, text.split(","))):
        raise BadInput("bad-form", option="keep", value=text[:40], accepted="7,5,12")
    return Kept(*map(int, text.split(",")))


WEEK = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


def parse_day_of_week(text: str) -> int:
    """Return the number of a day of the week, Monday is 0."""
    if text.strip().lower() not in WEEK:
        raise BadInput("rehearsal-day", value=text[:20])
    return WEEK.index(text.strip().lower())


def days_kept(days: Iterable[date], kept: Kept) -> set[date]:
    """Return the days whose backups are kept: the last of each of the latest days, weeks and months that have one."""
    newest_first = sorted(days, reverse=True)
    chosen: set[date] = set()
    periods = ((kept.daily, date.toordinal), (kept.weekly, _week), (kept.monthly, _month))
    for most, period_of in periods:
        last_of_period: dict[object, date] = {}
        for day in newest_first:
            last_of_period.setdefault(period_of(day), day)
        chosen |= set(list(last_of_period.values())[:most])
    return chosen


def _week(day: date) -> tuple[int, int]:
    return day.isocalendar()[:2]


def _month(day: date) -> tuple[int, int]:
    return day.year, day.month


def newest_backup(folder: str) -> date | None:
    """Return the day of the newest nightly backup in a folder; None without a folder or a backup."""
    names = (path.stem.removeprefix("arpad-") for path in Path(folder).glob("arpad-*.zip")) if folder else ()
    return max((date.fromisoformat(name) for name in names if _DAY.fullmatch(name)), default=None)


_DAY = re.compile(r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d)")
