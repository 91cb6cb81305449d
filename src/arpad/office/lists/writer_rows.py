"""Enter a list: its own row, its players in blocks, their history, and its rankings; compare what follows from them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future
from typing import Any

import polars as pl
from sqlalchemy import Connection, delete, select

from arpad.lists.canonical import parse_head
from arpad.lists.published_table import list_table
from arpad.lists.rankings import Rankings, compute_rankings
from arpad.lists.sealed_blocks import BLOCK, SealedBlock, seal_table
from arpad.model.errors import Unreadable
from arpad.office.lists.block_rows import add_blocks, read_table
from arpad.office.lists.history_rows import add_history, history_rows, players_of, read_changes
from arpad.office.lists.page_rows import add_rankings
from arpad.office.lists.rows import Publication, add_publication
from arpad.office.lists.tables import BASE, list_history, ranking_pages, rankings
from arpad.store.bulk import fetch_rows
from arpad.store.damaged_rows import differing_rows
from arpad.store.proved_rows import MOST_NAMED, shown_values
from arpad.system.batches import thread_if


def add_list(
    connection: Connection,
    publication: Publication,
    table: pl.DataFrame,
    blocks: Sequence[SealedBlock] | None = None,
    rankings: Future[Rankings] | None = None,
    changes: pl.DataFrame | None = None,
) -> None:
    """Add a list with the players of a table.

    ``blocks`` are the same players, if a draft has sealed them; ``rankings`` are those of the list and ``changes`` what
    differs from the list before it, if somebody computes them.
    """
    add_publication(connection, publication)
    with thread_if(much=len(table) > BLOCK) as thread:  # the rankings are computed while other rows are added
        ranking = rankings or thread.submit(rankings_of, publication, table)
        add_blocks(connection, publication.id, seal_table(table) if blocks is None else blocks)
        changed = read_changes(connection, publication, table) if changes is None else changes
        add_history(connection, publication, changed)
        add_rankings(connection, publication.id, ranking.result())


def rankings_of(publication: Publication, table: pl.DataFrame) -> Rankings:
    """Return the rankings of a list; none of a corrected start, which is not shown."""
    if publication.kind == BASE:
        return Rankings([], [])
    return compute_rankings(list_table(parse_head(publication.head), table))


def renew_derived(connection: Connection, publication: Publication) -> None:
    """Store the history and the rankings of a list again, after an erasure changed its players."""
    table = read_table(connection, publication.id)
    for derived in (list_history, ranking_pages, rankings):
        connection.execute(delete(derived).where(derived.c.publication == publication.id))
    add_history(connection, publication, read_changes(connection, publication, table))
    add_rankings(connection, publication.id, rankings_of(publication, table))


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
