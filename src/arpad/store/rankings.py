"""Rankings of a published list: all players, women, juniors, a federation and so on; a row is a page of players.

A list never changes once it is entered, so its rankings are made in that moment; a page of the list of a million
players then costs one row.
"""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl
from sqlalchemy import Connection, select

from arpad.lists.canonical import parse_head
from arpad.lists.published_table import ListTable, list_table
from arpad.lists.rankings import FEDERATION, Rankings
from arpad.store.bulk import add_rows
from arpad.store.list_blocks import read_table
from arpad.store.lists import Publication
from arpad.store.schema import ranking_pages, rankings

# ------------------------------------------------------------------------------------------------------ making


def add_rankings(connection: Connection, publication: int, computed: Rankings) -> None:
    """Add the rankings of a list."""
    pages = [(publication, *page) for page in computed.pages]
    add_rows(connection, ranking_pages, ("publication", "cut", "page", "rank", "players"), pages)
    totals = [(publication, *total) for total in computed.totals]
    add_rows(connection, rankings, ("publication", "cut", "total"), totals)


# ----------------------------------------------------------------------------------------------------- reading


def ranking_size(connection: Connection, publication: int, cut: str) -> int | None:
    """Return how many players a ranking has; None if there is no such ranking."""
    query = select(rankings.c.total).where(rankings.c.publication == publication, rankings.c.cut == cut)
    return connection.execute(query).scalar()


def ranking_page(connection: Connection, publication: int, cut: str, page: int) -> tuple[int, list[int]]:
    """Return the rank of the first player on a page, and the players on it."""
    query = select(ranking_pages.c.rank, ranking_pages.c.players).where(
        ranking_pages.c.publication == publication, ranking_pages.c.cut == cut, ranking_pages.c.page == page
    )
    row = connection.execute(query).first()
    return (row[0], [int(number) for number in row[1].split()]) if row else (1, [])


def federations(connection: Connection, publication: int) -> list[tuple[str, int]]:
    """Return every federation on a list with the number of its players, by code."""
    query = select(rankings.c.cut, rankings.c.total).where(
        rankings.c.publication == publication, rankings.c.cut > FEDERATION, rankings.c.cut < FEDERATION + "{"
    )
    return sorted((cut.removeprefix(FEDERATION), count) for cut, count in connection.execute(query))


_COLUMNS = (
    "player",
    "name",
    "federation",
    "sex",
    "title",
    "women_title",
    "rating",
    "born",
    "inactive",
    "listed",
)


def table_with_clubs(
    connection: Connection, publication: Publication, members: Mapping[int, str]
) -> ListTable:
    """Return a list with the columns that rankings are made from, and the club of each member."""
    clubs = pl.DataFrame(
        {"player": list(members), "club": list(members.values())},
        schema={"player": pl.Int64, "club": pl.String},
    )
    frame = read_table(connection, publication.id, _COLUMNS)
    with_club = frame.join(clubs.cast({"player": frame.schema["player"]}), on="player", how="left")
    return list_table(parse_head(publication.head), with_club)
