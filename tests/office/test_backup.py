"""Backup, restore, export, migration; and databases that are not what they should be."""

from __future__ import annotations

import csv
import json
import zipfile
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import event as sql_event
from sqlalchemy import text

from arpad import office as verbs
from arpad.model.errors import BadInput, Unreadable
from arpad.store import bulk as many
from arpad.store import reports
from arpad.store.database import open_store
from arpad.store.migrate import upgrade
from arpad.store.schema import ACCOUNTS, DERIVED, KEPT, META, settings
from arpad.store.triggers import append_only_tables
from tests.builders.office_fixtures import new_database
from tests.builders.offices import FEW, STANDARD, WIN, Clock, Desk, event, listed, trf

JAN, FEB, MAR = (date(2018, month, 1) for month in range(1, 4))


@pytest.fixture(params=["sqlite", "postgres"])
def other_place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    if request.param == "sqlite":
        yield str(tmp_path / "other.db")
    else:
        yield new_database(request.getfixturevalue("postgres_server"))


def test_a_backup_is_restored_into_either_database(out: Desk, other_place: str, tmp_path: Path) -> None:
    file = tmp_path / "office.backup"
    rows = verbs.backup(out.office, file)
    assert rows["reports"] == 1

    verbs.restore(file, other_place)

    other = verbs.open_office(other_place, now=out.clock, author="T. Officer")
    try:
        assert verbs.verify(other).intact
        assert verbs.ledger(other) == verbs.ledger(out.office)
        folder = tmp_path / "again"
        verbs.publish(other, STANDARD, FEB, folder, kinds=FEW)
        for path in (out.folder / "lists").iterdir():
            assert (folder / path.name).read_bytes() == path.read_bytes(), path.name
        verbs.publish(other, STANDARD, MAR, folder, kinds=FEW)
    finally:
        other.close()


def test_a_backup_is_restored_only_into_an_empty_database(out: Desk, tmp_path: Path) -> None:
    file = tmp_path / "office.backup"
    verbs.backup(out.office, file)

    with pytest.raises(BadInput, match="office-exists"):
        verbs.restore(file, out.place)


@pytest.mark.parametrize("share", [0, 30, 90])
def test_a_damaged_backup_restores_nothing(sqlite_desk: Desk, tmp_path: Path, share: int) -> None:
    file = tmp_path / "office.backup"
    verbs.backup(sqlite_desk.office, file)
    file.write_bytes(file.read_bytes()[: file.stat().st_size * share // 100])

    with pytest.raises(Unreadable, match="backup-unreadable"):
        verbs.restore(file, str(tmp_path / "new.db"))

    assert not (tmp_path / "new.db").exists()


@pytest.mark.parametrize("wrong", [{"revision": "9999"}, {"schema": "arpad.backup/0"}, {"rows": None}])
def test_a_backup_that_is_refused_is_closed_again(
    sqlite_desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wrong: dict[str, object]
) -> None:
    file = tmp_path / "office.backup"
    verbs.backup(sqlite_desk.office, file)
    with zipfile.ZipFile(file) as archive:
        told = {name: archive.read(name) for name in archive.namelist()}
    told["manifest.json"] = json.dumps(json.loads(told["manifest.json"]) | wrong).encode()
    with zipfile.ZipFile(file, "w") as archive:
        for name, data in told.items():
            archive.writestr(name, data)
    opened: list[zipfile.ZipFile] = []

    class Watched(zipfile.ZipFile):
        def __init__(self, path: Path) -> None:
            super().__init__(path)
            opened.append(self)

    monkeypatch.setattr(zipfile, "ZipFile", Watched)

    with pytest.raises(Unreadable, match="database-newer" if "revision" in wrong else "backup-unreadable"):
        verbs.restore(file, str(tmp_path / "new.db"))

    assert [archive.fp for archive in opened] == [None]
    assert not (tmp_path / "new.db").exists()


def test_everything_is_exported_in_open_formats(out: Desk, tmp_path: Path) -> None:
    folder = tmp_path / "export"
    verbs.export(out.office, folder)

    with (folder / "players.csv").open(encoding="utf-8", newline="") as stream:
        assert [row["name"] for row in csv.DictReader(stream)] == ["Player 1", "Player 2"]
    assert (folder / "reports" / "1-match.trf").read_bytes() == trf(event("Match", WIN, date(2018, 1, 10)))
    with pytest.raises(BadInput, match="folder-not-empty"):
        verbs.export(out.office, folder)


# -------------------------------------------------------------------------------------------------- databases


def test_the_migration_creates_the_schema(place: str) -> None:
    store = open_store(place, create=True)
    with store.writing() as connection:
        upgrade(connection)
        assert compare_metadata(MigrationContext.configure(connection), META) == []
        assert set(KEPT) == append_only_tables(connection)
    store.engine.dispose()


def test_an_office_of_the_present_schema_needs_no_migration(sqlite_desk: Desk) -> None:
    before = verbs.ledger(sqlite_desk.office)

    assert verbs.migrate(sqlite_desk.place, now=Clock(), author="A") == ("0001", "0001")

    assert verbs.ledger(sqlite_desk.office) == before


def test_a_database_of_a_newer_version_is_refused(out: Desk) -> None:
    with out.office.store.writing() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    out.office.close()

    with pytest.raises(Unreadable, match="database-newer"):
        verbs.open_office(out.place)


def test_there_is_no_office_in_an_empty_or_missing_database(place: str) -> None:
    with pytest.raises(BadInput, match="no-office"):
        verbs.open_office(place)


def test_what_is_no_database_is_said_to_be_none(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_bytes(b"Dear sir, " * 1000)

    with pytest.raises(Unreadable, match="not-a-database"):
        verbs.open_office(str(path))


@pytest.mark.parametrize("place", ["mysql://somewhere/office", "ftp://x"])
def test_an_address_of_no_database_is_refused(place: str) -> None:
    with pytest.raises(BadInput, match="database-url"):
        verbs.open_office(place)


def test_a_password_is_never_shown() -> None:
    with pytest.raises(BadInput) as refused:
        verbs.open_office("postgresql://arpad:secret@127.0.0.1:1/office")
    assert "secret" not in str(refused.value)


def test_an_office_is_made_only_once(place: str) -> None:
    verbs.init(place, author="A").close()
    with pytest.raises(BadInput, match="office-exists"):
        verbs.init(place, author="A")


def test_a_full_disk_leaves_the_office_as_it_was(sqlite_desk: Desk) -> None:
    desk = sqlite_desk
    desk.list(JAN, listed(1, 2000), listed(2, 1900))
    desk.on(date(2018, 1, 11))
    acts = verbs.ledger(desk.office)
    with desk.office.store.engine.connect() as connection:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar()
        # the pool hands the same connection to the next one
        connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")
    report = event("Match", "\n".join(f"{n} 0 | .Z" for n in range(1, 400)), date(2018, 1, 10))

    with pytest.raises(Unreadable, match="disk-full"):
        desk.send(report)

    desk.office.close()
    assert verbs.ledger(desk.office) == acts
    assert verbs.verify(desk.office).intact


def test_what_the_driver_complains_of_by_itself_is_a_sentence_too(desk: Desk) -> None:
    """Many rows at once go past the layer that would wrap it: entered on PostgreSQL, fetched on SQLite."""
    store = desk.office.store
    with pytest.raises(Unreadable, match="database-failed"), store.writing() as connection:
        many.add_rows(connection, settings, ("name", "value", "act"), [("name", "once more", 1)])


def test_a_question_that_breaks_off_between_two_rows_is_a_sentence_too(sqlite_desk: Desk) -> None:
    endless: Any = text("WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n")
    store = sqlite_desk.office.store
    store.engine.dispose()
    sql_event.listen(
        store.engine, "connect", lambda driver, _record: driver.set_progress_handler(lambda: 1, 5000)
    )

    with pytest.raises(Unreadable, match="database-failed"), store.reading() as connection:
        many.fetch_rows(connection, endless)


@pytest.mark.parametrize(
    "table", ["players", "player_facts", "identifiers", "reports", "report_statuses", "entrants"]
)
def test_an_act_reads_no_long_table(sqlite_desk: Desk, table: str) -> None:
    """The ledger's row comes last; SQLite then asks each table that refers to it for rows of that act."""
    with sqlite_desk.office.store.reading() as connection:
        query = f"EXPLAIN QUERY PLAN SELECT 1 FROM {table} WHERE act = 7"  # noqa: S608  the names above
        plan = connection.exec_driver_sql(query).all()
    assert [f"ix_{table}_act" in step[3] for step in plan] == [True]


def test_an_export_tells_nothing_of_those_who_sign_in(desk: Desk, tmp_path: Path) -> None:
    exported = verbs.export(desk.office, tmp_path / "out")
    assert set(META.tables) - set(exported) == ACCOUNTS | DERIVED


def test_any_number_of_reports_is_asked_for_at_once(desk: Desk) -> None:
    """More than a statement takes parameters: 65,535 on PostgreSQL."""
    with desk.office.store.reading() as connection:
        assert reports.filed(connection, range(1, 70_000)) == {}
