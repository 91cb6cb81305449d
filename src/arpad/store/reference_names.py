"""Search the newest reference list by name: sorted words by their sound, in compressed blocks, each with its number.

A searched word reads the few blocks in which words begin like it, whatever the length of the list.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from hashlib import sha256

import polars as pl
from sqlalchemy import Connection, delete, select

from arpad.model.errors import Unreadable
from arpad.reports.formats.lists.fide_rows import ListRow
from arpad.store.bulk import add_rows, fetch_rows
from arpad.store.name_index import search_words, searched_words, sound
from arpad.store.name_table import heard_words
from arpad.store.reference_blocks import (
    BLOCK_COLUMNS,
    newest_reference,
    read_blocks,
    read_players,
    seal_block,
)
from arpad.store.schema import reference_words

BLOCK = 32_768
"""Words in a block."""

_MOST_BLOCKS = 8
"""Blocks that one word reads at most: a single letter begins a twentieth of all words."""

_READ = 3
"""How many candidates are read for each player shown: the sound is wider than the name."""


class WordCollector:
    """The words of a list's names, collected chunk by chunk."""

    def __init__(self) -> None:
        self._chunks: list[pl.DataFrame] = []

    def add(self, table: pl.DataFrame) -> None:
        """Add the names of a chunk with the columns ``id`` and ``name``."""
        words = heard_words(table.select(pl.col("id").alias("player"), "name"))
        self._chunks.append(words.with_columns(pl.col("word").cast(pl.Categorical)))

    def blocks(self) -> Iterable[pl.DataFrame]:
        """Yield the words in order, a block at a time."""
        if not self._chunks:
            return
        words = pl.concat(self._chunks)
        # Texts are sorted once each, the rows by their places.
        texts = words["word"].unique().cast(pl.String).sort()
        places = pl.DataFrame({"word": texts, "place": pl.int_range(len(texts), dtype=pl.UInt32, eager=True)})
        rows = words.join(places.with_columns(pl.col("word").cast(pl.Categorical)), on="word")
        rows = rows.select("place", "player").sort("place", "player")
        for start in range(0, rows.height, BLOCK):
            part = rows.slice(start, BLOCK)
            yield part.select(pl.lit(texts).gather("place").alias("word"), pl.col("player").alias("id"))


def replace_words(connection: Connection, reference: int, collected: WordCollector) -> None:
    """Store the words of the newest reference list; those of the one before are deleted."""
    connection.execute(delete(reference_words))
    blocks = (seal_block(number, table, "word") for number, table in enumerate(collected.blocks()))
    add_rows(connection, reference_words, BLOCK_COLUMNS, ((reference, *block) for block in blocks))


def rebuild_words(connection: Connection) -> None:
    """Store the words of the newest reference list again, after one was removed or a player was erased."""
    newest = newest_reference(connection)
    replace_words(connection, newest.id if newest else 0, collected_words(connection))


def collected_words(connection: Connection) -> WordCollector:
    """Return the words of the newest reference list."""
    collected = WordCollector()
    newest = newest_reference(connection)
    for block in read_blocks(connection, newest.id) if newest else ():
        collected.add(block.table(["id", "name"]))
    return collected


# ----------------------------------------------------------------------------------------------------- searching


def search_reference(connection: Connection, text: str, limit: int = 20) -> list[ListRow]:
    """Return players of the newest reference list whose names have words that begin like all the words of a text.

    Matches as written come before matches by sound, complete words before longer ones.
    """
    newest = newest_reference(connection)
    searched = list(dict.fromkeys(searched_words(text)))
    if newest is None or not searched:
        return []
    by_word = [_numbers(connection, newest.id, sound(word)) for word in searched]
    numbers = _in_all(sorted(by_word, key=lambda table: table.height))
    players = read_players(connection, newest.id, numbers[: _READ * limit])
    ordered = sorted(players.values(), key=lambda it: (_distance(searched, it.name), it.name, it.id))
    return ordered[:limit]


def _numbers(connection: Connection, reference: int, word: str) -> pl.DataFrame:
    """Return the numbers whose names have a word that begins like this one, and whether a word is the same."""
    columns = reference_words.c
    query = select(columns.first, columns.data, columns.digest)
    query = query.where(columns.reference == reference, columns.last >= word, columns.first < word + "{")
    rows = fetch_rows(connection, query.order_by(columns.block).limit(_MOST_BLOCKS))
    tables = [_opened(*row) for row in rows]
    empty = pl.DataFrame(schema={"word": pl.String, "id": pl.Int64})
    words = pl.concat([empty, *tables]).filter(pl.col("word").str.starts_with(word))
    return words.group_by("id").agg((pl.col("word") == word).any().alias("same"))


@lru_cache(maxsize=_MOST_BLOCKS)
def _opened(first: str, data: bytes, digest: str) -> pl.DataFrame:
    if sha256(data).hexdigest() != digest:
        raise Unreadable("reference-words-altered", first=first)
    return pl.read_ipc_stream(data)


def _in_all(tables: Sequence[pl.DataFrame]) -> list[int]:
    """Return the numbers that all tables have, those with most words in common first."""
    common = tables[0].with_columns(pl.col("same").cast(pl.Int8))
    for table in tables[1:]:
        common = common.join(table.rename({"same": "more"}), on="id").select(
            "id", pl.col("same") + pl.col("more")
        )
    return common.sort("same", "id", descending=[True, False])["id"].to_list()


def _distance(searched: Sequence[str], name: str) -> int:
    """Return how far a name is from the searched words: 0 if all are in it as they are written."""
    words = {word for word in search_words(name) if not word.startswith("~")}
    return sum(
        0 if word in words else 1 if any(it.startswith(word) for it in words) else 2 for word in searched
    )
