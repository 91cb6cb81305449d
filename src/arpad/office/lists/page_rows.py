"""Queries of the pages of lists: the office at a moment, ratings, rankings, and what changed.

A list never changes once it is entered, so its rankings (all players, women, juniors, a federation and so on) are made
in that moment: a page of the list of a million players then costs one row.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, NamedTuple

import polars as pl
from sqlalchemy import Connection, bindparam, func, select

from arpad.lists.canonical import parse_head
from arpad.lists.cuts import ACTIVE
from arpad.lists.published_table import ListTable, list_table
from arpad.lists.rankings import FEDERATION, Rankings, page_players
from arpad.office.lists import rows as lists
from arpad.office.lists.block_rows import read_figures, read_table
from arpad.office.lists.rows import Publication
from arpad.office.lists.tables import BASE, ranking_pages, rankings
from arpad.office.register.number_rows import hidden_version
from arpad.store import bulk
from arpad.store.bulk import add_rows, cached_until_act, fetch_rows
from arpad.store.settings import kept_lists
from arpad.system.lru import Lru


@dataclass(frozen=True, slots=True)
class OfficeSnapshot:
    """Values that nearly every page needs; they change only with an act of the office."""

    head: str
    """The seal of the last act: every act that changes what is shown adds one to the ledger."""

    publications: tuple[Publication, ...]
    taken_back: tuple[Publication, ...]
    hidden_version: str
    """A text that changes with the set of hidden players, for ETags, which must not reveal who they are."""


@cached_until_act
def snapshot(connection: Connection) -> OfficeSnapshot:
    """Return the snapshot that this transaction sees."""
    return OfficeSnapshot(
        head=bulk.head(connection),
        publications=publications_shown(connection),
        taken_back=tuple(
            p for p in lists.ever_published(connection) if p.kind != BASE and p.taken_back is not None
        ),
        hidden_version=hidden_version(connection),
    )


def publications_shown(connection: Connection) -> tuple[Publication, ...]:
    """Return every list that visitors may see."""
    return tuple(p for p in lists.all_publications(connection) if p.kind != BASE)


def site_facts(_office: object, connection: Connection) -> dict[str, Any]:
    """Return the lists that the office may keep, and the games of those that visitors may see."""
    games = {it.list.game for it in publications_shown(connection)}
    return {"lists": kept_lists(connection), "games": tuple(sorted(games))}


def published_ratings(
    connection: Connection, publication: int, players: Sequence[int]
) -> dict[int, int | None]:
    """Return the published ratings of these players; a titled player may be on a list without a rating."""
    figures = read_figures(connection, publication, players)
    return {it.player: it.rating for it in figures if it.listed}


def rating_changes(connection: Connection, old: int, new: int) -> pl.DataFrame:
    """Return the players whose published rating differs: player, listed on the new list, old and new rating.

    A player who is computed and not published has no published rating.
    """
    columns = ("player", "rating", "listed")
    after, before = (read_table(connection, publication, columns) for publication in (new, old))
    after = after.filter("listed").select("player", "listed", new="rating")
    before = before.filter("listed").select("player", old="rating")
    joined = after.join(before, on="player", how="full", coalesce=True)
    return joined.filter(pl.col("new").ne_missing(pl.col("old"))).sort("player")


@dataclass(frozen=True, slots=True)
class RatingCounts:
    """The active players of a list by rating."""

    counts: Mapping[int, int]
    """Rating → players, the highest first."""

    players: int

    def rank(self, rating: int) -> int:
        """Return the rank of a rating; equal ratings share one."""
        return 1 + sum(count for other, count in self.counts.items() if other > rating)

    def below(self, rating: int) -> int:
        """Return how many players have a lower rating."""
        return sum(count for other, count in self.counts.items() if other < rating)


_LAST_COUNTS: Lru[RatingCounts] = Lru(16)
"""Of the lists asked for last: a page that names one rank must not read a list of a million players."""


def rating_counts(connection: Connection, publication: Publication) -> RatingCounts:
    """Return the active players of a list by rating."""

    def count() -> RatingCounts:
        table = read_table(connection, publication.id, ("rating", "inactive", "listed"))
        active = table.filter(pl.col("listed") & ACTIVE)["rating"]
        by_rating = dict(active.value_counts().sort("rating", descending=True).iter_rows())
        return RatingCounts(by_rating, sum(by_rating.values()))

    return _LAST_COUNTS.get((publication.id, publication.standings_digest), count)


_FIRST_YEARS = (0, 10, 15, 20, 30, 40, 50, 60, 70, 80, 150)
"""The first age of each group; the last number ends the last group."""


@dataclass(frozen=True, slots=True)
class AgeSpread:
    """The ratings of the players of some ages."""

    first: int
    last: int | None
    """None for everybody from ``first`` on."""

    players: int
    lowest: int
    quarter: int
    median: int
    three_quarters: int
    highest: int


_LAST_SPREADS: Lru[tuple[AgeSpread, ...]] = Lru(16)


def rating_ages(
    connection: Connection, publication: Publication, hidden: Collection[int]
) -> tuple[AgeSpread, ...]:
    """Return the ratings by age of the active players of a list, without hidden ones and without unknown ages."""
    key = (publication.id, publication.standings_digest, frozenset(hidden))
    return _LAST_SPREADS.get(key, lambda: _spreads(connection, publication, hidden))


def _spreads(
    connection: Connection, publication: Publication, hidden: Collection[int]
) -> tuple[AgeSpread, ...]:
    table = read_table(connection, publication.id, ("player", "rating", "inactive", "listed", "born"))
    known = pl.col("listed") & ACTIVE & pl.col("born").is_not_null()
    shown = table.filter(known & ~pl.col("player").is_in(sorted(hidden)))
    ages = shown.select("rating", age=publication.day.year - pl.col("born"))
    spreads = []
    for first, after in pairwise(_FIRST_YEARS):
        ratings = ages.filter((pl.col("age") >= first) & (pl.col("age") < after))["rating"].sort().to_list()
        if ratings:
            last = None if after == _FIRST_YEARS[-1] else after - 1
            quartiles = (ratings[(len(ratings) - 1) * part // 4] for part in range(5))
            spreads.append(AgeSpread(first, last, len(ratings), *quartiles))
    return tuple(spreads)


def add_rankings(connection: Connection, publication: int, computed: Rankings) -> None:
    """Add the rankings of a list."""
    for table, rows in ((ranking_pages, computed.pages), (rankings, computed.totals)):
        add_rows(connection, table, table.c.keys(), [(publication, *row) for row in rows])


def ranking_size(connection: Connection, publication: int, cut: str) -> int | None:
    """Return how many players a ranking has; None if there is no such ranking."""
    return _rankings(connection, publication).get(cut, (None, ""))[0]


def ranking_bands(connection: Connection, publication: int, cut: str) -> dict[int, int]:
    """Return how many players of a ranking have ratings in each band, by its lowest rating."""
    _, bands = _rankings(connection, publication).get(cut, (0, ""))
    return {int(band): int(count) for band, _, count in (item.partition(":") for item in bands.split())}


@cached_until_act
def _rankings(connection: Connection, publication: int) -> Mapping[str, tuple[int, str]]:
    """Return all rankings of a list by cut, size and bands: there are some two hundred, one for each federation."""
    query = select(rankings.c.cut, rankings.c.total, func.coalesce(rankings.c.bands, ""))
    rows = fetch_rows(connection, query.where(rankings.c.publication == publication))
    return {cut: (total, bands) for cut, total, bands in rows}


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
        (cut.removeprefix(FEDERATION), total)
        for cut, (total, _) in _rankings(connection, publication).items()
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
