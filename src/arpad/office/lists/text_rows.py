"""A published list as it is stored, and as the public sees it."""

from __future__ import annotations

from dataclasses import replace

import polars as pl
from sqlalchemy import Connection

from arpad.lists.canonical import parse_head
from arpad.lists.published_table import ListTable, file_columns, list_table
from arpad.lists.table import LINE, lines_bytes
from arpad.office.lists.block_rows import read_table
from arpad.office.lists.rows import Publication
from arpad.office.register.hidden_rows import hidden

_COLUMNS = ("player", "rating", *LINE)


def canonical_text(connection: Connection, publication: Publication) -> bytes:
    """Return the canonical text as it is stored."""
    return lines_bytes(read_table(connection, publication.id, _COLUMNS), publication.head)


def public_list(connection: Connection, publication: Publication) -> ListTable:
    """Return the public form of a list: without the players who asked not to be shown.

    If the list has no such player, it is the list that was published.
    """
    table = read_table(connection, publication.id, file_columns(publication.list))
    whole = list_table(parse_head(publication.head), table)
    shown = whole.frame.filter(~pl.col("player").is_in(sorted(hidden(connection))))
    left_off = len(whole.frame) - len(shown)
    if not left_off:
        return whole
    return replace(whole, frame=shown, left_off=left_off, whole_digest=publication.digest)
