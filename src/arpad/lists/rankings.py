"""Rankings of a published list: all players, women, juniors, seniors, each federation, page by page."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import polars as pl

from arpad.lists.cuts import RANKED, shared_rank
from arpad.lists.published_table import ListTable

if TYPE_CHECKING:
    from numpy.typing import NDArray

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
    players = table.ranked_for_cuts["player"].cast(pl.String)
    columns = _Columns(
        players,
        players.str.len_bytes().to_numpy(),
        table.ranked_for_cuts["rating"].fill_null(0).to_numpy(),
        table.ranked_for_cuts["inactive"].not_().cast(pl.Int64).to_numpy(),
    )
    rankings = Rankings([], [])
    for name, rows in cuts.items():
        rankings.pages.extend((name, *page) for page in _pages(columns, rows))
        rankings.totals.append((name, len(rows), _bands(columns.ratings[rows.to_numpy()])))
    return rankings


class _Columns(NamedTuple):
    """What rankings are made from, in the order of all players."""

    players: pl.Series
    """The numbers as texts."""

    lengths: NDArray[Any]
    ratings: NDArray[Any]
    active: NDArray[Any]


def _pages(columns: _Columns, rows: pl.Series) -> Iterator[tuple[int, int, int, str]]:
    """Yield the pages of a ranking: number, rank of the first, active players on the pages before, players."""
    import numpy as np  # a small office starts faster without it

    order = rows.to_numpy()
    starts = np.arange(0, len(order), PAGE)
    ratings, active = columns.ratings[order], columns.active[order]
    before = np.cumsum(active) - active
    # equal ratings are in a row, the highest first: the rank of all of them is that of the first
    ranks = before[np.searchsorted(-ratings, -ratings[starts])] + 1
    text = columns.players.gather(rows).str.join(" ").item()
    ends = np.cumsum(columns.lengths[order] + 1)[[*(starts[1:] - 1), -1]] - 1 if len(order) else starts
    begin = 0
    for number, (rank, ranked, end) in enumerate(
        zip(ranks.tolist(), before[starts].tolist(), ends.tolist(), strict=True), start=1
    ):
        yield number, rank, ranked, text[begin:end]
        begin = end + 1


def _bands(ratings: NDArray[Any]) -> str:
    """Return how many ratings are in each band."""
    import numpy as np

    bands, counts = np.unique(ratings // BAND * BAND, return_counts=True)
    return " ".join(f"{band}:{count}" for band, count in zip(bands.tolist(), counts.tolist(), strict=True))


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
