"""Rankings computed on columns are those counted row by row."""

from datetime import date

import pytest

from arpad.lists.cuts import cuts_of
from arpad.lists.published import ListedPlayer, PublishedList
from arpad.lists.rankings import Sort, compute_rankings, page_players, rank_selected
from arpad.model.rules import ListName
from tests.builders import plain_lists
from tests.builders.published_lists import table_of_list
from tests.builders.random_lists import random_list


@pytest.mark.parametrize("seed", range(20))
def test_pages_ranks_and_totals(seed: int) -> None:
    published = random_list(seed)
    assert compute_rankings(table_of_list(published)) == plain_lists.rankings(published)


@pytest.mark.parametrize("seed", range(3))
def test_a_selection_is_ranked_like_a_stored_cut(seed: int) -> None:
    table = table_of_list(random_list(seed))
    ranked = rank_selected(table, cuts_of(table)["women"], ())
    stored = b"".join(players for cut, *_, players in compute_rankings(table).pages if cut == "women")
    assert ranked["player"].to_list() == page_players(stored)
    assert ranked["rank"].to_list() == [
        1 + sum(other > rating for other in ranked["rating"]) for rating in ranked["rating"]
    ]
    hidden = set(ranked["player"][:1])
    assert not hidden & set(rank_selected(table, cuts_of(table)["women"], hidden)["player"])


@pytest.mark.parametrize("column", ["name", "title", "rating", "games", "born"])
def test_a_sorted_selection_keeps_the_ranks(column: str) -> None:
    published = random_list(1)
    table = table_of_list(published)
    ranked = rank_selected(table, cuts_of(table)["all"], ())
    ranks = dict(ranked.select("player", "rank").iter_rows())
    values = {
        row.player: row.name.lower() if column == "name" else row.title or row.women_title or None
        if column == "title"
        else getattr(row, column)
        for row in published.rows
    }  # fmt: skip

    for descending in (False, True):
        ordered = rank_selected(table, cuts_of(table)["all"], (), Sort(column, descending))
        assert dict(ordered.select("player", "rank").iter_rows()) == ranks
        shown = [values[player] for player in ordered["player"]]
        known = [value for value in shown if value is not None]
        assert known == sorted(known, reverse=descending)
        assert shown == known + [None] * (len(shown) - len(known))


def test_the_inactive_have_no_rank_and_take_none() -> None:
    rows = tuple(
        ListedPlayer(number, "A", rating=2100 - number, inactive=number == 2) for number in (1, 2, 3)
    )
    table = table_of_list(PublishedList(ListName.STANDARD, date(2024, 1, 1), 1, "fide-2024", rows=rows))

    assert rank_selected(table, cuts_of(table)["all"], ())["rank"].to_list() == [1, None, 2]
