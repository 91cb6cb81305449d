"""Rows that are added as columns are stored and noted as if they were added one by one."""

import polars as pl
from sqlalchemy import select

from arpad.office.office import Office
from arpad.office.register.tables import identifiers
from arpad.store.columns import add_columns, indexes_rebuilt
from arpad.store.ledger import append, next_seq
from arpad.store.schema import act_rows
from arpad.store.written_rows import unpack
from tests.builders.offices import Desk
from tests.builders.verbs import register_player, verify


def add(office: Office, numbers: pl.DataFrame) -> int:
    """Add identifiers in an act of their own; return its number."""
    with office.store.writing() as connection:
        act = next_seq(connection)
        with indexes_rebuilt(connection, identifiers, numbers.height):
            add_columns(connection, identifiers, numbers, ("scheme", "value"), act=act)
        append(connection, "2018-01-01T00:00:00Z", "A", "add-identifier", {"player": 1}, "")
    return act


def test_an_act_adds_columns(desk: Desk) -> None:
    player = register_player(desk.office, "Rossi, Anna", federation="ITA").id
    values = [f"{number}é" for number in range(1000, 0, -1)]
    many = pl.DataFrame({"scheme": "fsi", "value": values, "player": player})
    few = pl.DataFrame({"scheme": "fid", "value": ["7"], "player": player})
    acts = [add(desk.office, numbers) for numbers in (many, few)]
    with desk.office.store.reading() as connection:
        stored = connection.execute(select(identifiers)).all()
        records = connection.execute(select(act_rows).where(act_rows.c.act == acts[0])).one()
    expected = [(*row, act) for numbers, act in zip((many, few), acts, strict=True) for row in numbers.rows()]
    assert sorted(map(tuple, stored)) == sorted(expected)
    first, *_ = unpack(records.erasable_lines, bytes(records.erasable_digests))
    assert first == 'identifiers["fsi","1000\\u00e9"]', "in the order in which they came"
    assert verify(desk.office).intact


def test_the_indexes_are_those_of_before(sqlite_desk: Desk) -> None:
    def indexes() -> list[str]:
        query = "SELECT sql FROM sqlite_master WHERE type = 'index' ORDER BY sql"
        with sqlite_desk.office.store.reading() as connection:
            return list(connection.exec_driver_sql(query).scalars())

    before = indexes()
    player = register_player(sqlite_desk.office, "Rossi, Anna", federation="ITA").id
    add(sqlite_desk.office, pl.DataFrame({"scheme": "fsi", "value": ["1", "2"], "player": player}))
    assert indexes() == before
