"""Rankings of a published list: all players, women, juniors, seniors, each federation, page by page."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Sequence
from typing import NamedTuple

import polars as pl

from arpad.lists.cuts import RANKED, shared_rank
from arpad.lists.published_table import ListTable

PAGE = 100
"""Players on a page."""

FEDERATION = "federation-"


BAND = 50
"""Points of a band of the distribution of ratings."""


class Rankings(NamedTuple):
    """The rankings of a list, ready to be stored."""

    pages: list[tuple[str, int, int, int, str]]
    """Cut, page, rank of the first, active players on the pages before, players; equal ratings share a rank."""

    totals: list[tuple[str, int, str]]
    """Cut, players, and how many of them have ratings in each band."""


def compute_rankings(table: ListTable) -> Rankings:
    """Return the rankings of a list."""
    cuts = {name: table.cuts[name] for name in RANKED}
    cuts |= {FEDERATION + code: rows for code, rows in table.federations.items()}
    ranked = table.ranked_for_cuts
    negative, active = -ranked["rating"], (~ranked["inactive"]).cast(pl.Int32)
    players = ranked["player"].cast(pl.String).to_list()
    pages, totals = [], []
    for name, members in cuts.items():
        # lists of Python: a federation's list has a dozen short cuts, and queries would cost more than the rest
        rows, ratings = members.to_list(), negative.gather(members).to_list()
        active_up_to = active.gather(members).cum_sum().to_list()
        for start in range(0, len(rows), PAGE):
            higher = bisect_left(ratings, ratings[start], hi=start)
            page = " ".join([players[row] for row in rows[start : start + PAGE]])
            higher_ranked, before = (active_up_to[at - 1] if at else 0 for at in (higher, start))
            pages.append((name, start // PAGE + 1, 1 + higher_ranked, before, page))
        totals.append((name, len(rows), _bands(ratings)))
    return Rankings(pages, totals)


def _bands(ratings: Sequence[int]) -> str:
    """Return how many ratings each band has, as it is stored: ``1850:12 1900:7``, by rating.

    The ratings are negative and in their order, so a few places are looked up instead of counting all.
    """
    counts = []
    end = len(ratings)
    while end:
        band = -ratings[end - 1] // BAND * BAND
        start = bisect_right(ratings, -band - BAND, hi=end)
        counts.append(f"{band}:{end - start}")
        end = start
    return " ".join(counts)


class Sort(NamedTuple):
    """The order of a ranking that a reader asks for."""

    column: str
    descending: bool = False


SORTED = ("name", "federation", "title", "rating", "change", "games", "k", "born")
"""The columns by which a ranking can be sorted; the others order equal values by rating."""


def rank_selected(
    table: ListTable, condition: pl.Expr, hidden: Collection[int], sort: Sort | None = None
) -> pl.DataFrame:
    """Return the players of a list whom a condition selects, except the hidden: rank, player, rating.

    Equal ratings share a rank, the inactive have none. ``sort`` changes the order and no rank.
    """
    chosen = table.frame.filter(condition & ~pl.col("player").is_in(list(hidden)))
    ranked = ListTable(**table.values(), frame=chosen).ranked.with_columns(rank=shared_rank().cast(pl.Int64))
    if sort is not None:
        key = _SORT_KEYS.get(sort.column, pl.col(sort.column))
        ranked = ranked.sort(key, descending=sort.descending, nulls_last=True, maintain_order=True)
    return ranked.select("rank", "player", "rating")


_TITLE = pl.when(pl.col("title") != "").then("title").otherwise("women_title")
_SORT_KEYS = {
    "name": pl.col("name").str.to_lowercase(),
    "title": pl.when(_TITLE != "").then(_TITLE),
}
