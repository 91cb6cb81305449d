"""Rankings of a published list: all players, women, juniors, a federation and so on; a row is a page of players.

A list never changes once it is entered, so its rankings are made in that moment; a page of the list of a million
players then costs one row.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

import polars as pl
from sqlalchemy import Connection, select

from arpad.lists.canonical import parse_head
from arpad.lists.published_table import ListTable, list_table
from arpad.lists.rankings import FEDERATION, Rankings
from arpad.store.bulk import add_rows
from arpad.store.list_blocks import read_table
from arpad.store.lists import Publication
from arpad.store.pages import snapshot
from arpad.store.schema import ranking_pages, rankings

# ------------------------------------------------------------------------------------------------------ making


def add_rankings(connection: Connection, publication: int, computed: Rankings) -> None:
    """Add the rankings of a list."""
    pages = [(publication, *page) for page in computed.pages]
    add_rows(
        connection, ranking_pages, ("publication", "cut", "page", "rank", "ranked_before", "players"), pages
    )
    totals = [(publication, *total) for total in computed.totals]
    add_rows(connection, rankings, ("publication", "cut", "total", "bands"), totals)


# ----------------------------------------------------------------------------------------------------- reading


def ranking_size(connection: Connection, publication: int, cut: str) -> int | None:
    """Return how many players a ranking has; None if there is no such ranking."""
    query = select(rankings.c.total).where(rankings.c.publication == publication, rankings.c.cut == cut)
    return connection.execute(query).scalar()


def ranking_bands(connection: Connection, publication: int, cut: str) -> dict[int, int]:
    """Return how many players of a ranking have ratings in each band, by its lowest rating."""
    query = select(rankings.c.bands).where(rankings.c.publication == publication, rankings.c.cut == cut)
    text = connection.execute(query).scalar() or ""
    return {int(band): int(count) for band, _, count in (item.partition(":") for item in text.split())}


class StoredPage(NamedTuple):
    """A page of a ranking: the rank of its first rating, the active players on the pages before, its players."""

    rank: int
    ranked_before: int
    players: list[int]


def ranking_page(connection: Connection, publication: int, cut: str, page: int) -> StoredPage:
    """Return a page of a ranking; an empty one if there is no such page."""
    columns = (ranking_pages.c.rank, ranking_pages.c.ranked_before, ranking_pages.c.players)
    query = select(*columns).where(
        ranking_pages.c.publication == publication, ranking_pages.c.cut == cut, ranking_pages.c.page == page
    )
    row = connection.execute(query).first()
    return (
        StoredPage(row[0], row[1], [int(number) for number in row[2].split()])
        if row
        else StoredPage(1, 0, [])
    )


def federations(connection: Connection, publication: int) -> list[tuple[str, int]]:
    """Return every federation on a list with the number of its players, by code."""
    query = select(rankings.c.cut, rankings.c.total).where(
        rankings.c.publication == publication, rankings.c.cut > FEDERATION, rankings.c.cut < FEDERATION + "{"
    )
    return sorted((cut.removeprefix(FEDERATION), count) for cut, count in connection.execute(query))


_COLUMNS = (
    "player", "name", "federation", "sex", "title", "women_title", "category", "rating", "games", "k", "born",
    "inactive", "listed",
)  # fmt: skip
_KEPT = 2
_kept: OrderedDict[tuple[str, int], pl.DataFrame] = OrderedDict()
"""The lists of which players were chosen last, until the next act: reading one of a million players takes a second."""


def table_with_clubs(
    connection: Connection, publication: Publication, members: Mapping[int, str]
) -> ListTable:
    """Return a list with the columns that rankings are made from, and the club of each member."""
    clubs = pl.DataFrame(
        {"player": list(members), "club": list(members.values())},
        schema={"player": pl.Int64, "club": pl.String},
    )
    frame = _columns(connection, publication)
    with_club = frame.join(clubs.cast({"player": frame.schema["player"]}), on="player", how="left")
    return list_table(parse_head(publication.head), with_club)


def with_changes(connection: Connection, table: ListTable, before: Publication) -> ListTable:
    """Return a list with the change of each rating since the list before; null for who was not on it."""
    earlier = _columns(connection, before).filter("listed").select("player", before="rating")
    joined = table.frame.join(earlier, on="player", how="left", maintain_order="left")
    return replace(table, frame=joined.with_columns(change=pl.col("rating") - pl.col("before")))


def _columns(connection: Connection, publication: Publication) -> pl.DataFrame:
    key = (snapshot(connection).head, publication.id)
    frame = _kept.get(key)
    if frame is None:
        frame = read_table(connection, publication.id, _COLUMNS)
        _kept[key] = frame
        while len(_kept) > _KEPT:
            _kept.popitem(last=False)
    return frame
