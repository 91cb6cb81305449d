"""Enter a list: its own row, its players in blocks, their history, and its rankings."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future

import polars as pl
from sqlalchemy import Connection, delete

from arpad.lists.canonical import parse_head
from arpad.lists.published_table import list_table
from arpad.lists.rankings import Rankings, compute_rankings
from arpad.lists.sealed_blocks import BLOCK, SealedBlock, seal_table
from arpad.office.lists.block_rows import add_blocks, read_table
from arpad.office.lists.history_rows import add_history, read_changes
from arpad.office.lists.ranking_rows import add_rankings
from arpad.office.lists.rows import Publication, add_publication
from arpad.office.lists.tables import BASE, list_history, ranking_pages, rankings
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
