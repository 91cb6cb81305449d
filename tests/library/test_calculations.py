"""The examples in the docstrings run."""

from __future__ import annotations

import doctest
from collections.abc import Callable
from datetime import date
from fractions import Fraction
from types import ModuleType

import pytest

import arpad
from arpad.explain.words import load_words
from arpad.library import calculations, reports, words
from arpad.model import exact
from tests.patience import comes_to_an_end


@pytest.mark.parametrize("module", [arpad, calculations, reports, words, exact])
def test_examples_in_docstrings(module: ModuleType) -> None:
    failed, tried = doctest.testmod(module)
    assert tried > 0
    assert failed == 0


@pytest.mark.parametrize(
    "asked",
    [
        lambda: arpad.expected_score(2000, 1900, on_list="bullet"),
        lambda: arpad.edition(date(2020, 1, 1), "italiana"),
        lambda: arpad.rating_change(2000, [(1900, 1)], k=20, on_list="Standard"),
    ],
)
def test_a_list_that_does_not_exist_is_refused_by_name(asked: Callable[[], object]) -> None:
    with pytest.raises(arpad.BadInput) as caught:
        asked()
    assert (caught.value.code, caught.value.facts["option"]) == ("value-unknown", "on_list")
    assert "rapid" in load_words("en").error(caught.value)


@pytest.mark.parametrize("score", ["1e999999999", "1/3", "-1", "x", 0.3])
def test_points_that_are_none_are_refused_at_once(score: str | float) -> None:
    with comes_to_an_end(), pytest.raises(arpad.BadInput) as caught:
        arpad.rating_change(2000, [(1900, score)], k=20)
    assert caught.value.code == "bad-score"


@pytest.mark.parametrize("score", ["½", "1/2", 0.5, "0,5", ".5", Fraction(1, 2)])
def test_half_a_point_in_every_way(score: str | float | Fraction) -> None:
    assert arpad.rating_change(2000, [(2000, score)], k=20).change == 0
