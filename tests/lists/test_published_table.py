"""A published list in columns: the same list as in values, with the same text."""

from dataclasses import replace
from random import Random

import polars as pl
import pytest

from arpad.lists.canonical import write_canonical
from arpad.lists.published import PublishedList
from arpad.lists.published_table import list_table, numbers_of
from arpad.model.errors import BadInput
from tests.builders import plain_lists
from tests.builders.published_lists import CHESS, DRAUGHTS, MARCHESI, REVISED, list_of_table, table_of_list
from tests.builders.random_lists import random_list


@pytest.mark.parametrize("published", [CHESS, REVISED, DRAUGHTS, *map(random_list, range(12))])
def test_a_table_is_the_list_that_it_was_made_from(published: PublishedList) -> None:
    table = table_of_list(published)
    assert list_of_table(table) == published
    assert table.text == write_canonical(published)
    assert table.schemes == tuple(plain_lists.schemes(published))


def test_players_that_the_list_does_not_show_are_left_out() -> None:
    frame = table_of_list(CHESS).frame.with_columns(listed=pl.col("player") < 3)
    assert list_of_table(list_table(CHESS, frame)) == replace(CHESS, rows=CHESS.rows[:2])


def test_nobody_stands_twice() -> None:
    table = table_of_list(replace(CHESS, rows=(MARCHESI, MARCHESI)))
    with pytest.raises(BadInput, match="listed-twice"):
        _ = table.text


@pytest.mark.parametrize("seed", range(8))
def test_numbers_of_other_bodies(seed: int) -> None:
    published = random_list(seed)
    identifiers = table_of_list(published).frame["identifiers"]
    schemes = ("fide", "fsi", "fid", "f", "none")
    assert numbers_of(identifiers, schemes).rows() == [
        tuple(row.identifier(scheme) for scheme in schemes) for row in published.rows
    ]


def test_numbers_if_nobody_has_two() -> None:
    identifiers = pl.Series("identifiers", ["fide=7", "", "fsi=A\\sB", "fide=8=9"])
    assert numbers_of(identifiers, ("fide", "fsi")).rows() == [("7", ""), ("", ""), ("", "A B"), ("8=9", "")]


_SAME = "A name of some length, with the same beginning"
_NAMES = (
    "",
    "a",
    "A",
    "à",
    "Straße",
    "STRASSE",
    "ab\0",
    "ab",
    *(f"{_SAME}{end}" for end in ("", " B", " a")),
)


@pytest.mark.parametrize(
    "ratings", [(None, 1500, 1501), (None,), (1500,), (None, 0, 1), (-5, 0, 2**31 - 1, None)]
)
@pytest.mark.parametrize("seed", range(6))
def test_the_order_is_by_rating_then_by_the_whole_name_then_by_number(
    seed: int, ratings: tuple[int | None, ...]
) -> None:
    """Names are compared by their first letters as numbers; those with the same first letters by all of them."""
    dice = Random(seed)  # noqa: S311  a test, not a secret
    rows = [(number, dice.choice(ratings), dice.choice(_NAMES)) for number in range(1, 60)]
    schema = {"player": pl.Int64, "rating": pl.Int32, "name": pl.String}
    frame = pl.DataFrame(rows, schema=schema, orient="row").with_columns(listed=True)
    expected = sorted(rows, key=lambda row: (row[1] is None, -(row[1] or 0), row[2].casefold(), row[0]))
    assert list_table(CHESS, frame).ranked.select("player", "rating", "name").rows() == expected
