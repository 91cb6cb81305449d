"""The players of a list as sealed blocks of columns, without a database.

A block has the players of 4,096 consecutive numbers: their rows of ``lists.table`` as a compressed Arrow stream, a seal
for each row, and the digest of both. The digests of the whole list are in its publication; the seals tell which
player's row was altered if they do not agree.
"""

from __future__ import annotations

import os
import sys
from array import array
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from io import BytesIO
from typing import NamedTuple
from zlib import crc32

import polars as pl

from arpad.lists.table import SCHEMA, STATE, line_fields
from arpad.model.errors import Unreadable
from arpad.system.batches import beside
from arpad.system.text_columns import joined_lines

BLOCK = 4096
"""Numbers of players in a block."""

SEAL = 4
"""Bytes of a row's seal. A seal does not prove anything: the digests do, and the seal tells which row is meant."""

_SCHEMA = pl.Schema(SCHEMA)

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
        if table.schema != _SCHEMA or table.is_empty():
            raise ValueError(self.block)
        players = table["player"]
        sorted_by_player = players.is_sorted() and players.n_unique() == len(players)
        if players.has_nulls() or not sorted_by_player:
            raise ValueError(self.block)
        if {players[0] // BLOCK, players[-1] // BLOCK} != {self.block}:
            raise ValueError(self.block)
        return table


def block_digest(data: bytes, seals: bytes) -> str:
    """Return the SHA-256 of a block and its seals."""
    return sha256(data + seals).hexdigest()


def row_seals(block: pl.DataFrame) -> bytes:
    """Return a checksum of each row, so that a verification can name an altered one."""
    rows = joined_lines(block.select(*STATE, "listed", *line_fields(block))).split(b"\n")[:-1]
    seals = array("I", map(crc32, rows))
    if sys.byteorder == "little":
        seals.byteswap()
    return seals.tobytes()


def seal_table(table: pl.DataFrame) -> list[SealedBlock]:
    """Return a table as blocks."""
    blocks = list(split_blocks(table))
    with beside(much=len(blocks) > 1) as thread:  # bytes are compressed while the rows are sealed
        compressing = thread.map(block_bytes, [block for _, block in blocks])
        seals, start = row_seals(table), 0  # of all rows at once, which is faster
    sealed = []
    for (number, block), data in zip(blocks, compressing, strict=True):
        end = start + block.height * SEAL
        sealed.append(SealedBlock(number, data, seals[start:end], block_digest(data, seals[start:end])))
        start = end
    return sealed


def split_blocks(table: pl.DataFrame) -> Iterator[tuple[int, pl.DataFrame]]:
    """Yield the blocks of a table that is sorted by player."""
    sizes = table.group_by(pl.col("player") // BLOCK, maintain_order=True).len()
    start = 0
    for number, size in sizes.iter_rows():
        yield number, table.slice(start, size)
        start += size


def block_bytes(table: pl.DataFrame) -> bytes:
    """Return a table as the bytes of a block.

    The oldest form of texts is used: it has the texts of the block and no others, and every reader of Arrow knows it.
    """
    out = BytesIO()
    table.write_ipc_stream(out, compression="zstd", compat_level=pl.CompatLevel.oldest())
    return out.getvalue()


def join_blocks(blocks: Iterable[SealedBlock], columns: Sequence[str] | None = None) -> pl.DataFrame:
    """Return the players of some blocks as one table."""
    tables = [block.table(columns) for block in blocks]
    return pl.concat(tables) if tables else pl.DataFrame(schema=SCHEMA).select(columns or pl.all())


def altered_players(block: SealedBlock) -> list[int]:
    """Return the players whose rows differ from their seals; nothing if the bytes cannot be read.

    The bytes are opened in another process: Polars trusts them, and may end its process over altered ones.
    """
    from concurrent.futures.process import BrokenProcessPool  # few blocks are altered

    from arpad.system.workers import spawned_pool

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
