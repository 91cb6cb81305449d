"""The players of a list in the database, as sealed blocks of columns.

One player is found by reading one block; no block ever changes.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from threading import Lock
from typing import Any

import polars as pl
from sqlalchemy import Connection, select

from arpad.lists.input_tables import RatingTable, StateTable
from arpad.lists.sealed_blocks import BLOCK, SealedBlock, join_blocks, seal_table, split_blocks
from arpad.lists.table import SCHEMA, STATE
from arpad.store.between_acts import kept
from arpad.store.bulk import add_rows, fetch_rows, id_batches
from arpad.store.kept_values import keeps_values, kept_value
from arpad.store.schema import list_blocks

_CACHED = 48
"""Blocks that are kept open; a page asks for the same ones again and again."""

# ------------------------------------------------------------------------------------------------------- writing


def add_blocks(connection: Connection, publication: int, blocks: Iterable[SealedBlock]) -> None:
    """Add the players of a publication."""
    rows = [(publication, *block) for block in blocks]
    add_rows(connection, list_blocks, ("publication", *SealedBlock._fields), rows)


def replace_rows(connection: Connection, publication: int, rows: pl.DataFrame) -> None:
    """Replace the rows of some players in their blocks; only an erasure does this."""
    for number, changed in split_blocks(rows):
        (stored,) = sealed_blocks(connection, publication, [number])
        others = stored.table().filter(~pl.col("player").is_in(changed["player"].implode()))
        table = others.vstack(changed).sort("player")
        (block,) = seal_table(table)
        this = (list_blocks.c.publication == publication) & (list_blocks.c.block == number)
        connection.execute(list_blocks.update().where(this).values(block._asdict()))


# ------------------------------------------------------------------------------------------------------- reading


def read_table(
    connection: Connection, publication: int, columns: Sequence[str] | None = None
) -> pl.DataFrame:
    """Return all players of a publication, with all columns or those named."""
    if keeps_values(connection):
        table = kept_table(
            connection, publication, lambda: join_blocks(sealed_blocks(connection, publication))
        )
        return table.select(columns) if columns else table
    return join_blocks(sealed_blocks(connection, publication), columns)


def kept_table(connection: Connection, publication: int, read: Callable[[], pl.DataFrame]) -> pl.DataFrame:
    """Return all players of a publication as they were kept, or as ``read`` returns them."""
    return kept_value(connection, "table", publication, read)


def read_states(connection: Connection, publication: int) -> StateTable:
    """Return the states of all players after a publication."""

    def read() -> StateTable:
        return StateTable.of_list(read_table(connection, publication, ("player", "rating", *STATE)))

    return kept_value(connection, "states", publication, read)


def read_ratings(connection: Connection, publication: int) -> RatingTable:
    """Return the ratings of all rated players of a publication."""

    def read() -> RatingTable:
        return RatingTable(read_table(connection, publication, ("player", "rating")).drop_nulls())

    return kept_value(connection, "ratings", publication, read)


def read_players(connection: Connection, publication: int, players: Iterable[int]) -> pl.DataFrame:
    """Return the rows of some players of a publication, by number."""
    numbers = sorted(set(players))
    tables = [
        _rows_of(table, numbers)
        for batch in id_batches({number // BLOCK for number in numbers})
        for table in _open_blocks(connection, publication, batch)
    ]
    return pl.concat(tables) if len(tables) > 1 else tables[0] if tables else pl.DataFrame(schema=SCHEMA)


_FEW = 20
"""Up to this number of players, their places are looked up in the column itself."""


def _rows_of(table: pl.DataFrame, numbers: Sequence[int]) -> pl.DataFrame:
    """Return the rows of some players of a block, which is sorted.

    A filter of Polars takes five times as long, and NumPy takes long to load for a command.
    """
    column = table["player"]
    listed: Any = column if len(numbers) <= _FEW else column.to_list()
    places = ((bisect_left(listed, number), number) for number in numbers)
    rows: pl.DataFrame = table[
        [place for place, number in places if place < len(listed) and listed[place] == number]
    ]
    return rows


_opened: OrderedDict[str, pl.DataFrame] = OrderedDict()
_lock = Lock()


def _open_blocks(connection: Connection, publication: int, numbers: Sequence[int]) -> Iterator[pl.DataFrame]:
    """Yield the tables of some blocks in order; the bytes of a block that is open already are not read again."""
    digests = _block_digests(connection, publication, tuple(numbers))
    with _lock:
        tables = {number: _opened[digest] for number, digest in digests.items() if digest in _opened}
    if missing := [number for number in digests if number not in tables]:
        tables |= {block.block: block.table() for block in sealed_blocks(connection, publication, missing)}
    with _lock:
        for number, digest in digests.items():
            _opened[digest] = tables[number]
            _opened.move_to_end(digest)
        while len(_opened) > _CACHED:
            _opened.popitem(last=False)
    yield from (tables[number] for number in digests)


def _block_digests(connection: Connection, publication: int, numbers: tuple[int, ...]) -> dict[int, str]:
    def read() -> dict[int, str]:
        query = select(list_blocks.c.block, list_blocks.c.digest).where(
            list_blocks.c.publication == publication, list_blocks.c.block.in_(numbers)
        )
        return dict(fetch_rows(connection, query.order_by(list_blocks.c.block)))

    return kept(connection, ("block digests", publication, numbers), read)


def sealed_blocks(
    connection: Connection, publication: int, numbers: Sequence[int] | None = None
) -> Iterator[SealedBlock]:
    """Yield the blocks of a publication as they are stored, in order; or those with some numbers."""
    query = select(list_blocks.c.block, list_blocks.c.data, list_blocks.c.seals, list_blocks.c.digest)
    query = query.where(list_blocks.c.publication == publication).order_by(list_blocks.c.block)
    if numbers is not None:
        query = query.where(list_blocks.c.block.in_(numbers))
    for number, data, seals, digest in fetch_rows(connection, query):
        yield SealedBlock(number, bytes(data), bytes(seals), digest)
