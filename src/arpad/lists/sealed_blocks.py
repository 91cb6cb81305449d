"""The players of a list as sealed blocks of columns, without a database.

A block has the players of 4,096 consecutive numbers: their rows of ``lists.table`` as a compressed Arrow stream, a seal
for each row, and the digest of both. The digests of the whole list are in its publication; the seals tell which
player's row was altered if they do not agree. The blocks of a draft have no seals yet.
"""

import os
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from io import BytesIO
from typing import NamedTuple
from zlib import crc32

import polars as pl

from arpad.lists.table import SCHEMA, STATE, lines_bytes
from arpad.model.errors import Unreadable
from arpad.system.batches import InlineExecutor, table_threads

BLOCK = 4096
"""Numbers of players in a block."""

SEAL = 4
"""Bytes of a row's seal. A seal does not prove anything: the digests do, and the seal tells which row is meant."""

_SCHEMA = pl.Schema(SCHEMA)

_THREADS = 2

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
        return open_block(self.data, columns)

    def checked_table(self) -> pl.DataFrame:
        """Return the table; raise one of ``UNREADABLE`` if the bytes are no block of this number."""
        table = open_block(self.data)
        if table.schema != _SCHEMA or table.is_empty():
            raise ValueError(self.block)
        players = table["player"]
        sorted_by_player = players.is_sorted() and players.n_unique() == len(players)
        if players.has_nulls() or not sorted_by_player:
            raise ValueError(self.block)
        if {players[0] // BLOCK, players[-1] // BLOCK} != {self.block}:
            raise ValueError(self.block)
        return table


def open_block(data: bytes, columns: Sequence[str] | None = None) -> pl.DataFrame:
    """Return the table of a block's bytes, also of one that was written before ``own`` was a column."""
    try:
        table = pl.read_ipc_stream(data, columns=list(columns) if columns else None)
    except pl.exceptions.ColumnNotFoundError:
        return open_block(data).select(columns or ())
    if columns or "own" in table.columns:
        return table
    own = pl.col("other_titles").str.starts_with(_SYSTEM)
    return table.with_columns(
        pl.when(~own).then("other_titles").otherwise(pl.lit("")).alias("other_titles"),
        own=pl.when(own).then(pl.col("other_titles").str.strip_prefix(_SYSTEM)),
    ).select(*SCHEMA)


def without_own(table: pl.DataFrame) -> pl.DataFrame:
    """Return a table as blocks had it before ``own`` was a column: of its texts the digests of erasures are made."""
    as_titles = pl.concat_str(pl.lit(_SYSTEM), "own")
    return table.with_columns(other_titles=pl.coalesce(as_titles, "other_titles")).drop("own")


_SYSTEM = "\x1f"
"""Began ``other_titles`` in a row of a rating system's list; its own columns followed."""


def block_digest(data: bytes, seals: bytes) -> str:
    """Return the SHA-256 of a block and its seals."""
    return sha256(data + seals).hexdigest()


def row_seals(table: pl.DataFrame, hashes: bytes | None = None) -> bytes:
    """Return a checksum of each row, so that a verification can name an altered one.

    It is made from the hash of the player's line, of which ``hashes`` has all if they are known, and from the columns
    of the state: each figure, and the checksum of each text, times a power of an odd number. So it also notices values
    that changed places.
    """
    # most commands of an office seal nothing, and start faster without these
    import numpy as np

    from arpad.proofs.lines import HASH, line_hashes

    hashes = line_hashes(lines_bytes(table)) if hashes is None else hashes
    seals = np.zeros(table.height, np.uint32)
    for number, name in enumerate(_FIGURES):
        figures = table[name].cast(pl.Int64).fill_null(-1).to_numpy().astype(np.uint32)
        seals += figures * np.uint32(pow(_ODD, number, 1 << 32))
    for number, texts in enumerate(table.select(_TEXTS), start=1):
        rows = texts.is_not_null().arg_true()
        checksums = np.array([crc32(text.encode()) for text in texts.gather(rows)], np.uint32)
        seals[rows.to_numpy()] ^= checksums * np.uint32(pow(_ODD, number, 1 << 32))
    beginnings = np.frombuffer(hashes, f"<u{SEAL}")[:: HASH // SEAL]
    seals[table["listed"].to_numpy()] ^= beginnings
    return seals.astype(f"<u{SEAL}").tobytes()


_TEXTS = [name for name, kind in STATE.items() if kind == pl.String]
_FIGURES = ("player", "rating", *(name for name in STATE if name not in _TEXTS))
_ODD = 0x9E3779B1


def seal_table(table: pl.DataFrame) -> list[SealedBlock]:
    """Return a table as blocks."""
    blocks = packed_blocks(table)  # rows are sealed while the bytes are compressed
    return seal_blocks(blocks, table, row_seals(table))


def packed_blocks(table: pl.DataFrame) -> Iterator[SealedBlock]:
    """Begin to compress the blocks of a table; return them in order, without seals."""
    blocks = list(split_blocks(table))
    threads = table_threads(_THREADS) if len(blocks) > 1 else InlineExecutor()
    packed = threads.map(block_bytes, [block for _, block in blocks])

    def finished() -> Iterator[SealedBlock]:
        with threads:
            for (number, _), data in zip(blocks, packed, strict=True):
                yield SealedBlock(number, data, b"", block_digest(data, b""))

    return finished()


def seal_blocks(blocks: Iterable[SealedBlock], table: pl.DataFrame, seals: bytes) -> list[SealedBlock]:
    """Return the blocks of a table with the seals of its rows."""
    sealed, start = [], 0
    for block, (_, rows) in zip(blocks, split_blocks(table), strict=True):
        of_block = seals[start : (start := start + rows.height * SEAL)]
        sealed.append(block._replace(seals=of_block, digest=block_digest(block.data, of_block)))
    return sealed


def split_blocks(table: pl.DataFrame) -> Iterator[tuple[int, pl.DataFrame]]:
    """Yield the blocks of a table that is sorted by player."""
    runs = (table["player"] // BLOCK).rle().struct.unnest()
    start = 0
    for size, number in runs.iter_rows():
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
    # columns in one piece are gathered and compared in half the time of a piece for each block
    return (
        pl.concat(tables, rechunk=True) if tables else pl.DataFrame(schema=SCHEMA).select(columns or pl.all())
    )


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
