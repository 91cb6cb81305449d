"""Rankings of a published list: all players, women, juniors, seniors, each federation, page by page."""

from __future__ import annotations

from typing import NamedTuple

import polars as pl

from arpad.lists.cuts import RANKED, by_federation, cut
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
    players = table.ranked.select(
        pl.col("player").cast(pl.String), "rating", "federation", "sex", "born", "inactive"
    )
    cuts = {name: cut(table, players, name) for name in RANKED}
    cuts |= {FEDERATION + code: members for code, members in by_federation(table, players).items()}
    names = list(cuts)
    stacked = pl.concat(
        [rows.select("player", "rating", cut=pl.lit(number)) for number, rows in enumerate(cuts.values())]
    )
    return Rankings(
        [(names[number], *page) for number, *page in _pages(stacked).iter_rows()],
        [(name, len(rows)) for name, rows in cuts.items()],
    )


def _pages(cuts: pl.DataFrame) -> pl.DataFrame:
    """Return cut, page, rank of the first and players for each page of rankings that follow each other."""
    row = pl.int_range(pl.len())
    begins = (pl.col("cut") != pl.col("cut").shift(1)).fill_null(value=True)
    differs = begins | (pl.col("rating") != pl.col("rating").shift(1))
    numbered = cuts.with_columns(
        place=row - pl.when(begins).then(row).forward_fill(),
        shared=row - pl.when(differs).then(row).forward_fill(),
    )
    pages = numbered.group_by("cut", page=pl.col("place") // PAGE + 1, maintain_order=True).agg(
        rank=(pl.col("place") - pl.col("shared") + 1).first(), players=pl.col("player")
    )
    return pages.with_columns(pl.col("players").list.join(" "))
