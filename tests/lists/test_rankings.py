"""Rankings computed on columns are those counted row by row."""

from __future__ import annotations

import pytest

from arpad.lists.rankings import compute_rankings
from tests.builders import plain_lists
from tests.builders.published_lists import table_of_list
from tests.builders.random_lists import random_list


@pytest.mark.parametrize("seed", range(20))
def test_pages_ranks_and_totals(seed: int) -> None:
    published = random_list(seed)
    assert compute_rankings(table_of_list(published)) == plain_lists.rankings(published)
