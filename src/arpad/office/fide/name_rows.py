"""Search the newest reference list by name: sorted words by their sound, in compressed blocks, each with its number.

A searched word reads the few blocks in which words begin like it, whatever the length of the list.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Hashable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from hashlib import sha256
from typing import TypeVar

import numpy as np
import polars as pl
from numpy.typing import NDArray
from sqlalchemy import Connection, delete, select

from arpad.model.errors import ArpadError
from arpad.office.fide.rows import (
    BLOCK_COLUMNS,
    block_index,
    newest_reference,
    open_block,
    read_blocks,
    read_players,
    seal_block,
)
from arpad.office.fide.tables import reference_words
from arpad.office.register.name_rows import search_words, searched_words, sound
from arpad.office.register.table_rows import heard_words
from arpad.reports.formats.lists.fide_rows import ListRow
from arpad.store.bulk import add_rows, fetch_rows
from arpad.store.proved_rows import MOST_NAMED

BLOCK = 32_768
"""Words in a block."""

_MOST_BLOCKS = 8
"""Blocks that one word reads at most: a single letter begins a twentieth of all words."""

_READ = 3
"""How many candidates are read for each player shown: the sound is wider than the name."""


MOST_ALIKE = 300
"""Players with as many words of a name, at most, for the name to say anything."""

_TELLING = 3
"""Letters of a word that is neither an initial nor a particle."""

Key = TypeVar("Key", bound=Hashable)


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


def numbers_with_words(
    connection: Connection, reference: int, wanted: Mapping[Key, tuple[str, int]]
) -> dict[Key, list[int]]:
    """Return the numbers whose names have at least some of the words of a text, by sound, for many texts at once.

    ``wanted`` has each text and how many words count; all, if the text has fewer. Numbers with most words in common
    come first. Where too many have as many, none of them says anything and they are left out.
    """
    words_of = {key: {*map(sound, _telling_words(text))} for key, (text, _) in wanted.items()}
    having = _numbers_by_word(connection, reference, {word for words in words_of.values() for word in words})
    nobody = np.empty(0, np.int64)
    numbers: dict[Key, list[int]] = {}
    for key, (_, least) in wanted.items():
        common = _with_most(
            [having.get(word, nobody) for word in words_of[key]], min(least, len(words_of[key]))
        )
        if common:
            numbers[key] = common
    return numbers


def _with_most(having: Sequence[NDArray[np.int64]], least: int) -> list[int]:
    """Return the numbers that are in at least some of the columns, those in most of them first.

    A number in so many columns is also in one of the shortest, so the words that most players have are not searched
    for, only counted.
    """
    shortest_first = sorted(having, key=len)
    numbers = np.unique(np.concatenate([np.empty(0, np.int64), *shortest_first[: len(having) - least + 1]]))
    shared = np.zeros(len(numbers), np.int64)
    for column in having:
        if len(column):
            places = np.minimum(np.searchsorted(column, numbers), len(column) - 1)
            shared += column[places] == numbers
    shared, numbers = shared[shared >= least], numbers[shared >= least]
    order = np.argsort(-shared, kind="stable")
    as_many = np.searchsorted(-shared[order], -shared[order], side="right")
    chosen: list[int] = numbers[order][as_many <= MOST_ALIKE].tolist()
    return chosen


def _telling_words(text: str) -> list[str]:
    """Return the words of a name without initials and particles, if any are left."""
    words = searched_words(text)
    return [word for word in words if len(word) >= _TELLING] or words


def _numbers_by_word(
    connection: Connection, reference: int, words: AbstractSet[str]
) -> dict[str, NDArray[np.int64]]:
    """Return the numbers whose names have each of some words, in order; each block of the index is read once."""
    ordered = sorted(words)
    having: dict[str, list[NDArray[np.int64]]] = {}
    for at, (first, last, _) in enumerate(block_index(connection, reference, reference_words)):
        some = ordered[bisect_left(ordered, first) : bisect_right(ordered, last)]
        if not some:
            continue
        table = open_block(connection, reference, at, reference_words)
        ids, texts = table["id"].to_numpy(), pl.Series(some, dtype=pl.String)
        places = (table["word"].search_sorted(texts, side) for side in ("left", "right"))
        for word, begin, end in zip(some, *places, strict=True):
            if begin < end:
                having.setdefault(word, []).append(ids[begin:end])
    return {word: np.concatenate(parts) for word, parts in having.items()}


def _numbers(connection: Connection, reference: int, word: str) -> pl.DataFrame:
    """Return the numbers whose names have a word that begins like this one, and whether a word is the same."""
    index = block_index(connection, reference, reference_words)
    blocks = [at for at, (first, last, _) in enumerate(index) if last >= word and first < word + "{"]
    tables = [open_block(connection, reference, at, reference_words) for at in blocks[:_MOST_BLOCKS]]
    empty = pl.DataFrame(schema={"word": pl.String, "id": pl.Int64})
    words = pl.concat([empty, *tables]).filter(pl.col("word").str.starts_with(word))
    return words.group_by("id").agg((pl.col("word") == word).any().alias("same"))


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


def differing_reference_words(connection: Connection) -> list[str]:
    """Return the blocks of words that are not those of the newest reference list."""
    newest = newest_reference(connection)
    number = newest.id if newest else 0
    try:
        expected = dict(enumerate(collected_words(connection).blocks()))
    except ArpadError:  # its blocks are altered, and named
        return []
    differing: list[str] = []
    for reference, block, first, last, data, digest in fetch_rows(connection, select(reference_words)):
        words = expected.pop(block, None) if reference == number else None
        right = (
            words is not None
            and sha256(data).hexdigest() == digest
            and (first, last) == (words["word"][0], words["word"][-1])
            and _table_of(bytes(data)).equals(words)
        )
        if not right:
            differing.append(f"{reference}, {block}")
    return [*differing, *(f"{number}, {block}" for block in expected)][:MOST_NAMED]


def _table_of(data: bytes) -> pl.DataFrame:
    try:
        return pl.read_ipc_stream(data)
    except (pl.exceptions.PolarsError, OSError):
        return pl.DataFrame()
