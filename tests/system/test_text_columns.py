"""Values that repeat in a table are found once, and their texts looked up."""

from datetime import date

import polars as pl
import pytest

from arpad.system.text_columns import combinations, looked_up

FIGURES = [1400, None, 1402, 1400, None, 1402, 1401, 1400]
TABLES = {
    "texts": {"federation": ["ITA", "FRA", "ITA", ""], "inactive": [True, True, True, False]},
    "texts and none": {"title": ["IM", None, "IM", None, ""], "k": [10, None, 10, 20, None]},
    "figures": {"rating": FIGURES},
    "two figures": {"games": [0, 1, None, 1] * 9, "k": [20, 20, None, 10] * 9},
    "figures far apart": {"rating": [1, 3_000, None, 1]},
    "large figures": {"number": [1 << 40, None, 1 << 40, 1 + (1 << 40)]},
    "days": {"entered": [date(2024, 3, 1), None, date(2024, 3, 1), date(2024, 3, 2)]},
    "flags": {"inactive": [True, False, True, False, True]},
    "none": {"rating": [None, None]},
    "no rows": {"rating": [], "title": []},
}


@pytest.mark.parametrize("columns", TABLES.values(), ids=TABLES)
def test_combinations_give_the_rows_again(columns: dict[str, list[object]]) -> None:
    table = pl.DataFrame(columns)
    values, numbers = combinations(table)
    assert values.is_unique().all()
    assert values[numbers].equals(table)


@pytest.mark.parametrize("few", [True, False], ids=["looked up", "row by row"])
def test_texts_of_figures_are_the_same_looked_up(*, few: bool) -> None:
    table = pl.DataFrame({"rating": [*FIGURES, *([] if few else [1_000_000])]})
    text = pl.concat_str(pl.lit('"rating":'), pl.col("rating").cast(pl.String)).alias("rating")
    texts = looked_up(table, "rating", text)
    assert texts.meta.eq(text) is not few
    assert table.select(texts).equals(table.select(text))
