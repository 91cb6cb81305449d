"""Rankings of a published list: all players, women, juniors, a federation and so on; a row is a page of players.

A list never changes once it is entered, so its rankings are made in that moment; a page of the list of a million
players then costs one row.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

import polars as pl
from sqlalchemy import Connection, bindparam, select

from arpad.lists.canonical import parse_head
from arpad.lists.published_table import ListTable, list_table
from arpad.lists.rankings import FEDERATION, Rankings, page_players
from arpad.office.lists.block_rows import read_table
from arpad.office.lists.page_rows import snapshot
from arpad.office.lists.rows import Publication
from arpad.office.lists.tables import ranking_pages, rankings
from arpad.store.act_cache import cached_until_act
from arpad.store.bulk import add_rows, fetch_rows
from arpad.system.lru import Lru


def add_rankings(connection: Connection, publication: int, computed: Rankings) -> None:
    """Add the rankings of a list."""
    for table, rows in ((ranking_pages, computed.pages), (rankings, computed.totals)):
        add_rows(connection, table, table.c.keys(), [(publication, *row) for row in rows])


class _Ranking(NamedTuple):
    total: int
    bands: str


def ranking_size(connection: Connection, publication: int, cut: str) -> int | None:
    """Return how many players a ranking has; None if there is no such ranking."""
    ranking = _rankings(connection, publication).get(cut)
    return ranking.total if ranking else None


def ranking_bands(connection: Connection, publication: int, cut: str) -> dict[int, int]:
    """Return how many players of a ranking have ratings in each band, by its lowest rating."""
    ranking = _rankings(connection, publication).get(cut)
    items = ranking.bands.split() if ranking else ()
    return {int(band): int(count) for band, _, count in (item.partition(":") for item in items)}


@cached_until_act
def _rankings(connection: Connection, publication: int) -> Mapping[str, _Ranking]:
    """Return all rankings of a list by cut: there are some two hundred, one for each federation."""
    query = select(rankings.c.cut, rankings.c.total, rankings.c.bands)
    rows = fetch_rows(connection, query.where(rankings.c.publication == publication))
    return {cut: _Ranking(total, bands or "") for cut, total, bands in rows}


class StoredPage(NamedTuple):
    """A page of a ranking: the rank of its first rating, the active players on the pages before, its players."""

    rank: int
    ranked_before: int
    players: list[int]


@cached_until_act
def ranking_page(connection: Connection, publication: int, cut: str, page: int) -> StoredPage:
    """Return a page of a ranking; an empty one if there is no such page."""
    row = connection.execute(_PAGE, {"of": publication, "cut": cut, "page": page}).first()
    return StoredPage(row[0], row[1], page_players(row[2])) if row else StoredPage(1, 0, [])


_PAGE = select(ranking_pages.c.rank, ranking_pages.c.ranked_before, ranking_pages.c.players).where(
    ranking_pages.c.publication == bindparam("of"),
    ranking_pages.c.cut == bindparam("cut"),
    ranking_pages.c.page == bindparam("page"),
)


def federations(connection: Connection, publication: int) -> list[tuple[str, int]]:
    """Return every federation on a list with the number of its players, by code."""
    return sorted(
        (cut.removeprefix(FEDERATION), ranking.total)
        for cut, ranking in _rankings(connection, publication).items()
        if cut.startswith(FEDERATION) and cut != FEDERATION
    )


_COLUMNS = (
    "player", "name", "federation", "sex", "title", "women_title", "category", "rating", "games", "k", "born",
    "inactive", "listed",
)  # fmt: skip
_LAST: Lru[pl.DataFrame] = Lru(2)
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


def with_rating_changes(connection: Connection, table: ListTable, before: Publication) -> ListTable:
    """Return a list with the change of each rating since the list before; null for who was not on it."""
    earlier = _columns(connection, before).filter("listed").select("player", before="rating")
    joined = table.frame.join(earlier, on="player", how="left", maintain_order="left")
    return replace(table, frame=joined.with_columns(change=pl.col("rating") - pl.col("before")))


def _columns(connection: Connection, publication: Publication) -> pl.DataFrame:
    key = (snapshot(connection).head, publication.id)
    return _LAST.get(key, lambda: read_table(connection, publication.id, _COLUMNS))
