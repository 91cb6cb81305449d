"""A migration adds a column to a kept table: rows of before stay proved, and what the column has is computed again."""

from collections.abc import Iterator
from datetime import date

import pytest
from sqlalchemy import Column, Text

from arpad.office.registrations.acts import register_event
from arpad.store import declared_tables, proved_rows, written_rows
from arpad.store.declared_tables import META, AddedColumns
from arpad.store.fingerprint import stored_schema
from arpad.store.ledger import append
from arpad.store.triggers import allow_changes
from tests.builders.offices import Desk, listed
from tests.builders.verbs import register_player, verify

JAN = date(2018, 1, 1)


@pytest.fixture
def migrated(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    """An office whose table of players got the initial of the name, by a migration that never was."""
    desk.list(JAN, listed(1, 2000), listed(2, 1900))
    register_event(desk.office, "Open", federation="ITA", first_day=JAN, last_day=JAN)
    column: Column[str] = Column("initial", Text, nullable=True)
    initial = AddedColumns("0002", "players", {"initial": lambda row: row["federation"][:1]})
    table = META.tables["players"]
    with desk.office.store.writing() as connection:
        connection.exec_driver_sql("ALTER TABLE players ADD COLUMN initial text")
        with allow_changes(connection, ["players"]):
            connection.exec_driver_sql("UPDATE players SET initial = substr(federation, 1, 1)")
        append(connection, "2030-01-01T00:00:00Z", "A", "migrate", {"from": "0001", "to": "0002"}, "")
    monkeypatch.setattr(proved_rows, "ADDED_COLUMNS", [initial])
    monkeypatch.setattr(
        "arpad.office.verify.acts.refuse_other_tables", lambda _, connection: stored_schema(connection)
    )  # no fingerprint has the column
    table.append_column(column)
    forget()
    yield desk
    table._columns.remove(column)
    forget()


def forget() -> None:
    """Forget the columns that were read from the schema."""
    for known in (
        written_rows.proved_columns, written_rows.proved_query, written_rows._values_of, declared_tables._all_names,
    ):  # fmt: skip
        known.cache_clear()


def codes(desk: Desk) -> set[tuple[str, str]]:
    result = verify(desk.office, recompute=False)
    return {(item.code, str(item.facts.get("table"))) for item in result.altered}


def test_rows_of_before_are_proved_by_their_acts(migrated: Desk) -> None:
    assert codes(migrated) == set()


@pytest.mark.parametrize(
    "change", ["initial = 'X'", "initial = NULL", "federation = 'FRA'", "name = 'Other'"]
)
def test_a_changed_column_new_or_old_is_named(migrated: Desk, change: str) -> None:
    with migrated.office.store.writing() as connection, allow_changes(connection, ["players"]):
        connection.exec_driver_sql(f"UPDATE players SET {change} WHERE id = 1")  # noqa: S608
    assert codes(migrated) == {("row-changed", "players")}


def test_an_act_of_migration_that_never_was_is_no_excuse(migrated: Desk) -> None:
    """Rows that were written with the new column do not become rows of before."""
    register_player(migrated.office, name="Rossi, Mario", federation="ITA")
    assert codes(migrated) == set()
    with migrated.office.store.writing() as connection:
        append(connection, "2031-01-01T00:00:00Z", "A", "migrate", {"from": "0001", "to": "0002"}, "")
    assert ("row-changed", "players") in codes(migrated)
