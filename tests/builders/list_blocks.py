"""Alter the stored players of a list, as somebody with the database's own tools could."""

from collections.abc import Callable
from typing import Any

import polars as pl

from arpad.lists.sealed_blocks import block_bytes, block_digest, row_seals
from arpad.office.lists.block_rows import sealed_blocks
from arpad.office.lists.tables import list_blocks
from arpad.store.triggers import allow_changes
from arpad.store.written_rows import end_collecting
from tests.builders.offices import Desk

Edit = Callable[[pl.DataFrame], pl.DataFrame]


def alter_blocks(desk: Desk, publication: int, edit: Edit, *, sealed: bool = False) -> None:
    """Replace the table of each block of a list; ``sealed`` also renews seals and digests."""
    with desk.office.store.writing() as connection, allow_changes(connection, ["list_blocks"]):
        end_collecting(connection)
        for block in list(sealed_blocks(connection, publication)):
            table = edit(block.table())
            values: dict[str, Any] = {"data": block_bytes(table)}
            if sealed:
                seals = row_seals(table)
                values |= {"seals": seals, "digest": block_digest(values["data"], seals)}
            this = (list_blocks.c.publication == publication) & (list_blocks.c.block == block.block)
            connection.execute(list_blocks.update().where(this).values(values))


def set_value(player: int, **values: Any) -> Edit:
    """Return an edit that gives a player other values."""

    def edit(table: pl.DataFrame) -> pl.DataFrame:
        changes = {
            name: pl.when(pl.col("player") == player).then(pl.lit(value, table.schema[name])).otherwise(name)
            for name, value in values.items()
        }
        return table.with_columns(**changes)

    return edit


def remove(player: int) -> Edit:
    """Return an edit that removes a player."""
    return lambda table: table.filter(pl.col("player") != player)
