"""Reference lists: the players of another body's list as sealed blocks of columns, by their number.

A block has 4,096 players in the order of their numbers as a compressed Arrow stream, its first and last number, and its
digest. A number is found by reading one block. The digest of a list is that of the digests of its blocks.
"""

from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from hashlib import sha256
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from sqlalchemy import Connection, Select, Table, bindparam, delete, select

from arpad.lists.reference import SCHEMA, list_texts, players_of, sorted_blocks
from arpad.lists.sealed_blocks import block_bytes
from arpad.model.errors import Unreadable
from arpad.model.rules import ListName
from arpad.office.fide.tables import reference_blocks, reference_hashes, reference_lists, reference_removals
from arpad.reports.formats.lists.fide_rows import ListRow
from arpad.store.bulk import add_numbered, add_rows, cached_until_act, fetch_rows, revoke
from arpad.store.triggers import allow_changes
from arpad.system.batches import batches
from arpad.system.lru import Lru

BLOCK = 4096
"""Players in a block."""

_CACHED = 640
"""Blocks that are kept open: all of FIDE's list, which takes 84 MB, and the words of its names, which take 44 MB."""

_ASKED = 50
"""Blocks that one query reads."""


@dataclass(frozen=True, slots=True)
class Reference:
    """A reference list as it is on record."""

    id: int
    source: str
    day: date
    lists: tuple[ListName, ...]
    """The lists whose ratings it has."""

    file: str
    sha256: str
    """Of the file."""

    rows: int
    digest: str
    """Of its blocks."""

    act: int
    removed: int | None = None
    """The act that removed it."""


class ReferenceBlock(NamedTuple):
    """A block as it is stored: of players by number, or of words, whose first and last are texts."""

    block: int
    first: int | str
    last: int | str
    data: bytes
    digest: str

    def table(self, columns: Sequence[str] | None = None) -> pl.DataFrame:
        """Return the table; refuse bytes that were altered, since Polars trusts what it reads."""
        if sha256(self.data).hexdigest() != self.digest:
            code = "reference-altered" if isinstance(self.first, int) else "reference-words-altered"
            raise Unreadable(code, first=self.first, last=self.last)
        return pl.read_ipc_stream(self.data, columns=list(columns) if columns else None)


# ----------------------------------------------------------------------------------------------------- the lists


@cached_until_act
def all_references(connection: Connection) -> tuple[Reference, ...]:
    """Return every reference list on record, also the removed ones, by day."""
    removed = dict(fetch_rows(connection, select(reference_removals)))
    query = select(reference_lists).order_by(reference_lists.c.day, reference_lists.c.id)
    return tuple(
        Reference(
            row.id, row.source, date.fromisoformat(row.day), tuple(ListName(name) for name in row.lists.split()),
            row.file, row.sha256, row.rows, row.digest, row.act, removed.get(row.id),
        )
        for row in connection.execute(query)
    )  # fmt: skip


def references(connection: Connection) -> tuple[Reference, ...]:
    """Return the reference lists that are kept, by day."""
    return tuple(it for it in all_references(connection) if it.removed is None)


def newest_reference(connection: Connection) -> Reference | None:
    """Return the newest reference list that is kept."""
    return max(references(connection), key=lambda it: (it.day, it.id), default=None)


def reference_in_force(
    kept: Iterable[Reference], on_list: ListName, day: date, *, takes_standard: bool = False
) -> Reference | None:
    """Return the reference list with ratings of a list that is in force on a day.

    With ``takes_standard`` a list of standard ratings serves if there is no other.
    """
    begun = [it for it in kept if it.day <= day]
    of_list = [it for it in begun if on_list in it.lists]
    if takes_standard and not of_list:
        of_list = [it for it in begun if ListName.STANDARD in it.lists]
    return max(of_list, key=lambda it: (it.day, it.id), default=None)


# ------------------------------------------------------------------------------------------------------- writing


def add_reference(
    connection: Connection,
    table: pl.DataFrame,
    *,
    source: str,
    day: date,
    lists: Sequence[ListName],
    file: str,
    sha256_of_file: str,
    act: int,
) -> Reference:
    """Add a reference list (``lists.reference``)."""
    blocks = [seal_block(number, block, "id") for number, block in enumerate(sorted_blocks(table, BLOCK))]
    row = {
        "source": source, "day": str(day), "lists": list_texts(lists), "file": file, "sha256": sha256_of_file,
        "rows": table.height, "digest": digest_of(block.digest for block in blocks), "act": act,
    }  # fmt: skip
    number = add_numbered(connection, reference_lists, row)
    add_rows(connection, reference_blocks, BLOCK_COLUMNS, ((number, *block) for block in blocks))
    return next(it for it in all_references(connection) if it.id == number)


def seal_block(number: int, table: pl.DataFrame, key: str) -> ReferenceBlock:
    """Return a block of a table that is sorted by a column."""
    data = block_bytes(table)
    return ReferenceBlock(number, table[key][0], table[key][-1], data, sha256(data).hexdigest())


BLOCK_COLUMNS = ("reference", *ReferenceBlock._fields)


def digest_of(blocks: Iterable[str]) -> str:
    """Return the digest of a reference list from those of its blocks."""
    return sha256("\n".join(blocks).encode()).hexdigest()


def remove_reference(connection: Connection, reference: int, act: int) -> None:
    """Delete the players of a reference list; its row stays on record."""
    with allow_changes(connection, ["reference_blocks"]):
        connection.execute(delete(reference_blocks).where(reference_blocks.c.reference == reference))
    revoke(connection, reference_removals, reference, act)


def erase_numbers(connection: Connection, numbers: Collection[int]) -> dict[str, dict[str, Any]]:
    """Delete some players from all reference lists; return what was done to each that had them.

    That is the new ``digest`` of the list, and in ``rows`` for each block the places and hashes of the deleted rows.
    Only an erasure does this, inside ``office.proof.erasure_rows.erasing``.
    """
    from arpad.proofs.lines import HASH  # only an erasure needs it

    erased: dict[str, dict[str, Any]] = {}
    for reference in references(connection):
        deleted: dict[str, list[list[Any]]] = {}
        for block in _blocks(connection, reference.id, _at(connection, reference.id, numbers)):
            table = block.table()
            places = table["id"].is_in(list(numbers)).arg_true().to_list()
            if not places:
                continue
            hashes = reference_hashes(block.data)
            deleted[str(block.block)] = [[at, hashes[at * HASH : (at + 1) * HASH].hex()] for at in places]
            data = block_bytes(table.filter(~pl.col("id").is_in(list(numbers))))
            values = {"data": data, "digest": sha256(data).hexdigest()}
            this = (reference_blocks.c.reference == reference.id) & (reference_blocks.c.block == block.block)
            connection.execute(reference_blocks.update().where(this).values(values))
        if deleted:
            erased[str(reference.id)] = {"digest": stored_digest(connection, reference.id), "rows": deleted}
    return erased


# ------------------------------------------------------------------------------------------------------- reading


def read_numbers(
    connection: Connection, reference: int, numbers: Iterable[int], columns: Sequence[str] | None = None
) -> pl.DataFrame:
    """Return the rows of some numbers of a reference list, by number, with all columns or those named."""
    wanted = np.array(sorted(set(numbers)), np.int64)
    named = None if columns is None else ["id", *(it for it in columns if it != "id")]
    tables = []
    for some in batches(sorted(_at(connection, reference, wanted.tolist())), _ASKED):
        if named is None:
            table = pl.concat([open_block(connection, reference, at) for at in some])
        else:
            table = pl.concat([block.table(named) for block in _blocks(connection, reference, some)])
        ids = table["id"].to_numpy()  # in order
        places = np.searchsorted(ids, wanted).clip(max=len(ids) - 1)
        at = places[ids[places] == wanted]
        tables.append(table.slice(at[0], 1) if len(at) == 1 else table[at])  # an index asks polars' threads
    rows = pl.concat(tables) if tables else pl.DataFrame(schema=SCHEMA)
    return rows if columns is None else rows.select(columns)


def read_players(connection: Connection, reference: int, numbers: Iterable[int]) -> dict[int, ListRow]:
    """Return some players of a reference list by number."""
    return {player.id: player for player in players_of(read_numbers(connection, reference, numbers))}


def reference_players(connection: Connection, numbers: Iterable[int]) -> dict[int, ListRow]:
    """Return what the newest reference list says about some numbers; nothing if there is none."""
    newest = newest_reference(connection)
    return read_players(connection, newest.id, numbers) if newest else {}


def read_federation(
    connection: Connection, reference: int, federation: str, numbers: Iterable[int]
) -> Iterator[ListRow]:
    """Yield the players of a federation on a reference list, and those with some numbers."""
    wanted = list(numbers)
    for block in read_blocks(connection, reference):
        chosen = (pl.col("federation") == federation) | pl.col("id").is_in(wanted)
        yield from players_of(block.table().filter(chosen))


def read_blocks(connection: Connection, reference: int) -> Iterator[ReferenceBlock]:
    """Yield all blocks of a reference list, some at a time."""
    return _blocks(connection, reference, range(len(block_index(connection, reference))))


def stored_digest(connection: Connection, reference: int) -> str:
    """Return the digest of a reference list's blocks as they are stored."""
    query = select(reference_blocks.c.digest).where(reference_blocks.c.reference == reference)
    return digest_of(digest for (digest,) in fetch_rows(connection, query.order_by(reference_blocks.c.block)))


@cached_until_act
def block_index(
    connection: Connection, reference: int, table: Table = reference_blocks
) -> list[tuple[Any, Any, str]]:
    """Return the first and the last number or word of each block, and its digest."""
    query = select(table.c.first, table.c.last, table.c.digest).where(table.c.reference == reference)
    return [
        (first, last, digest) for first, last, digest in fetch_rows(connection, query.order_by(table.c.block))
    ]


def _at(connection: Connection, reference: int, numbers: Iterable[int]) -> set[int]:
    """Return the blocks that may have some numbers."""
    index = block_index(connection, reference)
    firsts = [first for first, *_ in index]
    places = ((number, bisect_right(firsts, number) - 1) for number in numbers)
    return {at for number, at in places if at >= 0 and number <= index[at][1]}


def _blocks(
    connection: Connection, reference: int, numbers: Iterable[int], table: Table = reference_blocks
) -> Iterator[ReferenceBlock]:
    for batch in batches(sorted(numbers), _ASKED):
        values = {"reference": reference, "blocks": batch}
        yield from map(ReferenceBlock._make, fetch_rows(connection, _some_blocks(table), values))


@cache
def _some_blocks(table: Table) -> Select[Any]:
    """Return the query for some blocks, which is made once: they may be read one by one."""
    query = select(*(table.c[name] for name in ReferenceBlock._fields)).order_by(table.c.block)
    return query.where(
        table.c.reference == bindparam("reference"), table.c.block.in_(bindparam("blocks", expanding=True))
    )


_tables: Lru[pl.DataFrame] = Lru(_CACHED)


def open_block(
    connection: Connection, reference: int, at: int, table: Table = reference_blocks
) -> pl.DataFrame:
    """Return the players or words of a block; its bytes are read only if they are not open yet."""
    _, _, digest = block_index(connection, reference, table)[at]
    return _tables.get(digest, lambda: next(_blocks(connection, reference, [at], table)).table())
