"""The lists that are cut from a published one: expressions over its players, which keep their order."""

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


def cuts_of(head: ListHead) -> dict[str, pl.Expr]:
    """Return each cut of a list by name: an expression that selects its players (7.2, 7.21, 7.22, 7.24).

    Only the rated, the titled unrated and the delisted may be inactive. Nobody of unknown age is a junior or a senior.
    """
    year, born, rating = head.day.year, pl.col("born"), pl.col("rating")
    return {
        "all": RATED,
        "active": ACTIVE,
        # ties with the last one are included (7.24)
        "top": ACTIVE & (rating >= rating.filter(ACTIVE).top_k(TOP).min()),
        "women": ACTIVE & (pl.col("sex") == "F"),
        "juniors": ACTIVE & (born >= year - head.junior_years),
        "seniors": ACTIVE & (born <= year - SENIOR_YEARS),
        # those delisted with this list (7.21) have a cut of their own (7.22)
        "titled-unrated": ~RATED & TITLED_PLAYER & ~pl.col("delisted"),
        "delisted": ~RATED & pl.col("delisted"),
    }


def of_age(group: AgeGroup, year: int, day: AgeDay) -> pl.Expr:
    """Return the active players of a group in a year; those of unknown age are in none."""
    born, reached = pl.col("born"), year - group.years
    if group.under:
        return ACTIVE & (born > reached if day == AgeDay.LAST else born >= reached)
    return ACTIVE & (born < reached if day == AgeDay.FIRST else born <= reached)


SECTIONS = ("all", "top", "women", "juniors", "titled-unrated", "delisted")
"""The cuts that files show, in their order, before the lists of federations."""

RANKED = ("active", "all", "women", "juniors", "seniors")
"""The rankings of the site, in its order."""

WITH_RANK = (*RANKED, "ours", "top")
"""The cuts in which players have a rank."""

OWNED = "owned"
"""A column beside those of the published line: whether the office owns the player, on lists with others too."""


def rows_by_cut(head: ListHead, ranked: pl.DataFrame) -> dict[str, pl.Series]:
    """Return the rows of each cut in the ranking of a list, all from one pass."""
    row = pl.int_range(pl.len())
    selected = cuts_of(head)
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
