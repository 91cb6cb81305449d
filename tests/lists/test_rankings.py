"""Rankings computed on columns are those counted row by row."""

from __future__ import annotations

import pytest

from arpad.lists.cuts import CUTS
from arpad.lists.rankings import compute_rankings, rank_selected
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
    ranked = rank_selected(table, CUTS["women"](table), ())
    stored = " ".join(players for cut, _, _, players in compute_rankings(table).pages if cut == "women")
    assert [str(row.player) for row in ranked] == stored.split()
    ratings = dict(table.frame.select("player", "rating").iter_rows())
    assert [row.rank for row in ranked] == [
        1 + sum(ratings[other.player] > ratings[row.player] for other in ranked) for row in ranked
    ]
    hidden = {row.player for row in ranked[:1]}
    assert not hidden & {row.player for row in rank_selected(table, CUTS["women"](table), hidden)}
