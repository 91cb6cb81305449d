"""The examples in the docstrings run."""

import doctest
from collections.abc import Callable
from datetime import date
from fractions import Fraction
from pathlib import Path
from types import ModuleType

import pytest

import arpad
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
        lambda: arpad.expected_score(2000, 1900, list="bullet"),
        lambda: arpad.edition(date=date(2020, 1, 1), list="italiana"),
        lambda: arpad.rating_change(2000, [(1900, 1)], k=20, list="Standard"),
    ],
)
def test_a_list_that_does_not_exist_is_refused_by_name(asked: Callable[[], object]) -> None:
    with pytest.raises(arpad.BadInput) as caught:
        asked()
    assert (caught.value.code, caught.value.facts["option"]) == ("value-unknown", "list")
    assert "rapid" in str(caught.value)


@pytest.mark.parametrize("score", ["1e999999999", "1/3", "-1", "x", 0.3])
def test_points_that_are_none_are_refused_at_once(score: str | float) -> None:
    with comes_to_an_end(), pytest.raises(arpad.BadInput) as caught:
        arpad.rating_change(2000, [(1900, score)], k=20)
    assert caught.value.code == "bad-score"


@pytest.mark.parametrize(
    ("asked", "option"),
    [
        (lambda: arpad.rating_change(1850, [("a", 1)], k=20), "game"),  # type: ignore[list-item]
        (lambda: arpad.rating_change(1850, [1900], k=20), "game"),  # type: ignore[list-item]
        (lambda: arpad.rating_change(1850, [(1900, None)], k=20), "game"),  # type: ignore[list-item]
        (lambda: arpad.rating_change(1850.5, [(1900, 1)], k=20), "rating"),  # type: ignore[arg-type]
        (lambda: arpad.rating_change(1850, [(1900, 1)], k=0), "k"),
        (lambda: arpad.rating_change(1850, [(1900, 1)], born="soon"), "born"),  # type: ignore[arg-type]
        (lambda: arpad.rating_change(1850, []), "game"),
        (lambda: arpad.entry_rating([1900]), "event"),  # type: ignore[list-item]
        (lambda: arpad.entry_rating([([], 1)]), "event"),
        (lambda: arpad.rate_round_robin([1900, 1800]), "player"),  # type: ignore[list-item]
        (
            lambda: arpad.rate_round_robin([(2000, 2), (None, 1), (1900, 0)], counted_before=[4]),
            "counted_before",
        ),
        (lambda: arpad.coefficient(2500, 0, from_standard=True), "from_standard"),
        (lambda: arpad.performance_rating([], 1), "opponents"),
        (lambda: arpad.expected_score(1850, "x"), "opponent"),  # type: ignore[arg-type]
        (lambda: arpad.find_norm("XM", [], federation="ITA"), "title"),
        (lambda: arpad.edition("fide-2017", date=date(2020, 1, 1)), "edition"),
    ],
)
def test_a_wrong_argument_is_refused_by_its_name(asked: Callable[[], object], option: str) -> None:
    with pytest.raises(arpad.BadInput) as caught:
        asked()
    assert caught.value.facts["option"] == option
    assert str(caught.value) == arpad.sentence(caught.value, "en")


def test_an_edition_that_is_named_as_its_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text('id = "own-1"\nbase = "fide-2017"\neffective = 2018-01-01\n', encoding="utf-8")
    own = arpad.edition(str(path))

    assert (own.id, own.base) == ("own-1", "fide-2017")
    for chosen in (own, str(path)):
        assert arpad.expected_score(2000, 1900, edition=chosen).edition == "own-1"
    assert arpad.edition() is arpad.editions()[-1]


@pytest.mark.parametrize("score", ["½", "1/2", 0.5, "0,5", ".5", Fraction(1, 2)])
def test_half_a_point_in_every_way(score: str | float | Fraction) -> None:
    assert arpad.rating_change(2000, [(2000, score)], k=20).change == 0
