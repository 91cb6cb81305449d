"""The players of a list in the database, as sealed blocks of columns.

One player is found by reading one block; no block ever changes.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from threading import Lock
from typing import Generic, NamedTuple, TypeVar

import numpy as np
import polars as pl
from sqlalchemy import Connection, bindparam, select

from arpad.lists.input_tables import RatingTable, StateTable
from arpad.lists.sealed_blocks import BLOCK, SealedBlock, join_blocks, seal_table, split_blocks
from arpad.lists.table import SCHEMA, STATE, Figures
from arpad.store.between_acts import kept
from arpad.store.bulk import add_rows, fetch_rows, id_batches
from arpad.store.kept_values import keeps_values, kept_value
from arpad.store.schema import list_blocks

_WHOLE_BLOCKS, _FIGURE_BLOCKS, _RATING_BLOCKS = 64, 64, 1024
"""Blocks that are kept open, at most 60 MB.

The page of a player explains three changes, from the ratings of all opponents on the lists of the time: 1,024 blocks
are the last three years of the three lists of 28,000 players, in 16 MB.
"""

_UNRATED = -(2**31)
"""In an array of ratings: the player has none, or is not on the list."""

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
    by_block = _by_block(players)
    blocks = _whole.open(connection, publication, by_block)
    tables = [block.rows(by_block[number]) for number, block in blocks]
    if not tables:
        return pl.DataFrame(schema=SCHEMA)
    return pl.concat(tables) if len(tables) > 1 else tables[0]


def read_figures(connection: Connection, publication: int, players: Iterable[int]) -> list[Figures]:
    """Return the figures of some players of a publication, by number."""
    by_block = _by_block(players)
    return [
        Figures._make(block.table.row(place))
        for number, block in _figures.open(connection, publication, by_block)
        for place in block.places(by_block[number])
    ]


def ratings_of(connection: Connection, publication: int, players: Iterable[int]) -> dict[int, int]:
    """Return the ratings of those of some players who are rated on a publication."""
    by_block = _by_block(players)
    ratings = {
        player: block[player % BLOCK]
        for number, block in _ratings.open(connection, publication, by_block)
        for player in by_block[number]
    }
    return {player: rating for player, rating in ratings.items() if rating != _UNRATED}


def _by_block(players: Iterable[int]) -> dict[int, list[int]]:
    """Return players in order, by the number of their block."""
    by_block: dict[int, list[int]] = {}
    for player in sorted(set(players)):
        by_block.setdefault(player // BLOCK, []).append(player)
    return by_block


class _OpenBlock(NamedTuple):
    """A block that was opened: its table, and the numbers of its players in order.

    Looking a number up in a column of Polars takes twenty times as long as in an array.
    """

    table: pl.DataFrame
    players: array[int]

    @classmethod
    def of(cls, block: SealedBlock, columns: tuple[str, ...]) -> _OpenBlock:
        """Return a block that is opened with some columns."""
        table = block.table(columns)
        return cls(table, array("q", table["player"].to_numpy().tobytes()))

    def places(self, numbers: Iterable[int]) -> list[int]:
        """Return the places of those of some players who are in the block."""
        listed = self.players
        places = ((bisect_left(listed, number), number) for number in numbers)
        return [place for place, number in places if place < len(listed) and listed[place] == number]

    def rows(self, numbers: Sequence[int]) -> pl.DataFrame:
        """Return the rows of some players."""
        places = self.places(numbers)
        if len(places) == 1:
            return self.table.slice(places[0], 1)  # a fifth of the time of an index
        rows: pl.DataFrame = self.table[places]
        return rows


def _block_ratings(block: SealedBlock) -> array[int]:
    """Return the ratings of a block, by the last digits of the players' numbers: 16 KB."""
    table = block.table(("player", "rating"))
    ratings = np.full(BLOCK, _UNRATED, np.int32)
    ratings[table["player"].to_numpy() % BLOCK] = np.nan_to_num(table["rating"].to_numpy(), nan=_UNRATED)
    return array("i", ratings.tobytes())


Opened = TypeVar("Opened")


class _OpenBlocks(Generic[Opened]):
    """The blocks used last, as they were opened, by their digests: a block never changes."""

    def __init__(self, most: int, open_block: Callable[[SealedBlock], Opened]) -> None:
        self._most = most
        self._open_block = open_block
        self._opened: OrderedDict[str, Opened] = OrderedDict()
        self._lock = Lock()

    def open(
        self, connection: Connection, publication: int, numbers: Iterable[int]
    ) -> list[tuple[int, Opened]]:
        """Return some blocks of a publication in order, each with its number.

        The bytes of one that is open already are not read again.
        """
        every = kept(
            connection, ("block digests", publication), lambda: _block_digests(connection, publication)
        )
        digests = {number: every[number] for number in numbers if number in every}
        with self._lock:
            opened = {
                number: self._opened[digest] for number, digest in digests.items() if digest in self._opened
            }
        for batch in id_batches(digests.keys() - opened.keys()):
            for block in sealed_blocks(connection, publication, batch):
                opened[block.block] = self._open_block(block)
        with self._lock:
            for number, digest in digests.items():
                self._opened[digest] = opened[number]
                self._opened.move_to_end(digest)
            while len(self._opened) > self._most:
                self._opened.popitem(last=False)
        return [(number, opened[number]) for number in digests]

    def clear(self) -> None:
        """Close all blocks."""
        with self._lock:
            self._opened.clear()


_whole = _OpenBlocks(_WHOLE_BLOCKS, lambda block: _OpenBlock.of(block, tuple(SCHEMA)))
_figures = _OpenBlocks(_FIGURE_BLOCKS, lambda block: _OpenBlock.of(block, Figures._fields))
_ratings = _OpenBlocks(_RATING_BLOCKS, _block_ratings)


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
