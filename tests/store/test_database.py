"""Databases that are not what they should be, errors of the database, and its schema."""

import sqlite3
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import event as sql_event
from sqlalchemy import select, text

from arpad.model.errors import BadInput, Unreadable
from arpad.office.reports import rows as reports
from arpad.store import bulk as many
from arpad.store.database import _prepare_sqlite, open_store
from arpad.store.declared_tables import kept_tables, whole_schema
from arpad.store.fingerprint import known_fingerprints, upgrade
from arpad.store.schema import settings
from arpad.store.triggers import append_only_tables
from tests.builders.chess import event
from tests.builders.offices import Clock, Desk, listed
from tests.builders.verbs import init, ledger, migrate, open_office, verify


def test_the_migration_creates_the_schema(place: str) -> None:
    store = open_store(place, create=True)
    with store.writing() as connection:
        upgrade(connection)
        assert compare_metadata(MigrationContext.configure(connection), whole_schema()) == []
        assert set(kept_tables()) == append_only_tables(connection)
    store.engine.dispose()


def test_an_office_of_the_present_schema_needs_no_migration(sqlite_desk: Desk) -> None:
    before = ledger(sqlite_desk.office)

    newest = max(known_fingerprints())
    assert migrate(sqlite_desk.place, now=Clock(), author="A") == (newest, newest)

    assert ledger(sqlite_desk.office) == before


def test_a_database_of_a_newer_version_is_refused(out: Desk) -> None:
    with out.office.store.writing() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    out.office.close()

    with pytest.raises(Unreadable, match="database-newer"):
        open_office(out.place)


def test_there_is_no_office_in_an_empty_or_missing_database(place: str) -> None:
    with pytest.raises(BadInput, match="no-office"):
        open_office(place)


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_bytes(b"Dear sir, " * 1000)

    with pytest.raises(Unreadable, match="not-a-database"):
        open_office(str(path))


def test_a_database_with_a_damaged_schema_is_refused(tmp_path: Path) -> None:
    """The message of SQLite names the damaged table, and is then no text."""
    path = tmp_path / "office.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE players (id)")
    path.write_bytes(path.read_bytes().replace(b"TABLE players", b"TAB\xeeE players"))
    with pytest.raises(Unreadable, match="not-a-database"):
        open_store(str(path))


@pytest.mark.parametrize("place", ["mysql://somewhere/office", "ftp://x"])
def test_an_address_of_no_database_is_refused(place: str) -> None:
    with pytest.raises(BadInput, match="database-url"):
        open_office(place)


def test_a_password_is_never_shown() -> None:
    with pytest.raises(BadInput) as refused:
        open_office("postgresql://arpad:secret@127.0.0.1:1/office")
    assert "secret" not in str(refused.value)


def test_an_office_is_made_only_once(place: str) -> None:
    init(place, author="A").close()
    with pytest.raises(BadInput, match="office-exists"):
        init(place, author="A")


def test_a_full_disk_leaves_the_office_as_it_was(sqlite_desk: Desk) -> None:
    desk = sqlite_desk
    desk.list(date(2018, 1, 1), listed(1, 2000), listed(2, 1900))
    desk.on(date(2018, 1, 11))
    acts = ledger(desk.office)
    with desk.office.store.engine.connect() as connection:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar()
        # the pool hands the same connection to the next one
        connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")
    report = event("Match", "\n".join(f"{n} 0 | .Z" for n in range(1, 400)), date(2018, 1, 10))

    with pytest.raises(Unreadable, match="disk-full"):
        desk.send(report)

    desk.office.close()
    assert ledger(desk.office) == acts
    assert verify(desk.office).intact


def test_an_error_of_the_driver_is_one_sentence(desk: Desk) -> None:
    """Many rows at once go past the layer that would wrap it: entered on PostgreSQL, fetched on SQLite."""
    store = desk.office.store
    with pytest.raises(Unreadable, match="database-failed"), store.writing() as connection:
        many.add_rows(connection, settings, ("name", "value", "act"), [("name", "once more", 1)])


def test_a_refused_row_takes_back_the_others_of_its_transaction(desk: Desk) -> None:
    store = desk.office.store
    rows = [("before", "a", 1), ("name", "once more", 1)]
    with pytest.raises(Unreadable, match="database-failed"), store.writing() as connection:
        many.add_rows(connection, settings, ("name", "value", "act"), rows)
    with store.reading() as connection:
        assert not many.fetch_rows(connection, select(settings.c.value).where(settings.c.name == "before"))


@pytest.mark.parametrize("written", ["per\udcf2", '[29,"","per\udcf2","rotate-key","{\\"secrets\\":1}"]'])
def test_a_text_that_cannot_be_written_is_named_without_its_row(sqlite_desk: Desk, written: str) -> None:
    with pytest.raises(BadInput) as refused, sqlite_desk.office.store.reading():
        written.encode()
    assert (refused.value.code, refused.value.facts) == ("text-not-unicode", {"value": "per\\udcf2"})


def test_a_query_that_fails_between_two_rows_is_one_sentence(sqlite_desk: Desk) -> None:
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


def test_any_number_of_reports_can_be_loaded(desk: Desk) -> None:
    """More than a statement takes parameters: 65,535 on PostgreSQL."""
    with desk.office.store.reading() as connection:
        assert reports.filed(connection, range(1, 70_000)) == {}


def test_a_transaction_on_sqlite_is_on_the_disk_before_it_ends() -> None:
    with closing(sqlite3.connect(":memory:")) as connection:
        _prepare_sqlite(connection, None)
        assert connection.execute("PRAGMA synchronous").fetchone() == (2,), "FULL"
