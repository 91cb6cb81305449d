"""People as a table: the same facts as people loaded one by one, on any day and as known at any act."""

from datetime import date
from hashlib import sha256

import polars as pl
import pytest

from arpad.office.register.rows import load_people
from arpad.office.register.table_rows import add_register_parts, load_people_table
from arpad.store.bulk import keep_values
from tests.builders.offices import Desk, listed
from tests.builders.verbs import add_identifier, change_player, ledger, register_player

JAN = date(2018, 1, 1)


@pytest.mark.parametrize("copied", [False, True], ids=["rows", "copy"])
def test_the_table_has_the_facts_of_each_day_and_act(desk: Desk, copied: bool) -> None:
    desk.list(JAN, *(listed(n, 2000 + n, born=1990 + n) for n in range(1, 6)))
    if copied:
        with desk.office.store.unlogged_writing() as connection:
            add_register_parts(connection, enough=1)
    change_player(desk.office, 1, since=date(2018, 3, 1), set_={"name": "New, Name"}, reason="wedding")
    change_player(
        desk.office, 2, since=date(2017, 3, 1), set_={"federation": "FRA", "title": "FM"}, reason="transfer"
    )
    register_player(desk.office, "Late, Comer", federation="GER", identifiers={"fide": "777", "fsi": "a=b c"})
    add_identifier(desk.office, 3, "fide", "333")
    with desk.office.store.reading() as connection:
        acts = [None, *range(1, len(ledger(desk.office)) + 1)]
        for day in (JAN, date(2018, 2, 1), date(2018, 4, 1)):
            for act in acts:
                numbers = [1, 2, 3, 6]
                table = load_people_table(connection, pl.Series(numbers), on=day, as_of_act=act)
                one_by_one = load_people(connection, numbers, on=day, as_of_act=act)
                assert dict(table.items()) == dict(one_by_one.items())
                with keep_values(connection, 1):
                    kept = [
                        load_people_table(connection, pl.Series(numbers), on=day, as_of_act=act)
                        for _ in range(2)
                    ]
                assert all(it.frame.equals(table.frame) and it.lines() == table.lines() for it in kept)
                assert kept[0].digest == sha256(table.lines()).hexdigest()
