"""National categories of chess players, from the ratings of the lists in force: list after list, exact.

Of all players on columns (``fold``), and of one player without them (``fold_player``).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeAlias, TypeVar

import polars as pl

from arpad.model.rules import Rule
from arpad.system.text_columns import combinations

if TYPE_CHECKING:
    from arpad.regulations.fide.rules import CategoryLoss, NationalCategory

Categories: TypeAlias = "Rule[tuple[NationalCategory, ...]]"

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


@dataclass(frozen=True, slots=True)
class CategoryChange:
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


def categories_after(
    held: pl.DataFrame, counted: CountedList[pl.DataFrame], awards: Sequence[Award] = ()
) -> tuple[pl.DataFrame, list[CategoryChange]]:
    """Return who holds which category after a list, and the changes, by player.

    A category rises with the rating. It is lost only if the edition says when; the player then has the category of the
    rating. Lists without a rating of the player neither count nor interrupt the row. ``awards`` are those that begin
    after the list before, up to the day of this one.
    """
    if counted.categories is None:
        return held, []
    categories = counted.categories.value
    concerned = {award.player for award in awards}
    before = dict(held.filter(pl.col("player").is_in(concerned)).select("player", "held").iter_rows())
    starts = [
        (player, _highest(before.get(player, ""), categories, [it for it in awards if it.player == player]))
        for player in concerned
    ]
    given = pl.DataFrame(starts, schema={"player": pl.Int64, "start": pl.String}, orient="row")
    ratings = counted.ratings.select(pl.col("player").cast(pl.Int64), pl.col("rating").cast(pl.Int64))
    state = held.join(given, on="player", how="full", coalesce=True)
    state = state.join(ratings, on="player", how="full", coalesce=True).with_columns(
        pl.col("held").fill_null(""),
        pl.col("low").fill_null(0),
        pl.coalesce("start", "held", pl.lit("")).alias("start"),
    )
    # what follows is computed once for all players who have the same
    same = combinations(state.select("start", "low", "rating"))
    rows = [
        _category_after(start, low, rating, categories, counted.lost)
        for start, low, rating in same.values.iter_rows()
    ]
    after = pl.DataFrame(rows, schema={"now": pl.String, "low_now": pl.Int64}, orient="row")
    state = state.hstack(after[same.numbers])
    decisions = {award.player: award.decision for award in awards}
    changes = [
        _change(counted, player, before, now, rating, decisions.get(player) if now == start else None)
        for player, before, start, now, rating in state.filter(pl.col("now") != pl.col("held"))
        .sort("player")
        .select("player", "held", "start", "now", "rating")
        .iter_rows()
    ]
    kept = state.filter((pl.col("now") != "") | (pl.col("low_now") > 0))
    return kept.select("player", held="now", low="low_now"), changes


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
    held, every, last = pl.DataFrame(schema=HELD), list[CategoryChange](), list[CategoryChange]()
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
        now, low = _category_after(start, low, counted.ratings, counted.categories.value, counted.lost)
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


def _category_after(
    start: str,
    low: int,
    rating: int | None,
    categories: Sequence[NationalCategory],
    lost: Rule[CategoryLoss] | None,
) -> tuple[str, int]:
    """Return the category after a list, and the lists in a row on which the rating was too far below it."""
    if rating is None:
        return start, low
    reached = [category for category in categories if rating >= category.rating]
    own = next((category for category in categories if category.name == start), None)
    if lost is not None and own is not None and rating <= own.rating - lost.value.below:
        if low + 1 >= lost.value.lists:
            return reached[-1].name if reached else "", 0
        low += 1
    else:
        low = 0
    if reached and (own is None or reached[-1].rating > own.rating):
        return reached[-1].name, low
    return start, low
