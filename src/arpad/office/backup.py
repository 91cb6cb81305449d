"""Care of the data: one portable file for both databases, and everything in open formats.

A backup is a ZIP with one file of JSON lines for each table, taken at one moment while work goes on. It is restored
only into an empty database, and only if every line of it is there.
"""

from __future__ import annotations

import base64
import csv
import io
import json
import zipfile
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, LargeBinary, MetaData, Table, insert, select

from arpad.model.errors import BadInput, Unreadable
from arpad.office.office import Office
from arpad.publishing.bundle import ARCHIVE_ERRORS
from arpad.store import ledger as ledger_rows
from arpad.store.database import has_tables, new_store, revisions, schema_revision
from arpad.store.editions import adopted
from arpad.store.ledger import Act
from arpad.store.schema import DERIVED, reports
from arpad.system.atomic_files import atomic_folder, atomic_write
from arpad.system.batches import batches
from arpad.system.spreadsheet_cells import escape

SCHEMA = "arpad.backup/1"
_MANIFEST = "manifest.json"
_VERSION_TABLE = "alembic_version"


def ledger(office: Office, since: int = 1) -> list[Act]:
    """Every act, in order."""
    with office.store.reading() as connection:
        return list(ledger_rows.acts(connection, since))


# --------------------------------------------------------------------------------------------- backup, restore


def backup(office: Office, path: Path) -> dict[str, int]:
    """Write everything into one file, at one moment; gives the rows of each table."""
    counted: dict[str, int] = {}
    digests: dict[str, str] = {}
    with (
        atomic_write(path, private=True) as stream,
        office.store.reading() as connection,
        zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive,
    ):
        for table in _tables(connection):
            counted[table.name], digests[table.name] = _put_table(connection, table, archive)
        manifest = {
            "schema": SCHEMA, "revision": schema_revision(connection), "rows": counted, "sha256": digests,
        }  # fmt: skip
        archive.writestr(_MANIFEST, json.dumps(manifest, sort_keys=True))
    return counted


def _tables(connection: Connection) -> list[Table]:
    """Every table of the database, those of the accounts too, in an order that its keys allow."""
    found = MetaData()
    found.reflect(connection)
    return [table for table in found.sorted_tables if table.name != _VERSION_TABLE]


def _put_table(connection: Connection, table: Table, archive: zipfile.ZipFile) -> tuple[int, str]:
    digest, count = sha256(), 0
    with archive.open(f"{table.name}.jsonl", "w", force_zip64=True) as member:
        query = select(table).order_by(*table.primary_key.columns)
        for row in connection.execute(query, execution_options={"yield_per": 1000}).mappings():
            plain = {name: _packed(value) for name, value in row.items()}
            line = (json.dumps(plain, ensure_ascii=False, sort_keys=True) + "\n").encode()
            member.write(line)
            digest.update(line)
            count += 1
    return count, digest.hexdigest()


def _packed(value: Any) -> Any:
    return base64.b64encode(bytes(value)).decode() if isinstance(value, bytes | memoryview) else value


def restore(path: Path, place: str) -> dict[str, int]:
    """Make the office of a backup in an empty database; gives the rows of each table."""
    from arpad.store.migrate import upgrade

    with _opened(path) as archive:
        rows, digests, revision = _manifest(archive, path)
        if revision not in revisions():
            raise Unreadable("database-newer", place=str(path), found=str(revision), known=revisions()[-1])
        with new_store(place) as store, store.writing() as connection:
            if has_tables(connection):
                raise BadInput("office-exists", place=store.place)
            upgrade(connection, revision)
            for table in _tables(connection):
                _take_table(
                    connection, table, archive, rows.get(table.name, 0), digests.get(table.name), path
                )
            upgrade(connection)
        store.engine.dispose()
    return rows


def _opened(path: Path) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(path)
    except ARCHIVE_ERRORS as error:
        raise Unreadable("backup-unreadable", path=str(path)) from error


def _manifest(archive: zipfile.ZipFile, path: Path) -> tuple[dict[str, int], dict[str, str], str]:
    """The rows of each table, the digest of each, and the schema they were in."""
    try:
        manifest = json.loads(archive.read(_MANIFEST))
        if manifest["schema"] != SCHEMA:
            raise Unreadable("backup-unreadable", path=str(path))
        return dict(manifest["rows"]), dict(manifest["sha256"]), manifest["revision"]
    except ARCHIVE_ERRORS as error:
        raise Unreadable("backup-unreadable", path=str(path)) from error


def _take_table(
    connection: Connection, table: Table, archive: zipfile.ZipFile, rows: int, digest: str | None, path: Path
) -> None:
    if digest is None:
        return
    found = sha256()
    count = 0
    for batch in batches(_lines(archive, table.name, path), 1000):
        for line in batch:
            found.update(line)
        count += len(batch)
        try:
            unpacked = [_unpacked(table, line) for line in batch]
        except ARCHIVE_ERRORS as error:
            raise Unreadable("backup-damaged", path=str(path), table=table.name) from error
        connection.execute(insert(table), unpacked)
    if count != rows or found.hexdigest() != digest:
        raise Unreadable("backup-damaged", path=str(path), table=table.name)


def _lines(archive: zipfile.ZipFile, name: str, path: Path) -> Iterator[bytes]:
    try:
        with archive.open(f"{name}.jsonl") as member:
            yield from member
    except ARCHIVE_ERRORS as error:
        raise Unreadable("backup-damaged", path=str(path), table=name) from error


def _unpacked(table: Table, line: bytes) -> dict[str, Any]:
    row: dict[str, Any] = json.loads(line)
    for column in table.columns:
        if isinstance(column.type, LargeBinary) and row[column.name] is not None:
            row[column.name] = base64.b64decode(row[column.name])
    return row


# ----------------------------------------------------------------------------------------------------- export


def export(office: Office, folder: Path) -> dict[str, int]:
    """Everything in open formats: a CSV for each table, reports and own editions as the files they came in."""
    counted: dict[str, int] = {}
    with atomic_folder(folder, private=True) as growing, office.store.reading() as connection:
        (growing / "reports").mkdir()
        for table in _tables(connection):
            if table.name in _PRIVATE:
                continue
            with (growing / f"{table.name}.csv").open("w", encoding="utf-8", newline="") as stream:
                counted[table.name] = _put_csv(connection, table, stream)
        query = select(reports.c.id, reports.c.file, reports.c.data).order_by(reports.c.id)
        for number, file, data in connection.execute(query, execution_options={"yield_per": 100}):
            (growing / "reports" / f"{number}-{_plain(file)}").write_bytes(bytes(data))
        for one in adopted(connection):
            (growing / f"{one.edition}.toml").write_text(one.text, encoding="utf-8")
    return counted


_PRIVATE = DERIVED | {
    "users",
    "sessions",
    "tokens",
    "failures",
    "counters",
    "recovery_codes",
    "grants",
    "watched",
}
"""What nobody else should read, and what is made anew from the rest."""


def _put_csv(connection: Connection, table: Table, stream: io.TextIOBase) -> int:
    columns = [column for column in table.columns if not isinstance(column.type, LargeBinary)]
    out = csv.writer(stream, lineterminator="\r\n")  # so that a line end inside a cell is quoted
    out.writerow([column.name for column in columns])
    count = 0
    query = select(*columns).order_by(*table.primary_key.columns)
    for row in connection.execute(query, execution_options={"yield_per": 1000}):
        out.writerow([_cell(value) for value in row])
        count += 1
    return count


def _cell(value: Any) -> Any:
    """Return a value as a spreadsheet may have it: numbers stay numbers, no text becomes a formula."""
    return escape(value) if isinstance(value, str) else "" if value is None else value


def _plain(name: str) -> str:
    kept = "".join(letter if letter.isalnum() or letter in "._-" else "-" for letter in Path(name).name)
    return kept.lstrip(".")[:50] or "report"
