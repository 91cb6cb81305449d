"""The seal of a row tells whether the row was altered, whichever value it is."""

from datetime import date

import polars as pl
import pytest

from arpad.lists.canonical import canonical_line
from arpad.lists.published import ListedPlayer, StoredPlayer
from arpad.lists.sealed_blocks import SEAL, block_bytes, open_block, row_seals, without_own
from arpad.lists.table import STATE, own_fields, table_of
from arpad.office.lists.block_rows import sealed_blocks
from arpad.office.lists.tables import list_blocks
from arpad.regulations.systems import system_named
from arpad.store.declared_tables import rows_of
from tests.builders.offices import Desk, listed


@pytest.fixture
def table(desk: Desk) -> pl.DataFrame:
    """A list of four players."""
    desk.list(date(2018, 1, 1), *(listed(number, 1900 + number) for number in range(1, 5)))
    with desk.office.store.reading() as connection:
        (block,) = sealed_blocks(connection, 1)
        return block.table()


def altered_rows(table: pl.DataFrame, other: pl.DataFrame) -> list[int]:
    """Return the rows whose seals differ."""
    seals, others = row_seals(table), row_seals(other)
    starts = range(0, len(seals), SEAL)
    return [row for row, at in enumerate(starts) if seals[at : at + SEAL] != others[at : at + SEAL]]


@pytest.mark.parametrize("name", ["rating", *STATE])
def test_another_value_gives_its_row_another_seal(table: pl.DataFrame, name: str) -> None:
    third = pl.int_range(pl.len()) == 2
    kind = table.schema[name]
    other = pl.lit("[]" if kind == pl.String else True if kind == pl.Boolean else 77).cast(kind)
    other = other if kind != pl.Boolean else ~pl.col(name).fill_null(value=False)
    changed = table.with_columns(pl.when(third).then(other).otherwise(pl.col(name)).alias(name))
    assert altered_rows(table, table) == []
    assert altered_rows(table, changed) == [2]


def test_texts_that_changed_places_give_another_seal(table: pl.DataFrame) -> None:
    table = table.with_columns(pool=pl.lit("[1]"), state=pl.lit("[2]"))
    changed = table.with_columns(pool=pl.col("state"), state=pl.col("pool"))
    assert altered_rows(table, changed) == [0, 1, 2, 3]


@pytest.mark.parametrize("columns", [None, ("player", "own", "other_titles"), ("name",)])
def test_a_block_of_before_0005_is_opened_with_the_columns_of_its_system(
    columns: tuple[str, ...] | None,
) -> None:
    row = ListedPlayer(1, "Ada", category="1742/9", rating=1742, k=-3, own=("9", "a\tb"))
    table = table_of([StoredPlayer(1, 1742, '{"rating":1742}', canonical_line(row))], system_named("uschess"))
    before = without_own(table)
    assert "own" not in before.columns
    assert before["other_titles"].to_list() == ["\x1f\t9\ta\\tb"]
    opened, now = open_block(block_bytes(before), columns), open_block(block_bytes(table), columns)
    assert opened.equals(now)
    assert opened.columns == [*(columns or table.columns)]
    if columns is None:
        assert own_fields(opened["own"][0]) == row.own
        assert row_seals(opened) == row_seals(table)
        digest_of = rows_of(list_blocks.name).erased["data"]
        assert digest_of is not None
        assert digest_of(block_bytes(before)) == digest_of(block_bytes(table))
