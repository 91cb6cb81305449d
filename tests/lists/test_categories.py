"""National categories, list after list: reached, never lost, lost under conditions, given by decision."""

import random
from collections.abc import Sequence
from dataclasses import replace
from datetime import date

import polars as pl
import pytest

from arpad.lists.categories import Award, CategoryChange, CountedList, fold, fold_player
from arpad.model.rules import Rule
from arpad.regulations.fide.rules import CategoryLoss, NationalCategory

ITALIAN = Rule(
    (
        NationalCategory("3N", 1500, "4.3.1.1"),
        NationalCategory("2N", 1600, "4.3.1.2"),
        NationalCategory("1N", 1800, "4.3.1.3"),
        NationalCategory("CM", 2000),
    ),
    "4.3.1",
)
SCHEMA = {"player": pl.Int64, "rating": pl.Int32}
LOSS = Rule(CategoryLoss(below=100, lists=2), "own 9")


def months(
    ratings: Sequence[dict[int, int]],
    rule: Rule[tuple[NationalCategory, ...]] | None = ITALIAN,
    lost: Rule[CategoryLoss] | None = None,
) -> list[CountedList[pl.DataFrame]]:
    """Lists of 2021, one for each month, with these ratings."""
    return [
        CountedList(
            f"list-{number}", date(2021, number, 1),
            pl.DataFrame({"player": list(rated), "rating": list(rated.values())}, schema=SCHEMA),
            "own-2021", rule, lost,
        )
        for number, rated in enumerate(ratings, start=1)
    ]  # fmt: skip


def held(lists: list[CountedList[pl.DataFrame]], awards: Sequence[Award] = ()) -> dict[int, str]:
    return {player: name for player, name, _ in fold(lists, awards)[0].iter_rows() if name}


@pytest.mark.parametrize(
    ("rating", "category"),
    [
        (1499, ""),
        (1500, "3N"),
        (1599, "3N"),
        (1600, "2N"),
        (1799, "2N"),
        (1800, "1N"),
        (2000, "CM"),
        (2700, "CM"),
    ],
)
def test_a_threshold_that_is_reached_is_enough(rating: int, category: str) -> None:
    assert held(months([{7: rating}])).get(7, "") == category


def test_a_category_is_never_lost_without_a_rule() -> None:
    lists = months([{1: 1590}, {1: 1810}, {}, {1: 1000}])
    assert held(lists) == {1: "1N"}
    changes = fold(lists)[1]
    assert [(it.before, it.category, it.list, it.rating, it.article) for it in changes] == [
        ("", "3N", "list-1", 1590, "4.3.1.1"), ("3N", "1N", "list-2", 1810, "4.3.1.3"),
    ]  # fmt: skip


def test_a_category_without_an_own_article_has_that_of_the_rule() -> None:
    assert fold(months([{1: 2000}]))[1] == [
        CategoryChange(1, "", "CM", 2000, "list-1", date(2021, 1, 1), "own-2021", "4.3.1")
    ]


@pytest.mark.parametrize(
    ("ratings", "category"),
    [
        ([1800, 1701, 1701], "1N"),  # not far enough below 1800
        ([1800, 1700], "1N"),  # on one list only
        ([1800, 1700, 1700], "2N"),  # on two in a row: the category of the rating
        ([1800, 1700, 1701, 1700], "1N"),  # not in a row
        ([1800, 1700, None, 1700], "2N"),  # a list without the player does not interrupt the row
        ([1800, 1400, 1400], ""),
        ([1800, 1400, 1400, 1800], "1N"),
        ([2000, 1700, 1700, 1700], "2N"),  # the row begins again with the lower category
    ],
)
def test_a_category_is_lost_under_the_conditions_of_the_edition(
    ratings: list[int | None], category: str
) -> None:
    lists = months([{} if rating is None else {1: rating} for rating in ratings], lost=LOSS)
    assert held(lists).get(1, "") == category
    for change in fold(lists)[1]:
        assert change.article == "own 9" if change.lost else change.article != "own 9"


def test_lists_before_the_rule_do_not_count() -> None:
    first, second = months([{1: 2000}, {1: 1500}])
    assert held([replace(first, categories=None), second]) == {1: "3N"}


def test_a_decision_gives_a_category_from_its_day_on() -> None:
    lists = months([{1: 1400, 2: 1850}, {1: 1400, 2: 1850}])
    awards = [Award(5, 1, date(2021, 1, 15), "1N"), Award(6, 2, date(2021, 1, 15), "3N")]
    assert held(lists[:1], awards) == {2: "1N"}
    assert held(lists, awards) == {1: "1N", 2: "1N"}  # a lower one changes nothing
    (change,) = fold(lists, awards)[2]
    assert (change.player, change.category, change.decision, change.lost) == (1, "1N", 5, False)


def one_by_one(lists: list[CountedList[pl.DataFrame]], player: int) -> str:
    """The same for one player, told in plain Python."""
    ladder = {it.name: it.rating for it in ITALIAN.value}
    now, low = "", 0
    for counted in lists:
        rating = dict(counted.ratings.iter_rows()).get(player)
        if rating is None:
            continue
        reached = max((name for name in ladder if ladder[name] <= rating), key=ladder.__getitem__, default="")
        if now and counted.lost and rating <= ladder[now] - counted.lost.value.below:
            low += 1
            if low >= counted.lost.value.lists:
                now, low = reached, 0
            continue
        low = 0
        if ladder.get(reached, 0) > ladder.get(now, 0):
            now = reached
    return now


@pytest.mark.parametrize("seed", range(10))
def test_columns_and_plain_code_agree(seed: int) -> None:
    dice = random.Random(seed)  # noqa: S311  the same on every machine
    lists = months(
        [
            {player: dice.randrange(1350, 2100) for player in range(12) if dice.random() < 0.8}
            for _ in range(9)
        ],
        lost=dice.choice([None, LOSS]),
    )
    assert held(lists) == {player: name for player in range(12) if (name := one_by_one(lists, player))}


OTHER = Rule((NationalCategory("3N", 1400), NationalCategory("M", 1700), NationalCategory("CM", 1900)), "o")


@pytest.mark.parametrize("seed", range(20))
def test_one_player_has_the_changes_that_columns_show(seed: int) -> None:
    """Lists of two editions and of none, with and without loss, and categories that decisions gave."""
    dice = random.Random(seed)  # noqa: S311  the same on every machine
    lists = [
        replace(
            month, categories=dice.choice([ITALIAN, ITALIAN, OTHER, None]), lost=dice.choice([None, LOSS])
        )
        for month in months(
            [
                {player: dice.randrange(1350, 2100) for player in range(12) if dice.random() < 0.8}
                for _ in range(12)
            ]
        )
    ]
    awards = [
        Award(
            decision, dice.randrange(12), date(2021, dice.randrange(1, 13), 1), dice.choice(["2N", "CM", "X"])
        )
        for decision in range(20)
    ]
    changes = fold(lists, awards)[1]
    for player in range(12):
        own = [
            CountedList(it.name, it.day, dict(it.ratings.iter_rows()).get(player), it.edition, it.categories, it.lost)
            for it in lists
        ]  # fmt: skip
        given = [award for award in awards if award.player == player]
        assert fold_player(player, own, given) == [it for it in changes if it.player == player]
