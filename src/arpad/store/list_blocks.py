"""The players of a list as sealed blocks of columns.

A block has the players of 4,096 consecutive numbers: their rows of ``lists.table`` as a compressed Arrow stream, a seal
for each row, and the digest of both. One player is found by reading one block; no block ever changes. The digests of
the whole list are in its publication; the seals tell which player's row was altered if they do not agree.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from functools import lru_cache
from hashlib import sha256
from io import BytesIO
from typing import NamedTuple
from zlib import crc32

import polars as pl
from sqlalchemy import Connection, select

from arpad.lists.table import SCHEMA, line_fields, state_text
from arpad.model.errors import Unreadable
from arpad.store.bulk import add_rows, fetch_rows, id_batches
from arpad.store.schema import list_blocks
from arpad.system.text_columns import joined_lines
from arpad.system.workers import spawned_pool

BLOCK = 4096
"""Numbers of players in a block."""

SEAL = 4
"""Bytes of a row's seal. A seal does not prove anything: the digests do, and the seal tells which row is meant."""

_CACHED = 48
"""Blocks that are kept open; a page asks for the same ones again and again."""

UNREADABLE = (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError, ValueError, TypeError)
"""The exceptions that Polars raises for bytes that are not a block."""


class SealedBlock(NamedTuple):
    """A block as it is stored."""

    block: int
    """Its number."""

    data: bytes
    seals: bytes
    digest: str

    def is_intact(self) -> bool:
        """Return whether bytes and seals have the digest of the block."""
        return block_digest(self.data, self.seals) == self.digest

    def table(self, columns: Sequence[str] | None = None) -> pl.DataFrame:
        """Return the table; refuse bytes that were altered, since Polars trusts what it reads."""
        if not self.is_intact():
            raise Unreadable(
                "list-block-altered", first=self.block * BLOCK, last=(self.block + 1) * BLOCK - 1
            )
        return pl.read_ipc_stream(self.data, columns=list(columns) if columns else None)

    def checked_table(self) -> pl.DataFrame:
        """Return the table; raise one of ``UNREADABLE`` if the bytes are no block of this number."""
        table = pl.read_ipc_stream(self.data)
        players = table["player"]
        sorted_by_player = bool((players.diff().drop_nulls() > 0).all())
        if table.schema != pl.Schema(SCHEMA) or not sorted_by_player:
            raise ValueError(self.block)
        if not (players // BLOCK == self.block).all():
            raise ValueError(self.block)
        return table


def block_digest(data: bytes, seals: bytes) -> str:
    """Return the SHA-256 of a block and its seals."""
    return sha256(data + seals).hexdigest()


def row_seals(block: pl.DataFrame) -> bytes:
    """Return a checksum of each row, so that a verification can name an altered one."""
    rows = joined_lines(block.select(state_text(), "listed", *line_fields())).split(b"\n")[:-1]
    return b"".join([crc32(row).to_bytes(SEAL, "big") for row in rows])


# ------------------------------------------------------------------------------------------------------- writing


def add_blocks(connection: Connection, publication: int, blocks: Iterable[SealedBlock]) -> None:
    """Add the players of a publication."""
    rows = [(publication, *block) for block in blocks]
    add_rows(connection, list_blocks, ("publication", *SealedBlock._fields), rows)


def seal_table(table: pl.DataFrame) -> list[SealedBlock]:
    """Return a table as blocks."""
    seals, start = row_seals(table), 0  # of all rows at once, which is faster
    blocks = []
    for number, block in _split(table):
        end = start + block.height * SEAL
        blocks.append(_seal(number, block, seals[start:end]))
        start = end
    return blocks


def _split(table: pl.DataFrame) -> Iterator[tuple[int, pl.DataFrame]]:
    """Yield the blocks of a table that is sorted by player."""
    sizes = table.group_by(pl.col("player") // BLOCK, maintain_order=True).len()
    start = 0
    for number, size in sizes.iter_rows():
        yield number, table.slice(start, size)
        start += size


def _seal(number: int, table: pl.DataFrame, seals: bytes) -> SealedBlock:
    data = block_bytes(table)
    return SealedBlock(number, data, seals, block_digest(data, seals))


def block_bytes(table: pl.DataFrame) -> bytes:
    """Return a table as the bytes of a block.

    The oldest form of texts is used: it has the texts of the block and no others, and every reader of Arrow knows it.
    """
    out = BytesIO()
    table.write_ipc_stream(out, compression="zstd", compat_level=pl.CompatLevel.oldest())
    return out.getvalue()


def replace_rows(connection: Connection, publication: int, rows: pl.DataFrame) -> None:
    """Replace the rows of some players in their blocks; only an erasure does this."""
    for number, changed in _split(rows):
        (stored,) = sealed_blocks(connection, publication, [number])
        others = stored.table().filter(~pl.col("player").is_in(changed["player"].implode()))
        table = others.vstack(changed).sort("player")
        block = _seal(number, table, row_seals(table))
        this = (list_blocks.c.publication == publication) & (list_blocks.c.block == number)
        connection.execute(list_blocks.update().where(this).values(block._asdict()))


# ------------------------------------------------------------------------------------------------------- reading


def read_table(
    connection: Connection, publication: int, columns: Sequence[str] | None = None
) -> pl.DataFrame:
    """Return all players of a publication, with all columns or those named."""
    return join_blocks(sealed_blocks(connection, publication), columns)


def join_blocks(blocks: Iterable[SealedBlock], columns: Sequence[str] | None = None) -> pl.DataFrame:
    """Return the players of some blocks as one table."""
    tables = [block.table(columns) for block in blocks]
    return pl.concat(tables) if tables else pl.DataFrame(schema=SCHEMA).select(columns or pl.all())


def read_players(connection: Connection, publication: int, players: Iterable[int]) -> pl.DataFrame:
    """Return the rows of some players of a publication, by number."""
    numbers = sorted(set(players))
    tables = [
        _opened(block).filter(pl.col("player").is_in(numbers))
        for batch in id_batches({number // BLOCK for number in numbers})
        for block in sealed_blocks(connection, publication, batch)
    ]
    return pl.concat(tables) if tables else pl.DataFrame(schema=SCHEMA)


@lru_cache(maxsize=_CACHED)
def _opened(block: SealedBlock) -> pl.DataFrame:
    return block.table()


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


# ------------------------------------------------------------------------------------------------------- verifying


def altered_players(block: SealedBlock) -> list[int]:
    """Return the players whose rows differ from their seals; nothing if the bytes cannot be read.

    The bytes are opened in another process: Polars trusts them, and may end its process over altered ones.
    """
    with spawned_pool(1) as pool:
        try:
            return pool.submit(_altered_players, block).result()
        except BrokenProcessPool:
            return []


def _altered_players(block: SealedBlock) -> list[int]:
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # a panic writes there
    try:
        table = block.checked_table()
        seals = row_seals(table)
    except UNREADABLE:
        return []
    return [
        player
        for index, player in enumerate(table["player"].to_list())
        if seals[index * SEAL : (index + 1) * SEAL] != block.seals[index * SEAL : (index + 1) * SEAL]
    ]
