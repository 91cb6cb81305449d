"""The words of players' names, by which they are searched."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from anyascii import anyascii
from sqlalchemy import Connection

from arpad.model import names

MOST_CANDIDATES = 20_000


def add_words(connection: Connection, named: Iterable[tuple[str, int]]) -> None:
    """Make players findable by a name; a word that is there already stays."""
    rows = [(word, player) for name, player in named for word in search_words(name)]
    if rows:
        mark = "?" if connection.dialect.name == "sqlite" else "%s"
        statement = f"INSERT INTO name_keys (word, player) VALUES ({mark}, {mark}) ON CONFLICT DO NOTHING"  # noqa: S608  our own table
        connection.exec_driver_sql(statement, rows)


def search_words(name: str) -> set[str]:
    """The words of a name as they are searched: umlauts written out or not, and once more by their sound."""
    return {form for word in names.fold(anyascii(name)) for form in _forms(word)}


@lru_cache(maxsize=65_536)
def _forms(word: str) -> tuple[str, str]:
    plain = written(word)
    return plain, "~" + sound(plain)


def written(word: str) -> str:
    """A word without the e that stands for an umlaut."""
    return re.sub(r"(?<=[aou])e", "", word)


_SOUNDS = (
    ("tsch", "k"), ("tch", "k"), ("sch", "s"), ("sh", "s"), ("zh", "s"), ("ch", "k"), ("kh", "h"), ("ck", "k"),
    ("ph", "f"), ("th", "t"), ("tz", "s"), ("ts", "s"), ("cz", "s"), ("z", "s"), ("c", "k"), ("q", "k"),
    ("x", "ks"), ("w", "f"), ("v", "f"), ("y", "i"), ("j", "i"),
)  # fmt: skip


def sound(word: str) -> str:
    """A word as it sounds in whatever alphabet it went through: Kortschnoi, Korchnoi, Korčnoj."""
    for written, heard in _SOUNDS:
        word = word.replace(written, heard)
    return re.sub(r"(.)\1+", r"\1", word)


def spelled(name: str) -> str:
    """The key of a name in whatever alphabet: two that are equal are spelled the same."""
    return names.key(name if name.isascii() else anyascii(name))
