"""The words of players' names, by which they are searched."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

import polars as pl
from anyascii import anyascii
from sqlalchemy import Connection, func, select

from arpad.model import names
from arpad.model.names import transliterated
from arpad.store.bulk import add_rows
from arpad.store.schema import name_keys

MOST_CANDIDATES = 20_000
"""Rows of the index that one search reads at most."""


def add_words(connection: Connection, named: Iterable[tuple[str, int]]) -> None:
    """Add the words of names to the index."""
    rows = [(word, player) for name, player in named for word in search_words(name)]
    if rows:
        mark = "?" if connection.dialect.name == "sqlite" else "%s"
        statement = f"INSERT INTO name_keys (word, player) VALUES ({mark}, {mark}) ON CONFLICT DO NOTHING"  # noqa: S608  our own table
        connection.exec_driver_sql(statement, rows)


def add_newcomers(connection: Connection, words: pl.DataFrame) -> None:
    """Add the words of players who are not in the index yet (``word_table``)."""
    index = next(index for index in name_keys.indexes if index.name == "ix_name_keys_player")
    # SQLite sorts a whole index in half the time of filling it row by row. PostgreSQL would lock the readers out.
    rebuild = connection.dialect.name == "sqlite" and not _has_more(connection, words.height)
    if rebuild:
        index.drop(connection)
    add_rows(connection, name_keys, ("word", "player"), words.iter_rows())
    if rebuild:
        index.create(connection)


def _has_more(connection: Connection, rows: int) -> bool:
    """Return whether the index has more rows than these."""
    some = select(name_keys.c.player).limit(rows + 1).subquery()
    return connection.execute(select(func.count()).select_from(some)).scalar_one() > rows


def word_table(named: pl.DataFrame) -> pl.DataFrame:
    """Return the words of the column ``name`` for each ``player``, in order, as ``search_words`` returns them."""
    letters = "".join({letter for name in named["name"].unique() if not name.isascii() for letter in name})
    others = [letter for letter in letters if not letter.isascii()]
    name = pl.col("name")
    if others:
        name = name.str.replace_many(others, [anyascii(letter) for letter in others])
    plain = name.str.to_lowercase().str.replace_all("'", "", literal=True)
    words = (
        named.select("player", plain.str.extract_all("[a-z0-9]+").alias("word")).explode("word").drop_nulls()
    )
    distinct = words["word"].unique()
    forms = pl.DataFrame([_forms(word) for word in distinct], schema=["plain", "heard"], orient="row")
    # Texts are sorted once each, the rows by their places: a fifth of the time of sorting the rows by text.
    texts = pl.concat([forms["plain"], forms["heard"].alias("plain")]).unique().sort().alias("word")
    places = pl.DataFrame({"form": texts, "place": range(len(texts))}, schema_overrides={"place": pl.UInt32})
    both = pl.concat(
        [forms.select(pl.lit(distinct).alias("word"), pl.col(form).alias("form")) for form in forms.columns]
    )
    rows = (
        words.join(both.join(places, on="form"), on="word")
        .select("place", "player")
        .unique()
        .sort("place", "player")
    )
    return rows.select(pl.lit(texts).gather("place").alias("word"), "player")


def search_words(name: str) -> set[str]:
    """Return the words of a name as they are searched: without the e of umlauts, and by sound with a leading ``~``."""
    return {form for word in names.fold(transliterated(name)) for form in _forms(word)}


@lru_cache(maxsize=65_536)
def _forms(word: str) -> tuple[str, str]:
    plain = written(word)
    return plain, "~" + sound(plain)


def written(word: str) -> str:
    """Return a word without the e that is written for an umlaut."""
    return re.sub(r"(?<=[aou])e", "", word)


_SOUNDS = (
    ("tsch", "k"), ("tch", "k"), ("sch", "s"), ("sh", "s"), ("zh", "s"), ("ch", "k"), ("kh", "h"), ("ck", "k"),
    ("ph", "f"), ("th", "t"), ("tz", "s"), ("ts", "s"), ("cz", "s"), ("z", "s"), ("c", "k"), ("q", "k"),
    ("x", "ks"), ("w", "f"), ("v", "f"), ("y", "i"), ("j", "i"),
)  # fmt: skip


def sound(word: str) -> str:
    """Return a word by its sound, alike for all transcriptions: Kortschnoi, Korchnoi, Korčnoj."""
    for written, heard in _SOUNDS:
        word = word.replace(written, heard)
    return re.sub(r"(.)\1+", r"\1", word)
