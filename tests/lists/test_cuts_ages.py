"""Age groups of a list, by the year of birth and the day on which an office counts the age."""

from __future__ import annotations

import polars as pl
import pytest

from arpad.lists.cuts import of_age
from arpad.model.age_groups import AgeDay, read_group

PLAYERS = pl.DataFrame(
    {
        "born": [2011, 2012, 2013, 1975, 1974, 1973, None, 2013],
        "rating": [1500, 1500, 1500, 1500, 1500, 1500, 1500, 1500],
        "inactive": [False, False, False, False, False, False, False, True],
    }
)


@pytest.mark.parametrize(
    ("group", "day", "born"),
    [
        ("U12", AgeDay.FIDE, [2012, 2013]),  # born in 2012: not yet 12 on 1 January 2024
        ("U12", AgeDay.FIRST, [2012, 2013]),
        ("U12", AgeDay.LAST, [2013]),
        ("50+", AgeDay.FIDE, [1974, 1973]),  # born in 1974: 50 by 31 December 2024
        ("50+", AgeDay.LAST, [1974, 1973]),
        ("50+", AgeDay.FIRST, [1973]),
    ],
)
def test_the_age_is_counted_on_the_day_of_the_office(group: str, day: AgeDay, born: list[int]) -> None:
    assert PLAYERS.filter(of_age(read_group(group), 2024, day))["born"].to_list() == born
