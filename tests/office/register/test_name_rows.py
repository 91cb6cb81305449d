"""The names of the register are the same from their parts and from the tables."""

from collections.abc import Mapping
from datetime import date
from typing import Any, NamedTuple

import pytest
from sqlalchemy import Connection, Select, text

from arpad.office.register import name_rows as register_names
from arpad.office.register.name_rows import NameRows, all_names
from arpad.office.register.table_rows import add_register_parts
from arpad.reports import name_candidates
from arpad.store import columns
from tests.builders.offices import Desk, listed
from tests.builders.verbs import change_player, erase_player, register_player

JAN = date(2018, 1, 1)
ASKED = ["Player 7", "Muller, Jorg", "Somebody Else", "Else, Somebodi", "Comer, New"]


class Seen(NamedTuple):
    """What a process that opens the office finds."""

    near: Mapping[str, list[tuple[int, int]]]
    years: list[tuple[int, int]]
    rows_fetched: list[int]


@pytest.fixture
def known(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """An office with some players, of whom one got another name."""
    monkeypatch.setattr(name_candidates, "_MOST_LATER", 2)
    desk.list(JAN, *(listed(number, 2000) for number in range(1, 9)))
    register_player(desk.office, "Müller, Jörg", federation="GER", born=date(1990, 5, 1))
    change_player(desk.office, 2, set_={"name": "Somebody Else"}, since=JAN, reason="married")
    return desk


def seen(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> Seen:
    fetched = []
    fetch_joined = columns.fetch_joined

    def fetch(connection: Connection, query: Select[Any], values: Any) -> tuple[int, list[str]]:
        count, texts = fetch_joined(connection, query, values)
        fetched.append(count)
        return count, texts

    monkeypatch.setattr(columns, "fetch_joined", fetch)
    register_names._LOADED.clear()
    with desk.office.store.reading() as connection:
        names = register_names.register_names(connection)
        players = names.table.players
        near = {
            name: [(players[row], likeness) for row, likeness in rows]
            for name, rows in names.table.near(ASKED)
        }
        return Seen(near, [*zip(players, names.years, strict=True)], [*fetched])


def add_parts(desk: Desk, enough: int = 1) -> None:
    with desk.office.store.unlogged_writing() as connection:
        add_register_parts(connection, enough)


def test_names_come_from_parts_and_later_ones_from_the_tables(
    known: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = seen(known, monkeypatch)
    add_parts(known)
    after = seen(known, monkeypatch)

    assert before.rows_fetched == [9, 1]
    assert after.rows_fetched == [0, 1]
    assert after[:2] == before[:2]
    assert before.years[-2:] == [(9, 1990), (2, 0)]
    assert [before.near[name][0] for name in ASKED[1:4]] == [(9, 100), (2, 100), (2, 92)]


def test_new_players_are_added_to_the_parts_if_they_are_enough(
    known: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_parts(known)
    register_player(known.office, "New, Comer", federation="GER", born=1999)
    change_player(known.office, 3, set_={"name": "Another"}, since=JAN, reason="married")
    add_parts(known, enough=2)
    few = seen(known, monkeypatch)
    add_parts(known)
    many = seen(known, monkeypatch)

    assert (few.rows_fetched, many.rows_fetched) == ([1, 2], [0, 2])
    assert few[:2] == many[:2]
    assert few.years[-3:] == [(10, 1999), (2, 0), (3, 0)]
    assert few.near["Comer, New"][0] == (10, 100)


def test_an_act_adds_its_names_to_those_that_are_loaded(known: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    add_parts(known)
    before = seen(known, monkeypatch)
    with known.office.store.reading() as connection:
        names = register_names.register_names(connection)
    register_player(known.office, "New, Comer", federation="GER")
    with known.office.store.reading() as connection:
        assert register_names.register_names(connection) is names
    assert names.table.players.tolist() == [*(player for player, _ in before.years), 10]


def test_parts_that_are_not_whole_are_not_used(known: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    before = seen(known, monkeypatch)
    add_parts(known)
    with known.office.store.writing() as connection:
        connection.execute(text("UPDATE column_parts SET digest = 'x' WHERE name = 'names'"))
    after = seen(known, monkeypatch)

    assert after == before


def test_an_erased_name_is_in_no_part(known: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    add_parts(known)
    erase_player(known.office, 9, confirm=9, by="the player", reason="asked")

    assert (9, 100) not in seen(known, monkeypatch).near["Muller, Jorg"]


def test_all_names_are_present_and_former_ones(known: Desk) -> None:
    with known.office.store.reading() as connection:
        names = all_names(connection)
    assert names[-2:] == [(9, "Müller, Jörg"), (2, "Somebody Else")]
    assert len(names) == 10


def test_rows_are_read_as_they_were_packed() -> None:
    rows = NameRows(bytes(range(24)), b"abcdef", b"x y\n\nz\n")

    assert NameRows.unpacked(rows.packed()) == rows
    assert NameRows.unpacked(NameRows().packed()) == NameRows()
