"""National categories of chess players, from the ratings of the lists in force: list after list, exact.

Of all players on columns (``fold``), and of one player the readable way (``fold_player``): both agree.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Generic, NamedTuple, TypeVar

import polars as pl

from arpad.model.rules import Rule
from arpad.regulations.chess.rules import CategoryLoss, NationalCategory

Categories = Rule[tuple[NationalCategory, ...]]

HELD: dict[str, pl.DataType] = {"player": pl.Int64(), "held": pl.String(), "low": pl.Int64()}
"""Each player with the category held and the lists in a row on which the rating was too far below it."""


Ratings = TypeVar("Ratings")


@dataclass(frozen=True, slots=True)
class CountedList(Generic[Ratings]):
    """A list with what its edition says about categories."""

    name: str
    day: date
    ratings: Ratings
    """The published ratings: of all players a table of ``player`` and ``rating``, of one player the rating or None."""

    edition: str
    categories: Categories | None
    lost: Rule[CategoryLoss] | None = None


class Award(NamedTuple):
    """A category that a decision gave a player."""

    decision: int
    player: int
    day: date
    category: str


class CategoryChange(NamedTuple):
    """A player who reached or lost a category with a list."""

    player: int
    before: str
    """Empty: none."""

    category: str
    rating: int | None
    list: str
    day: date
    edition: str
    article: str
    lost: bool = False
    decision: int | None = None
    """The decision that gave the category, if one did."""


def no_categories() -> pl.DataFrame:
    """Return the state before the first list: nobody has a category."""
    return pl.DataFrame(schema=HELD)


def categories_after(
    held: pl.DataFrame, counted: CountedList[pl.DataFrame], awards: Iterable[Award] = ()
) -> tuple[pl.DataFrame, list[CategoryChange]]:
    """Return who holds which category after a list, and the changes, by player.

    A category rises with the rating. It is lost only if the edition says when; the player then has the category of the
    rating. Lists without a rating of the player neither count nor interrupt the row. ``awards`` are those that begin
    after the list before, up to the day of this one.
    """
    if counted.categories is None:
        return held, []
    categories = counted.categories.value
    given = _given(held, categories, awards)
    state = held.join(pl.DataFrame(list(given.items()), schema=("player", "given"), orient="row").cast(
        {"player": pl.Int64, "given": pl.String}), on="player", how="full", coalesce=True)  # fmt: skip
    ratings = counted.ratings.select(pl.col("player").cast(pl.Int64), pl.col("rating").cast(pl.Int64))
    state = state.join(ratings, on="player", how="full", coalesce=True).with_columns(
        pl.col("held").fill_null(""), pl.col("low").fill_null(0)
    )
    state = state.with_columns(start=pl.coalesce("given", "held"))
    after = _held_after(state, categories, counted.lost.value if counted.lost else None)
    changed = after.filter(pl.col("now") != pl.col("held")).sort("player")
    decisions = {award.player: award.decision for award in awards}
    changes = [
        _change(counted, player, before, now, rating, decisions.get(player) if now == start else None)
        for player, before, start, now, rating in changed.select(
            "player", "held", "start", "now", "rating"
        ).iter_rows()
    ]
    kept = after.filter((pl.col("now") != "") | (pl.col("low_now") > 0))
    return kept.select("player", held="now", low="low_now"), changes


def _held_after(
    state: pl.DataFrame, categories: Sequence[NationalCategory], lost: CategoryLoss | None
) -> pl.DataFrame:
    """Return the state with the category and the row of low lists after the list: ``now`` and ``low_now``."""
    names = [category.name for category in categories]
    ranks = {name: rank for rank, name in enumerate(names, start=1)}
    rating = pl.col("rating")
    rank = pl.col("start").replace_strict(ranks, default=0, return_dtype=pl.Int64)
    reached = pl.sum_horizontal((rating >= it.rating).cast(pl.Int64) for it in categories).fill_null(0)
    threshold = rank.replace_strict(
        {rank: it.rating for rank, it in enumerate(categories, start=1)}, default=None, return_dtype=pl.Int64
    )
    below = (rating <= threshold - lost.below).fill_null(value=False) if lost else pl.lit(value=False)
    row = pl.when(below).then(pl.col("low") + 1).when(rating.is_null()).then(pl.col("low")).otherwise(0)
    state = state.with_columns(
        rank=rank, reached=pl.when(rating.is_null()).then(0).otherwise(reached), row=row
    )
    falls = below & (pl.col("row") >= lost.lists) if lost else pl.lit(value=False)
    state = state.with_columns(
        falls=falls,
        new=pl.when(falls).then("reached").otherwise(pl.max_horizontal("rank", "reached")),
    )
    by_rank = {0: "", **{rank: name for name, rank in ranks.items()}}
    name = pl.col("new").replace_strict(by_rank, return_dtype=pl.String)
    unknown = (pl.col("new") == 0) & ~pl.col("falls")  # a category of an earlier edition stays
    return state.with_columns(
        now=pl.when(unknown).then("start").otherwise(name),
        low_now=pl.when("falls").then(0).otherwise("row").cast(pl.Int64),
    )


def _given(
    held: pl.DataFrame, categories: Sequence[NationalCategory], awards: Iterable[Award]
) -> dict[int, str]:
    """Return the categories by decision that are higher than those held."""
    ranks = {category.name: rank for rank, category in enumerate(categories, start=1)}
    now: Mapping[int, str] = dict(held.select("player", "held").iter_rows())
    given: dict[int, str] = {}
    for award in sorted(awards, key=lambda it: (it.day, it.decision)):
        present = given.get(award.player, now.get(award.player, ""))
        if ranks.get(award.category, 0) > ranks.get(present, 0):
            given[award.player] = award.category
    return given


def _change(
    counted: CountedList[Any], player: int, before: str, now: str, rating: int | None, decision: int | None
) -> CategoryChange:
    rule = counted.categories
    assert rule is not None  # noqa: S101  lists without the rule change nothing
    ranks = {category.name: rank for rank, category in enumerate(rule.value, start=1)}
    lost = ranks.get(now, 0) < ranks.get(before, 0)
    own = next((category.article for category in rule.value if category.name == now), "")
    article = counted.lost.article if lost and counted.lost else own or rule.article
    return CategoryChange(
        player,
        before,
        now,
        rating,
        counted.name,
        counted.day,
        counted.edition,
        article,
        lost=lost,
        decision=decision,
    )


def fold(
    lists: Iterable[CountedList[pl.DataFrame]], awards: Sequence[Award] = ()
) -> tuple[pl.DataFrame, list[CategoryChange], list[CategoryChange]]:
    """Return who holds which category after all lists, all changes, and those of the last list."""
    held, every, last = no_categories(), list[CategoryChange](), list[CategoryChange]()
    before = date.min
    for counted in lists:
        due = [award for award in awards if before < award.day <= counted.day]
        held, last = categories_after(held, counted, due)
        every += last
        if counted.categories is not None:
            before = counted.day
    return held, every, last


# ---------------------------------------------------------------------------------------------------- one player


def fold_player(
    player: int, lists: Iterable[CountedList[int | None]], awards: Sequence[Award] = ()
) -> list[CategoryChange]:
    """Return all changes of one player's category; ``awards`` are those of the player."""
    held, low, before = "", 0, date.min
    changes: list[CategoryChange] = []
    for counted in lists:
        if counted.categories is None:
            continue
        due = [award for award in awards if before < award.day <= counted.day]
        start = _highest(held, counted.categories.value, due)
        now, low = _category_after(start, low, counted)
        if now != held:
            decision = due[-1].decision if due and now == start else None
            changes.append(_change(counted, player, held, now, counted.ratings, decision))
        held, before = now, counted.day
    return changes


def _highest(held: str, categories: Sequence[NationalCategory], awards: Iterable[Award]) -> str:
    """Return the category held or, if it is higher, the one that a decision gave."""
    names = [category.name for category in categories]
    for award in sorted(awards, key=lambda it: (it.day, it.decision)):
        if award.category in names and (held not in names or names.index(award.category) > names.index(held)):
            held = award.category
    return held


def _category_after(start: str, low: int, counted: CountedList[int | None]) -> tuple[str, int]:
    """Return the category after a list, and the lists in a row on which the rating was too far below it."""
    categories = counted.categories.value if counted.categories else ()
    rating, lost = counted.ratings, counted.lost.value if counted.lost else None
    if rating is None:
        return start, low
    reached = [category for category in categories if rating >= category.rating]
    own = next((category for category in categories if category.name == start), None)
    if lost is not None and own is not None and rating <= own.rating - lost.below:
        if low + 1 >= lost.lists:
            return reached[-1].name if reached else "", 0
        low += 1
    else:
        low = 0
    if reached and (own is None or reached[-1].rating > own.rating):
        return reached[-1].name, low
    return start, low
