"""Whatever stands in a cell, verifying ends soon, names that cell, and fails over nothing of its own."""

import shutil
import signal
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from sqlalchemy import Column, Integer, LargeBinary

from arpad.model.errors import Unreadable
from arpad.model.rules import Alteration
from arpad.publishing.verification import Verification
from arpad.store.declared_tables import META, all_tables, kept_tables, rows_of
from arpad.store.fingerprint import stored_schema
from tests.builders.forgeries import force
from tests.builders.office_fixtures import DEEP_ON_POSTGRESQL
from tests.builders.offices import Clock, Desk
from tests.builders.verbs import open_office, verify
from tests.builders.whole_office import fill_lists, fill_register
from tests.commands import run
from tests.thinning import one_in

SECONDS = 60


def one_value(column: Column[Any]) -> tuple[Any, ...]:
    """Return one kind of damage, another one for the next column.

    A number in a text column is a text to SQLite, like ``odd``.
    """
    kinds = (None, "odd", 2**62) if isinstance(column.type, Integer) else (None, "odd", b"\x00\xff")
    return (kinds[list(column.table.columns).index(column) % len(kinds)],)


MANY_VALUES: tuple[Any, ...] = (
    None, "odd", 2**62, b"\x00\xff",
    "", -1, 0, 1.5, "{", "[" * 50_000, "null", "[1]", "9999-99-99", "9999-12-31", "x" * 100_000, "\0",
    '{"rating":"high"}', '{"k":{}}',
)  # fmt: skip


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An office with a row in every kept table, whose database holds no rules any more: no NOT NULL, no triggers."""
    folder = tmp_path_factory.mktemp("whole")
    desk = Desk.made(str(folder / "office.db"), folder, Clock())
    fill_register(desk)
    fill_lists(desk)
    assert verify(desk.office).intact
    desk.office.close()
    without_rules(desk.place)
    return Path(desk.place)


@pytest.fixture(autouse=True)
def any_schema(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the verification go on although the tables have no rules: it would refuse them at once."""
    monkeypatch.setattr("arpad.office.verify.acts.refuse_other_tables", lambda _, found: stored_schema(found))


def without_rules(place: str) -> None:
    """Take its rules from a database in which every kept table has rows."""
    with closing(sqlite3.connect(place)) as database:
        empty = [t for t in kept_tables() if not database.execute(f"SELECT count(*) FROM {t}").fetchone()[0]]  # noqa: S608
        assert empty == []
        database.execute("PRAGMA journal_mode = DELETE")
        database.execute("PRAGMA writable_schema = ON")
        database.execute("UPDATE sqlite_master SET sql = replace(sql, 'NOT NULL', '') WHERE type = 'table'")
        database.commit()


@contextmanager
def bounded(about: object) -> Iterator[None]:
    """Fail where something takes too long."""

    def late(_signal: int, _frame: FrameType | None) -> None:
        raise AssertionError(f"verifying does not end: {about}")

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def damaged(place: Path, table: str, column: str, value: Any, row: int) -> bool:
    """Put a value into one cell, past every rule of the database; whether it can be put there."""
    with closing(sqlite3.connect(place)) as database:
        database.execute("PRAGMA foreign_keys = OFF")
        database.execute("PRAGMA synchronous = OFF")
        for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            if name.startswith(f"keep_{table}_"):
                database.execute(f"DROP TRIGGER {name}")
        keys = [one.name for one in META.tables[table].primary_key.columns]
        order = ", ".join(keys)
        query = f"SELECT {order} FROM {table} ORDER BY {order} LIMIT 1 OFFSET {row}"  # noqa: S608
        key = database.execute(query).fetchone()
        if key is None:
            return False
        where = " AND ".join(f"{name} = ?" for name in keys)
        try:
            database.execute(f"UPDATE {table} SET {column} = ? WHERE {where}", (value, *key))  # noqa: S608
        except sqlite3.IntegrityError:
            return False
        database.commit()
    return True


def must_be_found(column: Column[Any], value: Any) -> bool:
    """Whether a value is none that the column could hold."""
    if value is None:
        return not column.nullable
    kind: type = (
        int if isinstance(column.type, Integer) else bytes if isinstance(column.type, LargeBinary) else str
    )
    if isinstance(value, bytes) and kind is str:
        return True
    if not isinstance(value, kind):
        return not (kind is str and isinstance(value, int | float))  # SQLite makes a text of a number
    form = rows_of(column.table.name).forms.get(column.name)
    if form is not None:
        try:
            form(value)
        except Exception:  # noqa: BLE001  whatever it is, it is found
            return True
    return bool(column.foreign_keys) and value == 2**62


def looked_at(place: Path) -> Verification | None:
    """What verifying says; nothing where the database cannot be read."""
    try:
        office = open_office(str(place))
    except Unreadable:
        return None
    try:
        return verify(office)
    except Unreadable:
        return None
    finally:
        office.close()


def try_all(
    whole: Path, folder: Path, table: str, values: Callable[[Column[Any]], tuple[Any, ...]], rows: int = 1
) -> None:
    place = folder / "damaged.db"
    for column in META.tables[table].columns:
        for value in values(column):
            for row in range(rows):
                about = (table, column.name, str(value)[:30], row)
                shutil.copy(whole, place)
                if not damaged(place, table, column.name, value, row):
                    continue
                with bounded(about):
                    found = looked_at(place)
                if found is None:
                    continue
                if must_be_found(column, value):
                    assert not found.intact, about
                for one in found.altered:
                    blames_nobody_else(one, table, column.name)


OF_TABLES = {
    "list-row": ("list_blocks",), "list-block": ("list_blocks",), "list-digest": ("list_blocks", "publications"),
    "standings-digest": ("list_blocks", "publications"), "list-ledger": ("publications",),
    "report-bytes": ("reports",), "ledger-row": ("ledger",), "taken-back": ("taken_back", "publications"),
}  # fmt: skip
"""What each sentence says was altered."""


def blames_nobody_else(one: Alteration, table: str, column: str) -> None:
    if one.code == "row-damaged":
        assert one.facts["table"] == table
        # a row with another number no longer comes after the one it names
        renumbered = column == "id" and one.facts["column"] in rows_of(table).earlier
        assert renumbered or one.facts["column"] == column, one
    elif one.code == "row-missing":
        assert table in (one.facts["table"], one.facts["by"]), (column, one)
    else:
        assert table in OF_TABLES.get(one.code, (table,)), (column, one)


@pytest.mark.parametrize("table", one_in(12, kept_tables()))
def test_a_damaged_cell_is_named_and_nothing_fails(whole: Path, tmp_path: Path, table: str) -> None:
    try_all(whole, tmp_path, table, one_value)


@pytest.mark.deep
@pytest.mark.parametrize("table", kept_tables())
def test_many_damaged_cells(whole: Path, tmp_path: Path, table: str) -> None:
    try_all(whole, tmp_path, table, lambda _: MANY_VALUES, rows=2)


def test_every_form_is_of_a_column_that_exists() -> None:
    for table in all_tables():
        rows = rows_of(table)
        named = {*rows.forms, *rows.earlier, *rows.erased, *rows.uncovered}
        assert named <= set(META.tables[table].columns.keys())


# ------------------------------------------------------------------------------------------------------- circles


@DEEP_ON_POSTGRESQL
@pytest.mark.parametrize(
    ("statement", "code"),
    [
        ("INSERT INTO merges (id, kept, dropped, act) VALUES (1, 1, 2, 1), (2, 2, 1, 1)", "merge-circle"),
        ("INSERT INTO merges (id, kept, dropped, act) VALUES (1, 1, 1, 1)", "merge-circle"),
        ("UPDATE publications SET base = id WHERE id = 2", "row-damaged"),
        ("UPDATE publications SET corrects = 2 WHERE id = 1", "row-damaged"),
        ("UPDATE reports SET replaces = id", "row-damaged"),
    ],
)
def test_rows_that_refer_to_each_other_in_a_circle_are_named(out: Desk, statement: str, code: str) -> None:
    force(out, statement)
    with bounded(statement):
        assert {one.code for one in verify(out.office).altered} == {code}


def test_a_missing_row_is_named_and_not_those_that_refer_to_it(out: Desk) -> None:
    if out.place.startswith("postgresql"):
        force(out, "DELETE FROM players WHERE id = 1")
    else:
        out.office.close()
        with closing(sqlite3.connect(out.place)) as database:
            database.execute("DROP TRIGGER keep_players_DELETE")
            database.execute("DELETE FROM players WHERE id = 1")
            database.commit()
    gone = {(one.code, one.facts["table"], one.facts["row"]) for one in verify(out.office).altered}
    assert gone == {("row-missing", "players", "1")}


def test_the_command_names_the_cell_in_both_languages(
    whole: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = tmp_path / "damaged.db"
    shutil.copy(whole, place)
    damaged(place, "publications", "day", "9999-99-99", 1)
    for language, words in (("en", "row 2: column day"), ("it", "riga 2: la colonna day")):
        status, said, err = run(capsys, "office", "verify", "--db", str(place), "--lang", language)
        assert (status, err) == (1, "")
        assert words in said
