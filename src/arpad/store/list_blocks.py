"""The players of a list in the database, as sealed blocks of columns.

One player is found by reading one block; no block ever changes.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from threading import Lock
from typing import NamedTuple

import polars as pl
from sqlalchemy import Connection, bindparam, select

from arpad.lists.input_tables import RatingTable, StateTable
from arpad.lists.sealed_blocks import BLOCK, SealedBlock, join_blocks, seal_table, split_blocks
from arpad.lists.table import SCHEMA, STATE
from arpad.store.between_acts import kept
from arpad.store.bulk import add_rows, fetch_rows, id_batches
from arpad.store.kept_values import keeps_values, kept_value
from arpad.store.schema import list_blocks

_CACHED = 128
"""Blocks that are kept open, at most 45 MB without texts: the newest year of a list of 40,000 players.

The page of a player explains three changes, each from the states of all entrants: a first visit takes 8 of 40 ms more
if 48 blocks are kept.
"""

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
    ratings_by_player: dict[int, int] = {}
    for block, numbers in _blocks_of(connection, publication, players, FIGURES):
        ratings = block.table["rating"]
        ratings_by_player |= {number: ratings[place] for place, number in block.places(numbers)}
    return {player: rating for player, rating in ratings_by_player.items() if rating is not None}


def _read_rows(
    connection: Connection, publication: int, players: Iterable[int], columns: tuple[str, ...]
) -> pl.DataFrame:
    blocks = _blocks_of(connection, publication, players, columns)
    tables = [block.rows(numbers) for block, numbers in blocks]
    if not tables:
        return pl.DataFrame(schema={name: SCHEMA[name] for name in columns})
    return pl.concat(tables) if len(tables) > 1 else tables[0]


def _blocks_of(
    connection: Connection, publication: int, players: Iterable[int], columns: tuple[str, ...]
) -> Iterator[tuple[_OpenBlock, list[int]]]:
    """Yield the blocks in which some players may be, in order, each with their numbers."""
    by_block: dict[int, list[int]] = {}
    for player in sorted(set(players)):
        by_block.setdefault(player // BLOCK, []).append(player)
    for batch in id_batches(by_block):
        for number, block in _open_blocks(connection, publication, batch, columns):
            yield block, by_block[number]


class _OpenBlock(NamedTuple):
    """A block that was opened: its table, and the numbers of its players in order.

    Looking a number up in a column of Polars takes twenty times as long as in a list.
    """

    table: pl.DataFrame
    players: list[int]

    @classmethod
    def of(cls, table: pl.DataFrame) -> _OpenBlock:
        """Return a table as an open block."""
        return cls(table, table["player"].to_list())

    def places(self, numbers: Sequence[int]) -> list[tuple[int, int]]:
        """Return the places of those of some players who are in the block, each with the number."""
        listed = self.players
        places = ((bisect_left(listed, number), number) for number in numbers)
        return [
            (place, number) for place, number in places if place < len(listed) and listed[place] == number
        ]

    def rows(self, numbers: Sequence[int]) -> pl.DataFrame:
        """Return the rows of some players."""
        places = [place for place, _ in self.places(numbers)]
        if len(places) == 1:
            return self.table.slice(places[0], 1)  # a fifth of the time of an index
        rows: pl.DataFrame = self.table[places]
        return rows


_opened: OrderedDict[tuple[str, tuple[str, ...]], _OpenBlock] = OrderedDict()
_lock = Lock()


def _open_blocks(
    connection: Connection, publication: int, numbers: Sequence[int], columns: tuple[str, ...]
) -> Iterator[tuple[int, _OpenBlock]]:
    """Yield some blocks in order, each with its number; the bytes of one that is open already are not read again."""
    every = kept(connection, ("block digests", publication), lambda: _block_digests(connection, publication))
    keys = {number: (every[number], columns) for number in numbers if number in every}
    with _lock:
        opened = {number: _opened[key] for number, key in keys.items() if key in _opened}
    if missing := [number for number in keys if number not in opened]:
        blocks = sealed_blocks(connection, publication, missing)
        opened |= {block.block: _OpenBlock.of(block.table(columns)) for block in blocks}
    with _lock:
        for number, key in keys.items():
            _opened[key] = opened[number]
            _opened.move_to_end(key)
        while len(_opened) > _CACHED:
            _opened.popitem(last=False)
    yield from ((number, opened[number]) for number in keys)


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
