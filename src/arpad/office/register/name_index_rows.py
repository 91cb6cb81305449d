"""The words of players' names, by which they are searched."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from functools import lru_cache

from sqlalchemy import Connection, delete, select

from arpad.model import names
from arpad.model.names import transliterated
from arpad.office.register.tables import name_keys, player_facts, players
from arpad.store.bulk import in_values, rows_with

MOST_CANDIDATES = 20_000
"""Rows of the index that one search reads at most."""


def add_words(connection: Connection, named: Iterable[tuple[str, int]]) -> None:
    """Add the words of names to the index."""
    rows = [(word, player) for name, player in named for word in search_words(name)]
    if rows:
        mark = "?" if connection.dialect.name == "sqlite" else "%s"
        statement = f"INSERT INTO name_keys (word, player) VALUES ({mark}, {mark}) ON CONFLICT DO NOTHING"  # noqa: S608  our own table
        connection.exec_driver_sql(statement, rows)


def renew_words(connection: Connection, numbers: Collection[int]) -> None:
    """Index some players again, from the names that they have and had."""
    connection.execute(delete(name_keys).where(in_values(connection, name_keys.c.player, numbers)))
    add_words(connection, rows_with(connection, _FIRST_NAMES, players.c.id, numbers))
    add_words(connection, rows_with(connection, _LATER_NAMES, player_facts.c.player, numbers))


_FIRST_NAMES = select(players.c.name, players.c.id)
_LATER_NAMES = select(player_facts.c.value, player_facts.c.player).where(player_facts.c.field == "name")


def searched_words(text: str) -> list[str]:
    """Return the words of a searched text as they are written in the index."""
    return [written(word) for word in names.fold(transliterated(text))]


def search_words(name: str) -> set[str]:
    """Return the words of a name as they are searched: without the e of umlauts, and by sound with a leading ``~``."""
    return {form for word in names.fold(transliterated(name)) for form in word_forms(word)}


@lru_cache(maxsize=65_536)
def word_forms(word: str) -> tuple[str, str]:
    """Return a word as it is searched: as it is written, and by its sound."""
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
