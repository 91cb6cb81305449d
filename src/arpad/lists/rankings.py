"""Rankings of a published list: all players, women, juniors, seniors, each federation, page by page."""

from collections.abc import Collection
from itertools import pairwise
from struct import unpack
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

    pages: list[tuple[str, int, int, int, bytes]]
    """Cut, page, rank of the first, active players on the pages before, players; equal ratings share a rank.

    ``page_players`` reads the players.
    """

    totals: list[tuple[str, int, str]]
    """Cut, players, and how many of them have ratings in each band."""


def compute_rankings(table: ListTable) -> Rankings:
    """Return the rankings of a list."""
    cuts = {name: table.cuts[name] for name in RANKED}
    cuts |= {FEDERATION + code: rows for code, rows in table.federations.items()}
    names, members = list(cuts), list(cuts.values())
    sizes = [len(rows) for rows in members]
    columns = table.ranked.select(
        "rating", pl.col("player").cast(pl.Int32), active=pl.col("inactive").not_().cast(pl.Int32)
    )
    entries = columns[pl.concat(members)].with_columns(
        cut=pl.concat([pl.repeat(cut, size, dtype=pl.Int32, eager=True) for cut, size in enumerate(sizes)]),
        page=pl.concat([pl.int_range(size, dtype=pl.Int32, eager=True) // PAGE + 1 for size in sizes]),
    )
    pages = _runs(entries, "page", *_PAGE).with_columns(_BEFORE)
    counts = _runs(entries, "rating", pl.col("active").sum(), pl.len())
    higher = counts.with_columns(_BEFORE)
    pages = pages.join(higher, on=("cut", "rating"), how="left", maintain_order="left", suffix="_higher")
    bands = counts.group_by("cut", pl.col("rating") // BAND * BAND).agg(pl.col("len").sum())
    bands = bands.sort("cut", "rating")
    bands = bands.group_by("cut").agg(pl.concat_str("rating", pl.lit(":"), "len").str.join(" "))
    bands_of = dict(bands.iter_rows())
    players = entries["player"].to_numpy().astype(_NUMBER).tobytes()
    ends = [0, *(pages["len"].cum_sum() * _BYTES).to_list()]
    return Rankings(
        [
            (names[cut], *page, players[start:end])
            for (cut, *page), (start, end) in zip(
                pages.select(_STORED).iter_rows(), pairwise(ends), strict=True
            )
        ],
        [(name, sizes[cut], bands_of.get(cut, "")) for cut, name in enumerate(names)],
    )


def _runs(entries: pl.DataFrame, by: str, *figures: pl.Expr) -> pl.DataFrame:
    """Return figures about the entries of each cut that have a page or a rating in common: they are in a row."""
    runs = entries.with_columns(run=pl.struct("cut", by).rle_id().set_sorted())
    groups = runs.group_by("run", maintain_order=True)
    return groups.agg(pl.col("cut", by).first(), *figures).drop("run")


_PAGE = (pl.col("rating").first(), pl.col("active").sum(), pl.len())
_BEFORE = (pl.col("active").cum_sum().over("cut") - pl.col("active")).alias("before")
"""The active players of a cut before a page, or with a higher rating."""

_STORED = ("cut", "page", pl.col("before_higher") + 1, "before")


def page_players(data: bytes) -> list[int]:
    """Return the numbers of the players of a page."""
    return list(unpack(f"<{len(data) // _BYTES}i", data))


_NUMBER, _BYTES = "<i4", 4
"""A player's number on a page, and its bytes."""


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
