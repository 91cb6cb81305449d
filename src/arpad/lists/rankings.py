"""Rankings of a published list: all players, women, juniors, seniors, each federation, page by page."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection
from typing import NamedTuple

import polars as pl

from arpad.lists.cuts import RANKED, shared_rank
from arpad.lists.published_table import ListTable

PAGE = 100
"""Players on a page."""

FEDERATION = "federation-"


class Rankings(NamedTuple):
    """The rankings of a list, ready to be stored."""

    pages: list[tuple[str, int, int, str]]
    """Cut, page, rank of the first, players; equal ratings share a rank."""

    totals: list[tuple[str, int]]
    """Cut, players."""


def compute_rankings(table: ListTable) -> Rankings:
    """Return the rankings of a list."""
    cuts = {name: table.cuts[name] for name in RANKED}
    cuts |= {FEDERATION + code: rows for code, rows in table.federations.items()}
    ratings, players = table.ranked["rating"].to_list(), table.ranked["player"].cast(pl.String).to_list()
    pages = []
    for name, members in cuts.items():
        rows = members.to_list()
        for start in range(0, len(rows), PAGE):
            first = ratings[rows[start]]
            rank = 1 + bisect_left(rows, -first, hi=start, key=lambda row: -ratings[row])
            page = " ".join(map(players.__getitem__, rows[start : start + PAGE]))
            pages.append((name, start // PAGE + 1, rank, page))
    return Rankings(pages, [(name, len(rows)) for name, rows in cuts.items()])


class RankedRow(NamedTuple):
    """A player of a ranking that is made on request."""

    rank: int
    player: int


def rank_selected(table: ListTable, condition: pl.Expr, hidden: Collection[int]) -> list[RankedRow]:
    """Return the players of a list whom a condition selects, except the hidden; equal ratings share a rank."""
    chosen = table.frame.filter(condition & ~pl.col("player").is_in(list(hidden)))
    ranked = ListTable(**table.values(), frame=chosen).ranked.select(shared_rank().cast(pl.Int64), "player")
    return [RankedRow(*row) for row in ranked.iter_rows()]
