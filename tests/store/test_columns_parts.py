"""The copy of the register in columns has its rows, and is used only as long as it is whole."""

from collections.abc import Mapping
from datetime import date
from typing import Any

import polars as pl
import pytest
from sqlalchemy import Connection, Select, text

from arpad.office.register import table_rows as register_table
from arpad.office.register.table_rows import add_register_parts, differing_register_parts, load_people_table
from arpad.store import columns
from arpad.store.columns import fetch_columns
from tests.builders.offices import Desk, listed
from tests.builders.verbs import erase_player, register_player, verify

JAN = date(2018, 1, 1)


@pytest.fixture
def copied(desk: Desk) -> Desk:
    """An office with a copy of two players, and one who came later."""
    desk.list(JAN, listed(1, 2000), listed(2, 1900))
    with desk.office.store.unlogged_writing() as connection:
        add_register_parts(connection, enough=1)
    register_player(desk.office, "New, Comer", federation="GER", identifiers={"fide": "777"})
    return desk


def names(desk: Desk) -> dict[int, str]:
    with desk.office.store.reading() as connection:
        people = load_people_table(connection, pl.Series([1, 2, 3]))
    return {number: person.name for number, person in people.items()}


def parts(connection: Connection) -> list[tuple[str, int]]:
    rows = connection.execute(text("SELECT name, part FROM column_parts ORDER BY name, part"))
    return [(name, part) for name, part in rows]


def test_rows_come_from_the_copy_and_later_ones_from_their_table(
    copied: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = []

    def fetch(
        connection: Connection, query: Select[Any], schema: Mapping[str, Any], values: Any = None
    ) -> pl.DataFrame:
        rows = fetch_columns(connection, query, schema, values)
        read.append(len(rows))
        return rows

    monkeypatch.setattr(columns, "fetch_columns", fetch)
    assert names(copied).keys() == {1, 2, 3}
    assert read == [1, 1], "one player and one identifier"


def test_only_what_is_new_is_added(copied: Desk) -> None:
    with copied.office.store.unlogged_writing() as connection:
        add_register_parts(connection, enough=3)
        assert parts(connection) == [("identifiers", 0), ("names", 0), ("players", 0)]
        add_register_parts(connection, enough=2)
        assert parts(connection) == [
            ("identifiers", 0), ("identifiers", 1), ("names", 0), ("names", 1), ("players", 0), ("players", 1),
        ]  # fmt: skip
        assert differing_register_parts(connection) == []
    assert names(copied)[3] == "New, Comer"


def test_a_long_table_has_several_parts(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(columns, "_ROWS", 2)
    desk.list(JAN, *(listed(number, 2000) for number in range(1, 6)))
    with desk.office.store.unlogged_writing() as connection:
        add_register_parts(connection, enough=1)
        assert len([part for name, part in parts(connection) if name == "players"]) == 3
        assert differing_register_parts(connection) == []
        assert len(load_people_table(connection, pl.Series(range(1, 6)))) == 5


def test_an_import_of_many_players_is_copied(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    def fetch(*_: Any) -> pl.DataFrame:
        raise AssertionError("the rows that were just added are read again")

    monkeypatch.setattr(register_table.add_register_parts, "__defaults__", (2, ()))
    monkeypatch.setattr(columns, "fetch_columns", fetch)
    desk.list(JAN, listed(1, 2011), listed(2, 1911))  # no other test begins with this list
    monkeypatch.undo()
    with desk.office.store.reading() as connection:
        assert ("players", 0) in parts(connection)
        assert differing_register_parts(connection) == []
    assert verify(desk.office).intact


@pytest.mark.parametrize(
    ("statement", "key"),
    [
        ("UPDATE column_parts SET digest = 'x' WHERE name = 'players'", "players, 0"),
        (
            "UPDATE column_parts SET data = (SELECT data FROM list_blocks LIMIT 1) WHERE name = 'players'",
            "players, 0",
        ),
        ("UPDATE column_parts SET part = 1 WHERE name = 'players'", "players, 1"),
        ("UPDATE column_parts SET act = act - 1 WHERE name = 'players'", "players, 0"),
        ("UPDATE column_parts SET digest = 'x' WHERE name = 'names'", "names, 0"),
        ("UPDATE column_parts SET name = 'others' WHERE name = 'names'", "others, 0"),
    ],
)
def test_an_altered_copy_is_not_used_and_is_named(copied: Desk, statement: str, key: str) -> None:
    before = names(copied)
    with copied.office.store.writing() as connection:
        connection.execute(text(statement))
    assert names(copied) == before
    (alteration,) = verify(copied.office).altered
    assert (alteration.facts["table"], alteration.facts["row"]) == ("column_parts", key)


def test_an_erasure_leaves_no_copy(copied: Desk) -> None:
    erase_player(copied.office, 1, confirm=1, by="the player", reason="asked")
    with copied.office.store.reading() as connection:
        assert parts(connection) == []
    assert verify(copied.office).intact
