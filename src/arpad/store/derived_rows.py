"""Compare tables that follow from other rows with what they follow from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from typing import Any

import polars as pl
from sqlalchemy import Connection, exists, select

from arpad.model.canonical_json import load
from arpad.model.errors import ArpadError, Unreadable
from arpad.office.fide.name_rows import collected_words
from arpad.office.fide.rows import newest_reference
from arpad.office.lists.history_rows import history_rows, players_of
from arpad.office.lists.rows import Publication
from arpad.office.lists.writer_rows import rankings_of
from arpad.office.register.name_table_rows import word_table
from arpad.store.bulk import fetch_rows
from arpad.store.proved_rows import MOST_NAMED, shown_values
from arpad.store.schema import (
    META,
    entrants,
    list_history,
    name_keys,
    player_facts,
    player_reports,
    players,
    reference_words,
)


def differing_rows(
    connection: Connection, table: str, among: Mapping[str, Any], expected: Iterable[tuple[Any, ...]]
) -> list[str]:
    """Return the keys of the rows of a table, among those with some values, that are not those expected.

    An expected row has the columns in their order.
    """
    stored = META.tables[table]
    query = select(stored).where(*(stored.c[name] == value for name, value in among.items()))
    rows = {tuple(row) for row in fetch_rows(connection, query)}
    places = [list(stored.columns).index(column) for column in stored.primary_key.columns]
    keys = {tuple(row[place] for place in places) for row in rows ^ set(expected)}
    return [shown_values(key) for key in sorted(keys, key=repr)[:MOST_NAMED]]


# ------------------------------------------------------------------------------------------------------ of a list


def differing_of_list(
    connection: Connection, publication: Publication, table: pl.DataFrame
) -> Iterator[tuple[str, str]]:
    """Yield table and key of the rows that do not follow from the players of a list: history and rankings."""
    number, own = publication.id, {"publication": publication.id}
    for row in _differing_history(connection, number, history_rows(connection, publication, table)):
        yield "list_history", row
    try:
        computed = rankings_of(publication, table)
    except Unreadable:
        yield "publications", str(number)
        return
    for name, expected in (("ranking_pages", computed.pages), ("rankings", computed.totals)):
        for row in differing_rows(connection, name, own, [(number, *row) for row in expected]):
            yield name, row


def _differing_history(
    connection: Connection, publication: int, expected: Iterable[tuple[Any, ...]]
) -> list[str]:
    """Return list and player of the lines of a history that are not those expected."""
    query = select(list_history).where(list_history.c.publication == publication)
    rows = {tuple(row) for row in fetch_rows(connection, query)}
    computed_rows = set(expected)
    names: set[tuple[int, str]] = set()
    for block in {block for _, block, _ in rows ^ computed_rows}:
        stored, computed = (
            {line for _, other, changes in part if other == block for line in str(changes).split("\n")}
            for part in (rows - computed_rows, computed_rows - rows)
        )
        players = {line.partition("\t")[0] for line in stored ^ computed} - {""}
        names |= {(block, player) for player in players or {players_of(block)}}
    return [shown_values((publication, player)) for _, player in sorted(names)[:MOST_NAMED]]


def orphaned_rows(connection: Connection) -> Iterator[tuple[str, str]]:
    """Yield table and key of the rows that belong to a list, a draft or a live list that does not exist."""
    for owner, owned in _OWNED.items():
        for table in map(META.tables.__getitem__, owned):
            # the key of an owner comes first in the keys of its rows
            own = zip(table.primary_key.columns, META.tables[owner].primary_key.columns, strict=False)
            query = select(*table.primary_key.columns).where(
                ~exists().where(*(column == of for column, of in own))
            )
            for key in connection.execute(query.limit(MOST_NAMED)):
                yield table.name, shown_values(key)


_OWNED = {
    "publications": ("list_history", "rankings", "ranking_pages"),
    "drafts": ("draft_blocks", "draft_inputs"),
    "live_lists": ("live_reports", "live_rows"),
}


# -------------------------------------------------------------------------------------------------- of the register


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
    return _only_in_one(pl.DataFrame(rows, schema=expected.schema, orient="row"), expected)


def differing_player_reports(connection: Connection) -> list[str]:
    """Return the rows of the index of players and reports that are not those of the entrants."""
    schema = {"player": pl.Int64, "report": pl.Int64}
    try:
        pairs = [
            (player, report)
            for report, numbers in fetch_rows(connection, select(entrants.c.report, entrants.c.players))
            for player in load(numbers)
        ]
        expected = pl.DataFrame(pairs, schema=schema, orient="row").unique()
    except (ValueError, TypeError, pl.exceptions.PolarsError):  # a row of entrants is altered, and named
        return []
    rows = fetch_rows(connection, select(player_reports.c.player, player_reports.c.report))
    return _only_in_one(pl.DataFrame(rows, schema=schema, orient="row"), expected)


def _only_in_one(stored: pl.DataFrame, expected: pl.DataFrame) -> list[str]:
    """Return the first rows that are in one of two tables with the same two columns."""
    names = stored.columns
    both = pl.concat([
        stored.join(expected, on=names, how="anti"),
        expected.join(stored, on=names, how="anti"),
    ])  # fmt: skip
    return [f"{first}, {second}" for first, second in both.sort(names).head(MOST_NAMED).iter_rows()]


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
