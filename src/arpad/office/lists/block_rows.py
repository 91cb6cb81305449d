"""The players of a list in the database, as sealed blocks of columns.

One player is found by reading one block; no block ever changes.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from threading import Lock
from typing import Generic, NamedTuple, TypeVar

import polars as pl
from sqlalchemy import Connection, bindparam, select

from arpad.lists.input_tables import RatingTable, StateTable
from arpad.lists.sealed_blocks import BLOCK, SealedBlock, join_blocks, seal_table, split_blocks
from arpad.lists.table import SCHEMA, STATE, Figures
from arpad.office.lists.tables import list_blocks
from arpad.store.bulk import add_rows, cached_until_act, fetch_rows, keeps_values, kept_value

_TABLES, _RATINGS = 128, 1024
"""Blocks that are kept open as tables, of 0.4 MB, or 0.9 MB with texts, and blocks whose ratings are kept, of 16 KB.

The page of a player explains three changes, from the ratings of the opponents on the lists of the time: 1,024 blocks
are the last three years of three lists of 40,000 players.
"""

_PLACES = pl.Series(range(BLOCK), dtype=pl.Int32)
_NOBODY = pl.Series([None] * BLOCK, dtype=pl.Int32)
"""The places in a block in which every number has a player, and those in a block without players."""


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


def read_ratings(connection: Connection, publication: int, states: StateTable | None = None) -> RatingTable:
    """Return the ratings of all rated players of a publication, from its states if they were read before."""

    def read() -> RatingTable:
        names = ("player", "rating")
        table = read_table(connection, publication, names) if states is None else states.frame.select(names)
        return RatingTable(table.drop_nulls())

    return kept_value(connection, "ratings", publication, read)


def read_players(connection: Connection, publication: int, players: Iterable[int]) -> pl.DataFrame:
    """Return the rows of some players of a publication, by number."""
    by_block = _by_block(players)
    blocks = _tables.open(connection, publication, by_block, tuple(SCHEMA))
    tables = [block.rows(by_block[number]) for number, block in blocks]
    if not tables:
        return pl.DataFrame(schema=SCHEMA)
    return pl.concat(tables) if len(tables) > 1 else tables[0]


def read_figures(connection: Connection, publication: int, players: Iterable[int]) -> list[Figures]:
    """Return the figures of some players of a publication, by number."""
    by_block = _by_block(players)
    return [
        Figures._make(block.table.row(place))  # a twentieth of the time of rows of a table
        for number, block in _tables.open(connection, publication, by_block, Figures._fields)
        for player in by_block[number]
        if (place := block.places[player % BLOCK]) is not None
    ]


def ratings_of(connection: Connection, publication: int, players: Iterable[int]) -> dict[int, int]:
    """Return the ratings of those of some players who are rated on a publication."""
    by_block = _by_block(players)
    return {
        player: rating
        for number, ratings in _ratings.open(connection, publication, by_block, ("player", "rating"))
        for player in by_block[number]
        if (rating := ratings[player % BLOCK]) is not None
    }


def _by_block(players: Iterable[int]) -> dict[int, list[int]]:
    """Return players in order, by the number of their block."""
    by_block: dict[int, list[int]] = {}
    for player in sorted(set(players)):
        by_block.setdefault(player // BLOCK, []).append(player)
    return by_block


class _OpenBlock(NamedTuple):
    """A block that was opened: its table, and the place of each number of the block in it, if there is a player."""

    table: pl.DataFrame
    places: pl.Series

    @classmethod
    def of(cls, block: SealedBlock, columns: tuple[str, ...]) -> _OpenBlock:
        """Return a block that is opened with some columns."""
        table = block.table(columns)
        return cls(table, _by_number(table, _PLACES.head(table.height)))

    def rows(self, numbers: Iterable[int]) -> pl.DataFrame:
        """Return the rows of some players."""
        places = self.places.gather([number % BLOCK for number in numbers]).drop_nulls()
        if len(places) <= 1:
            return self.table.slice(
                places[0] if len(places) else 0, len(places)
            )  # a fifth of an index's time
        rows: pl.DataFrame = self.table[places]
        return rows


def _block_ratings(block: SealedBlock, columns: tuple[str, ...]) -> pl.Series:
    """Return the ratings of a block, by number: 16 KB."""
    table = block.table(columns)
    return _by_number(table, table["rating"])


def _by_number(table: pl.DataFrame, values: pl.Series) -> pl.Series:
    """Return a value for each number of a block, None if there is no such player: looking one up takes 0.2 µs."""
    return _NOBODY.clone().scatter(table["player"] % BLOCK, values)


Opened = TypeVar("Opened")


class _OpenBlocks(Generic[Opened]):
    """The blocks used last, as they were opened, by digest and columns: a block never changes."""

    def __init__(self, most: int, open_block: Callable[[SealedBlock, tuple[str, ...]], Opened]) -> None:
        self._most = most
        self._open_block = open_block
        self._opened: OrderedDict[tuple[str, tuple[str, ...]], Opened] = OrderedDict()
        self._lock = Lock()

    def open(
        self, connection: Connection, publication: int, numbers: Iterable[int], columns: tuple[str, ...]
    ) -> list[tuple[int, Opened]]:
        """Return some blocks of a publication with some columns, in order, each with its number.

        The bytes of one that is open already are not read again.
        """
        every = block_digests(connection, publication)
        keys = {number: (every[number], columns) for number in numbers if number in every}
        with self._lock:
            opened = {number: self._opened[key] for number, key in keys.items() if key in self._opened}
        closed = sorted(keys.keys() - opened.keys())
        for block in sealed_blocks(connection, publication, closed) if closed else ():
            opened[block.block] = self._open_block(block, columns)
        with self._lock:
            for number, key in keys.items():
                self._opened[key] = opened[number]
                self._opened.move_to_end(key)
            while len(self._opened) > self._most:
                self._opened.popitem(last=False)
        return [(number, opened[number]) for number in keys]

    def clear(self) -> None:
        """Close all blocks."""
        with self._lock:
            self._opened.clear()


_tables = _OpenBlocks(_TABLES, _OpenBlock.of)
_ratings = _OpenBlocks(_RATINGS, _block_ratings)


@cached_until_act
def block_digests(connection: Connection, publication: int) -> dict[int, str]:
    """Return the numbers of the blocks of a publication, each with its digest."""
    return dict(fetch_rows(connection, _DIGESTS, {"publication": publication}))


_OF_PUBLICATION = list_blocks.c.publication == bindparam("publication")
_DIGESTS = select(list_blocks.c.block, list_blocks.c.digest).where(_OF_PUBLICATION)
_BLOCKS = (
    select(*(list_blocks.c[name] for name in SealedBlock._fields))
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
    yield from map(SealedBlock._make, fetch_rows(connection, query, values))
