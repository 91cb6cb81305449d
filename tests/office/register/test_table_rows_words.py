"""The words of names in the index: of many players at once as of one."""

import polars as pl
from hypothesis import given, settings
from hypothesis import strategies as st

from arpad.office.office import Office
from arpad.office.register.name_rows import search_words
from arpad.office.register.table_rows import add_newcomers, word_table
from arpad.office.register.tables import name_keys
from tests.builders.offices import Desk

names = st.text(max_size=12) | st.text("aeouscht zÀöéćßЖ李'’-,.1", max_size=16)


@settings(deadline=None)
@given(st.lists(names, max_size=6))
def test_the_words_of_a_table_are_those_of_each_name(given_names: list[str]) -> None:
    table = pl.DataFrame(
        {"name": given_names, "player": range(len(given_names))},
        schema={"name": pl.String, "player": pl.Int64},
    )
    expected = {(word, player) for player, name in enumerate(given_names) for word in search_words(name)}
    rows = word_table(table).rows()
    assert set(rows) == expected
    assert len(rows) == len(expected)


def stored(office: Office) -> tuple[list[tuple[str, int]], list[str]]:
    """Return the rows of the index of names, and the indexes of its table."""
    with office.store.reading() as connection:
        rows = connection.execute(name_keys.select()).all()
        indexes = connection.exec_driver_sql(
            "SELECT sql FROM sqlite_master WHERE tbl_name = 'name_keys'"
        ).scalars()
        return sorted((row.word, row.player) for row in rows), sorted(filter(None, indexes))


def test_newcomers_are_added_to_an_empty_index_and_to_a_longer_one(sqlite_desk: Desk) -> None:
    office = sqlite_desk.office
    _, indexes = stored(office)
    many = word_table(pl.DataFrame({"name": [f"Ada {number}" for number in range(9)], "player": range(9)}))
    few = word_table(pl.DataFrame({"name": ["Ugo"], "player": [10]}))
    for words in (many, few):
        with office.store.writing() as connection:
            add_newcomers(connection, words)
    assert stored(office) == (sorted(many.rows() + few.rows()), indexes)
