"""The rules that only an own edition has: national categories and when they are lost."""

import pytest

from arpad.model.errors import BadInput
from arpad.model.rules import ListName, Rule
from arpad.regulations.adopted import read_own
from arpad.regulations.editions import chess_edition
from arpad.regulations.fide.rules import CategoryLoss, ChessRules, NationalCategory


def national(value: str, lost: str = "") -> ChessRules:
    """The rules of an own edition with these categories."""
    text = f'base = "fide-2017"\n[standard]\ncategories = {{ value = {value}, article = "own 4" }}\n{lost}'
    rules: ChessRules = read_own(text).on(ListName.STANDARD)
    return rules


def test_national_categories_are_read_with_their_articles() -> None:
    lost = 'categories_lost = { value = { below = 100 }, article = "own 5" }\n'
    rules = national(
        '[{ name = "3N", rating = 1500, article = "own 4a" }, { name = "2N", rating = 1600 }]', lost
    )
    assert rules.categories == Rule(
        (NationalCategory("3N", 1500, "own 4a"), NationalCategory("2N", 1600)), "own 4"
    )
    assert rules.categories_lost == Rule(CategoryLoss(100, 1), "own 5")
    assert NationalCategory("2N", 1600).article == ""
    plain = chess_edition("fide-2017").on(ListName.STANDARD)
    assert (plain.categories, plain.categories_lost, plain.membership) == (None, None, None)


@pytest.mark.parametrize(
    "value",
    [
        "[]",
        '[{ name = "3N" }]',
        '[{ name = "", rating = 1500 }]',
        '[{ name = "3N", rating = "high" }]',
        '[{ name = "3N", rating = 1500 }, { name = "3N", rating = 1600 }]',
        '[{ name = "2N", rating = 1600 }, { name = "3N", rating = 1500 }]',
        '[{ name = "3N", rating = 15000 }]',
    ],
)
def test_categories_that_cannot_be_are_refused(value: str) -> None:
    with pytest.raises(BadInput, match="own-edition-value"):
        national(value)


@pytest.mark.parametrize(
    "names",
    [["3N", "elevenchars"], [" 3N"], ["3\u200bN"], ["3N", "2N", "3N"], [""]],
    ids=["long", "blank", "unseen", "twice", "none"],
)
def test_a_name_of_a_category_that_cannot_be_is_refused_with_what_is_accepted(names: list[str]) -> None:
    rows = [{"name": name, "rating": 1500 + 100 * index} for index, name in enumerate(names)]
    value = "[" + ", ".join(f'{{ name = "{row["name"]}", rating = {row["rating"]} }}' for row in rows) + "]"
    with pytest.raises(BadInput) as refused:
        national(value)
    accepted = '[{ name = "3N", rating = 1500, article = "…" }, { name = "2N", rating = 1600 }]'
    assert (refused.value.code, refused.value.facts) == (
        "own-edition-value",
        {"field": "categories", "value": str(rows)[:80], "accepted": accepted},
    )


def test_the_shortest_and_the_longest_name_of_a_category_are_accepted() -> None:
    value = '[{ name = "N", rating = 1500 }, { name = "ten signs!", rating = 1600 }]'
    categories = national(value).categories
    assert categories is not None
    assert [category.name for category in categories.value] == ["N", "ten signs!"]


def test_a_loss_needs_a_list() -> None:
    with pytest.raises(BadInput) as refused:
        national(
            '[{ name = "3N", rating = 1500 }]',
            'categories_lost = { value = { below = 100, lists = 0 }, article = "own 5" }\n',
        )
    assert (refused.value.code, refused.value.facts) == (
        "own-edition-value",
        {
            "field": "categories_lost",
            "value": "{'below': 100, 'lists': 0}",
            "accepted": "{ below = 100, lists = 1 }",
        },
    )
