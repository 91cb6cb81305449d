"""A computed list as the lines by which it differs from the official one, and back."""

import polars as pl
import pytest

from arpad.lists.live_table import (
    carried_forward,
    differing_lines,
    line_texts,
    listed_lines,
    players_gone,
)
from arpad.lists.table import SCHEMA
from tests.builders.live_lines import lines_of_texts, overlaid

DEFAULTS = {name: False if kind == pl.Boolean else None for name, kind in SCHEMA.items()} | {
    name: "" for name, kind in SCHEMA.items() if kind == pl.String and name not in ("pool", "state")
}


def table(*rows: dict[str, object]) -> pl.DataFrame:
    return pl.DataFrame([{**DEFAULTS, "listed": True, "games": 0, **row} for row in rows], schema=SCHEMA)


OFFICIAL = table(
    {"player": 1, "rating": 2000, "games": 9, "name": "Ada"},
    {"player": 2, "rating": 1900, "name": "Ugo"},
    {"player": 3, "rating": 1800, "name": "Eva", "k": 20},
    {"player": 4, "rating": 1700, "listed": False},
)


@pytest.mark.parametrize(
    ("change", "differing", "gone"),
    [
        ({}, [], []),
        ({2: {"rating": 1907, "games": 1}}, [2], []),
        ({3: {"k": None}}, [3], []),
        ({3: {"name": "Eva \u2028\"'\\"}}, [3], []),
        ({2: {"listed": False}}, [], [2]),
        ({4: {"listed": True}}, [4], []),
        ({4: {"rating": 1650}}, [], []),
        ({1: {"peak": 2100}}, [], []),
        ({5: {"player": 5, "rating": 1500}}, [5], []),
    ],
)
def test_only_lines_that_differ_are_kept_and_give_the_list_back(
    change: dict[int, dict[str, object]], differing: list[int], gone: list[int]
) -> None:
    rows = {row["player"]: {**row, "games": 0} for row in OFFICIAL.iter_rows(named=True)}
    computed = table(*(rows | {p: {**rows.get(p, {}), **values} for p, values in change.items()}).values())
    lines = differing_lines(OFFICIAL, computed)
    assert lines["player"].to_list() == differing
    assert players_gone(OFFICIAL, computed)["player"].to_list() == gone
    stored = lines_of_texts(line_texts(lines))
    assert stored.equals(lines)
    assert overlaid(OFFICIAL, stored, gone).equals(listed_lines(computed))


def test_an_empty_list_has_all_lines() -> None:
    nothing = OFFICIAL.clear()
    assert differing_lines(nothing, OFFICIAL).equals(listed_lines(OFFICIAL))
    assert carried_forward(OFFICIAL)["games"].to_list() == [0, 0, 0]
    assert lines_of_texts([]).equals(listed_lines(nothing))
