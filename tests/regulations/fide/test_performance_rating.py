"""The performance rating: average plus dp, with the figures of table 8.1a and of published examples."""

from fractions import Fraction

import pytest

from arpad import performance_rating
from arpad.model.errors import BadInput
from tests.commands import refusal, run_json

TABLE = [
    (100, 800),
    (99, 677),
    (75, 193),
    (68, 133),
    (67, 125),
    (51, 7),
    (50, 0),
    (33, -125),
    (1, -677),
    (0, -800),
]
"""Hundredths and dp, as table 8.1a prints them."""


@pytest.mark.parametrize(("hundredths", "dp"), TABLE)
def test_each_row_of_the_table_is_added_to_the_average(hundredths: int, dp: int) -> None:
    result = performance_rating([2000] * 100, hundredths, edition="fide-2017")
    assert (result.rating, result.average, result.dp) == (2000 + dp, 2000, dp)


@pytest.mark.parametrize(
    ("opponents", "score", "rating"),
    [
        ([2400] * 11, "7.5", 2533),  # a published case of the title regulations: 7.5 of 11 is 68 %, dp 133
        ([1500], 1, 2300),
        ([1500], 0, 700),
        ([1500], "½", 1500),
        ([2401, 2400], 1, 2401),  # an average of 2400.5 is rounded up
        ([2400, 2350, 2300], 2, 2475),
    ],
)
def test_published_and_small_examples(opponents: list[int], score: str | int, rating: int) -> None:
    assert performance_rating(opponents, score).rating == rating


def test_the_command_shows_the_steps(capsys: pytest.CaptureFixture[str]) -> None:
    document = run_json(
        capsys, "calc", "performance", *["2400"] * 11, "--score", "7.5", "--edition", "fide-2017"
    )
    assert (document["rating"], document["average"], document["dp"]) == (2533, 2400, 133)
    assert [step["article"] for step in document["steps"]] == ["8.1a"] * 3
    assert "2" in refusal(capsys, "calc", "performance", "2400", "--score", "2")
    assert "4001" in refusal(capsys, "calc", "performance", "4001", "--score", "1")
    assert "score" in refusal(capsys, "calc", "performance", "2400")


def test_values_that_cannot_be() -> None:
    for opponents, score in (([], 0), ([2400], 2), ([2400], -1), ([9999], 1)):
        with pytest.raises(BadInput):
            performance_rating(opponents, score)
    assert performance_rating([2400], 1).score == Fraction(1)
