"""Compare the history and the rankings of a list with its players, from which they follow."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import polars as pl
from sqlalchemy import Connection, select

from arpad.model.errors import Unreadable
from arpad.office.lists.history_rows import history_rows, players_of
from arpad.office.lists.rows import Publication
from arpad.office.lists.tables import list_history
from arpad.office.lists.writer_rows import rankings_of
from arpad.store.bulk import fetch_rows
from arpad.store.damaged_rows import differing_rows
from arpad.store.proved_rows import MOST_NAMED, shown_values


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
