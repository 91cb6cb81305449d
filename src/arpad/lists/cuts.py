"""The lists that are cut from a published one: expressions over its players, which keep their order."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import polars as pl

from arpad.lists.published import ListHead
from arpad.model.age_groups import AgeDay, AgeGroup

TOP = 100
"""How many players the top list shows; players who tie with the last one are shown too."""

SENIOR_YEARS = 50
"""A senior was born in the year of the list minus this, or earlier."""

RATED = pl.col("rating").is_not_null()
"""The rows with a rating."""

ACTIVE = RATED & ~pl.col("inactive")
"""The rows with a rating that are not inactive."""

TITLED_PLAYER = (pl.col("title") != "") | (pl.col("women_title") != "")
"""The rows with a title."""


def rated(_: ListHead) -> pl.Expr:
    """Return who has a rating (7.2)."""
    return RATED


def active(_: ListHead) -> pl.Expr:
    """Return who has a rating and is not inactive."""
    return ACTIVE


def top(_: ListHead) -> pl.Expr:
    """Return the best players without the inactive (7.24); ties with the last one are included."""
    last = pl.col("rating").filter(ACTIVE).top_k(TOP).min()
    return ACTIVE & (pl.col("rating") >= last)


def women(_: ListHead) -> pl.Expr:
    """Return the women without the inactive."""
    return ACTIVE & (pl.col("sex") == "F")


def juniors(head: ListHead) -> pl.Expr:
    """Return the juniors, without the inactive and without players of unknown age."""
    return ACTIVE & (pl.col("born") >= head.day.year - head.junior_years)


def seniors(head: ListHead) -> pl.Expr:
    """Return the seniors, without the inactive and without players of unknown age."""
    return ACTIVE & (pl.col("born") <= head.day.year - SENIOR_YEARS)


def of_age(group: AgeGroup, year: int, day: AgeDay) -> pl.Expr:
    """Return the active players of a group in a year; those of unknown age are in none."""
    born, reached = pl.col("born"), year - group.years
    if group.under:
        return ACTIVE & (born > reached if day == AgeDay.LAST else born >= reached)
    return ACTIVE & (born < reached if day == AgeDay.FIRST else born <= reached)


def titled_unrated(_: ListHead) -> pl.Expr:
    """Return titled players without a rating (7.22), except those delisted with this list."""
    return ~RATED & TITLED_PLAYER & ~pl.col("delisted")


def delisted(_: ListHead) -> pl.Expr:
    """Return the players who fell below the floor with this list (7.21)."""
    return ~RATED & pl.col("delisted")


CUTS: Mapping[str, Callable[[ListHead], pl.Expr]] = {
    "all": rated,
    "active": active,
    "top": top,
    "women": women,
    "juniors": juniors,
    "seniors": seniors,
    "titled-unrated": titled_unrated,
    "delisted": delisted,
}
"""Each cut by name: an expression that selects its players."""

SECTIONS = ("all", "top", "women", "juniors", "titled-unrated", "delisted")
"""The cuts that files show, in their order, before the lists of federations."""

RANKED = ("active", "all", "women", "juniors", "seniors")
"""The rankings of the site, in its order."""

WITH_RANK = (*RANKED, "ours", "top")
"""The cuts in which players have a rank."""

CUT_BY = ("player", "rating", "federation", "sex", "title", "women_title", "born", "inactive", "delisted")
"""The columns that the cuts of a list depend on."""

OWNED = "owned"
"""A column beside those of the published line: whether the office owns the player, on lists with others too."""


def rows_by_cut(head: ListHead, ranked: pl.DataFrame) -> dict[str, pl.Series]:
    """Return the rows of each cut in the ranking of a list, all from one pass."""
    row = pl.int_range(pl.len())
    selected = {name: select(head) for name, select in CUTS.items()}
    if OWNED in ranked.columns:
        selected = {"ours": ACTIVE & pl.col(OWNED), **selected}
    rows = ranked.select(row.filter(condition).implode().alias(name) for name, condition in selected.items())
    return {column.name: column[0] for column in rows}


def rows_by_federation(head: ListHead, ranked: pl.DataFrame) -> dict[str, pl.Series]:
    """Return the rows of each federation by its code; without inactive players if the edition says so (7.23b)."""
    shown = ACTIVE if head.inactive_leave_federation else RATED
    groups = (
        ranked.select("federation", RATED.alias("rated"), shown.alias("shown"), row=pl.int_range(pl.len()))
        .group_by("federation")
        .agg(pl.col("rated").any(), pl.col("row").filter("shown"))
    )
    rows = {
        code: groups["row"][at]
        for at, (code, rated) in enumerate(groups.select("federation", "rated").rows())
        if rated and code
    }
    return dict(sorted(rows.items()))


def shared_rank() -> pl.Expr:
    """Return the rank of each player among the active ones of a cut: equal ratings share it, the inactive have none."""
    return pl.when(~pl.col("inactive")).then("rating").rank("min", descending=True)
