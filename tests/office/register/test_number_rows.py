"""Players by number in columns: found by number and name, as long as no name was erased."""

from __future__ import annotations

from datetime import date

import numpy as np
import pytest

from arpad.model.names import all_spelled
from arpad.office.register.number_rows import (
    NumberColumns,
    RegisterNumbers,
    adopt_numbers,
    kept_numbers,
    load_numbers,
)
from arpad.office.register.table_rows import add_register_parts
from arpad.office.verbs import erase_player, register_player
from arpad.reports.mark_columns import player_digests
from tests.builders.offices import Desk, listed

JAN = date(2018, 1, 1)


def add_parts(desk: Desk) -> RegisterNumbers | None:
    with desk.office.store.unlogged_writing() as connection:
        add_register_parts(connection, enough=1)
    with desk.office.store.reading() as connection:
        return load_numbers(connection)


def columns_of(*rows: tuple[int, int, str]) -> NumberColumns:
    names = [name for _, _, name in rows]
    return NumberColumns(
        np.array([number for number, _, _ in rows]),
        np.array([player for _, player, _ in rows]),
        np.zeros(len(rows), np.int16),
        player_digests(all_spelled(names)),
        np.array([len(name.encode()) for name in names], np.uint16),
        np.frombuffer("".join(names).encode(), np.uint8),
    )


def test_a_part_is_packed_and_unpacked() -> None:
    columns = columns_of((5, 1, "Müller, Jörg"), (70, 2, "Rossi"))
    for column, copy in zip(columns, NumberColumns.unpacked(columns.packed()), strict=True):
        assert (column == copy).all()


def test_rows_of_several_parts_are_found() -> None:
    parts = [columns_of((5, 1, "Müller, Jörg"), (70, 2, "Rossi")), columns_of((6, 3, "Ng"), (90, 4, ""))]
    numbers = RegisterNumbers(parts, 1)
    rows = numbers.rows(np.array([70, 6, 7, 90, 5, 0, -5, 100]))
    assert [int(numbers.players[row]) if row >= 0 else 0 for row in rows] == [2, 3, 0, 4, 1, 0, 0, 0]


@pytest.mark.parametrize(
    ("name", "same"), [("Müller, Jörg", True), ("Muller, Jorg", False), ("Müller, Jörk", False), ("", False)]
)
def test_a_name_is_the_same_to_the_letter(name: str, same: bool) -> None:
    numbers = RegisterNumbers([columns_of((5, 1, "Müller, Jörg"), (6, 2, "Ng"))], 1)
    assert numbers.have_names(np.array([1, 0, 1]), f"Ng\n{name}\nN\n".encode()).tolist() == [
        True,
        same,
        False,
    ]


def test_names_of_any_length_are_compared_to_the_last_letter() -> None:
    names = [letter * size for size in (0, 1, 7, 8, 9, 16, 30) for letter in "ab"]
    numbers = RegisterNumbers([columns_of(*((row + 1, row, name) for row, name in enumerate(names)))], 1)
    rows = np.arange(len(names))
    for changed in ("", "a", "b", "ab"):
        given = [name[:-1] + changed for name in names]
        same = numbers.have_names(rows, "".join(f"{name}\n" for name in given).encode())
        assert same.tolist() == [name == other for name, other in zip(names, given, strict=True)]


def test_the_columns_are_those_of_the_register(desk: Desk) -> None:
    desk.list(JAN, listed(1, 2000), listed(2, 1900))
    register_player(desk.office, "Zero, Before", federation="GER", identifiers={"fide": "0123"})
    player = register_player(desk.office, "Later, Much", federation="GER", identifiers={"fide": "1234567"}).id
    numbers = add_parts(desk)
    assert numbers is not None
    (row,) = numbers.rows(np.array([1234567]))
    assert numbers.players[row] == player
    assert numbers.rows(np.array([123])).tolist() == [-1], "written with a zero"
    assert numbers.have_names(np.array([row]), b"Later, Much\n").all()


def test_the_digests_are_those_of_the_names(desk: Desk) -> None:
    names = ["Müller, Jörg", "O'Neill-Smith  Ann", "Жуков, Иван", "Aeee Oe"]
    players = [
        register_player(
            desk.office, name, federation="GER", born=1990 + nth, identifiers={"fide": f"{90 - nth}"}
        ).id
        for nth, name in enumerate(names)
    ]
    numbers = add_parts(desk)
    assert numbers is not None
    rows = numbers.rows(np.array([90 - nth for nth in range(len(names))]))
    assert numbers.players[rows].tolist() == players
    assert numbers.years[rows].tolist() == [1990, 1991, 1992, 1993]
    assert (numbers.digests[rows] == player_digests(all_spelled(names))).all()


def test_columns_are_not_used_after_an_erasure(sqlite_desk: Desk) -> None:
    desk = sqlite_desk
    desk.list(JAN, listed(1, 2000), listed(2, 1900))
    player = register_player(desk.office, "Gone, Soon", federation="GER", identifiers={"fide": "1234567"}).id
    numbers = add_parts(desk)
    with desk.office.store.reading() as connection:
        adopt_numbers(connection.engine, numbers)
        assert kept_numbers(connection) is numbers
    erase_player(desk.office, player, confirm=player, reason="asked for it")
    with desk.office.store.reading() as connection:
        assert kept_numbers(connection) is None
        assert load_numbers(connection) is None
