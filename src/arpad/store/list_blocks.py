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
from sqlalchemy import Connection, bindparam, select

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


FIGURES = (
    "player", "rating", "listed", "category", "games", "k", "inactive", *STATE,
)  # fmt: skip
"""The columns that say nothing about who a player is: a block of them is opened in a third of the time."""


def read_players(connection: Connection, publication: int, players: Iterable[int]) -> pl.DataFrame:
    """Return the rows of some players of a publication, by number."""
    return _read_rows(connection, publication, players, tuple(SCHEMA))


def read_figures(connection: Connection, publication: int, players: Iterable[int]) -> pl.DataFrame:
    """Return the figures of some players of a publication, by number."""
    return _read_rows(connection, publication, players, FIGURES)


def ratings_of(connection: Connection, publication: int, players: Iterable[int]) -> dict[int, int]:
    """Return the ratings of those of some players who are rated on a publication."""
    found: dict[int, int] = {}
    for table, numbers in _blocks_of(connection, publication, players, FIGURES):
        ratings = table["rating"]
        found |= {number: ratings[place] for place, number in _places(table, numbers)}
    return {player: rating for player, rating in found.items() if rating is not None}


def _read_rows(
    connection: Connection, publication: int, players: Iterable[int], columns: tuple[str, ...]
) -> pl.DataFrame:
    blocks = _blocks_of(connection, publication, players, columns)
    tables = [_rows_of(table, numbers) for table, numbers in blocks]
    if not tables:
        return pl.DataFrame(schema={name: SCHEMA[name] for name in columns})
    return pl.concat(tables) if len(tables) > 1 else tables[0]


def _blocks_of(
    connection: Connection, publication: int, players: Iterable[int], columns: tuple[str, ...]
) -> Iterator[tuple[pl.DataFrame, list[int]]]:
    """Yield the blocks in which some players may be, in order, each with their numbers."""
    by_block: dict[int, list[int]] = {}
    for player in sorted(set(players)):
        by_block.setdefault(player // BLOCK, []).append(player)
    for batch in id_batches(by_block):
        for block, table in _open_blocks(connection, publication, batch, columns):
            yield table, by_block[block]


def _rows_of(table: pl.DataFrame, numbers: Sequence[int]) -> pl.DataFrame:
    """Return the rows of some players of a block."""
    places = [place for place, _ in _places(table, numbers)]
    if len(places) == 1:
        return table.slice(places[0], 1)  # a fifth of the time of an index
    rows: pl.DataFrame = table[places]
    return rows


_FEW = 20
"""Up to this number of players, their places are looked up in the column itself."""


def _places(table: pl.DataFrame, numbers: Sequence[int]) -> list[tuple[int, int]]:
    """Return the places of those of some players who are in a block, which is sorted, each with the number.

    A filter of Polars takes five times as long, and NumPy takes long to load for a command.
    """
    column = table["player"]
    listed: Any = column if len(numbers) <= _FEW else column.to_list()
    places = ((bisect_left(listed, number), number) for number in numbers)
    return [(place, number) for place, number in places if place < len(listed) and listed[place] == number]


_opened: OrderedDict[tuple[str, tuple[str, ...]], pl.DataFrame] = OrderedDict()
_lock = Lock()


def _open_blocks(
    connection: Connection, publication: int, numbers: Sequence[int], columns: tuple[str, ...]
) -> Iterator[tuple[int, pl.DataFrame]]:
    """Yield some blocks in order, each with its table; the bytes of one that is open already are not read again."""
    every = kept(connection, ("block digests", publication), lambda: _block_digests(connection, publication))
    keys = {number: (every[number], columns) for number in numbers if number in every}
    with _lock:
        tables = {number: _opened[key] for number, key in keys.items() if key in _opened}
    if missing := [number for number in keys if number not in tables]:
        blocks = sealed_blocks(connection, publication, missing)
        tables |= {block.block: block.table(columns) for block in blocks}
    with _lock:
        for number, key in keys.items():
            _opened[key] = tables[number]
            _opened.move_to_end(key)
        while len(_opened) > _CACHED:
            _opened.popitem(last=False)
    yield from ((number, tables[number]) for number in keys)


def _block_digests(connection: Connection, publication: int) -> dict[int, str]:
    return dict(fetch_rows(connection, _DIGESTS, {"publication": publication}))


_OF_PUBLICATION = list_blocks.c.publication == bindparam("publication")
_DIGESTS = select(list_blocks.c.block, list_blocks.c.digest).where(_OF_PUBLICATION)
_BLOCKS = (
    select(list_blocks.c.block, list_blocks.c.data, list_blocks.c.seals, list_blocks.c.digest)
    .where(_OF_PUBLICATION)
    .order_by(list_blocks.c.block)
)
_SOME_BLOCKS = _BLOCKS.where(list_blocks.c.block.in_(bindparam("blocks", expanding=True)))


def sealed_blocks(
    connection: Connection, publication: int, numbers: Sequence[int] | None = None
) -> Iterator[SealedBlock]:
    """Yield the blocks of a publication as they are stored, in order; or those with some numbers."""
    query = _BLOCKS if numbers is None else _SOME_BLOCKS
    values = {"publication": publication} | ({} if numbers is None else {"blocks": list(numbers)})
    for number, data, seals, digest in fetch_rows(connection, query, values):
        yield SealedBlock(number, bytes(data), bytes(seals), digest)
