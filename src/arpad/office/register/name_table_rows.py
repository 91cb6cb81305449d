"""The words of the names of many players at once, as columns."""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl
from anyascii import anyascii
from sqlalchemy import Connection, select

from arpad.office.register.name_rows import sound, written
from arpad.office.register.tables import name_keys, player_facts, players
from arpad.store.bulk import fetch_rows
from arpad.store.columns import add_columns, indexes_rebuilt
from arpad.store.damaged_rows import only_in_one


def add_newcomers(connection: Connection, words: pl.DataFrame) -> None:
    """Add the words of players who are not in the index yet (``word_table``)."""
    with indexes_rebuilt(connection, name_keys, words.height):
        add_columns(connection, name_keys, words)


def word_table(named: pl.DataFrame) -> pl.DataFrame:
    """Return the words of the column ``name`` for each ``player``, in order, as ``search_words`` returns them."""
    words = _plain_words(named)
    if words.is_empty():
        return words.select("word", "player")
    distinct = words["word"].unique()
    written_forms, heard_forms = _forms_of(distinct)
    forms = pl.concat([written_forms, "~" + heard_forms])
    texts, places = forms.unique().sort(), (forms.rank("dense") - 1).cast(pl.UInt64)
    # Texts are sorted once each. A row is then one number, its place among them and its player: a tenth of the time.
    rows = words.join(distinct.to_frame().with_row_index("index"), on="word").select("index", "player")
    indexes, players = rows["index"], rows["player"].cast(pl.UInt64)
    both = [places.gather(at) * _PLAYERS + players for at in (indexes, indexes + len(distinct))]
    in_order = pl.concat(both).unique().sort()
    return pl.DataFrame(
        {"word": texts.gather(in_order // _PLAYERS), "player": (in_order % _PLAYERS).cast(pl.Int64)}
    )


_PLAYERS = 1 << 32
"""More than any player's number."""


def heard_words(named: pl.DataFrame) -> pl.DataFrame:
    """Return the words of the column ``name`` by their sound for each ``player``, in no order."""
    words = _plain_words(named)
    if words.is_empty():
        return words.select("word", "player")
    distinct = words["word"].unique()
    heard = pl.DataFrame([distinct, _forms_of(distinct)[1].alias("heard")])
    return words.join(heard, on="word").select(pl.col("heard").alias("word"), "player").unique()


def _forms_of(words: pl.Series) -> tuple[pl.Series, pl.Series]:
    """Return words as they are written and by their sound, as ``word_forms`` does: all in one text, which is fast."""
    plain = written("\n".join(words.to_list()))
    as_written, heard = (pl.Series("word", text.split("\n")) for text in (plain, sound(plain)))
    return as_written, heard


def _plain_words(named: pl.DataFrame) -> pl.DataFrame:
    """Return each word of the column ``name`` in plain letters, with its ``player``."""
    letters = "".join(named["name"].filter(named["name"].str.contains(_NOT_ASCII)).unique())
    others = [letter for letter in {*letters} if not letter.isascii()]
    name = pl.col("name")
    if others:
        name = name.str.replace_many(others, [anyascii(letter) for letter in others])
    plain = name.str.to_lowercase().str.replace_all("'", "", literal=True)
    return (
        named.select("player", plain.str.extract_all("[a-z0-9]+").alias("word")).explode("word").drop_nulls()
    )


_NOT_ASCII = r"[^\x00-\x7F]"


def differing_words(connection: Connection, erased: Mapping[int, int]) -> list[str]:
    """Return the words of the index that are not those of the names; ``erased`` is player → act of the erasure."""
    names = select(players.c.id, players.c.name, players.c.act)
    changes = select(player_facts.c.player, player_facts.c.value, player_facts.c.act)
    changes = changes.where(player_facts.c.field == "name")
    named = [
        (player, name)
        for query in (names, changes)
        for player, name, act in fetch_rows(connection, query)
        if act > erased.get(player, 0)
    ]
    expected = word_table(pl.DataFrame(named, schema={"player": pl.Int64, "name": pl.String}, orient="row"))
    rows = fetch_rows(connection, select(name_keys.c.word, name_keys.c.player))
    return only_in_one(pl.DataFrame(rows, schema=expected.schema, orient="row"), expected)
