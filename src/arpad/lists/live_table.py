"""A list computed before its day, as the lines by which it differs from the official one.

Most lines of the next list follow from the official list without any event: the games of the period are back to zero.
Only the other lines are kept, so that a report changes as many of them as it has players, however long the list is.
"""

import polars as pl

from arpad.lists.table import LINE, SCHEMA

COLUMNS = ("player", "rating", *LINE)
"""The columns of a published line."""


def listed_lines(table: pl.DataFrame) -> pl.DataFrame:
    """Return the lines of a list: its rows that are shown, without the states behind them."""
    return table.filter("listed").select(COLUMNS)


def carried_forward(official: pl.DataFrame) -> pl.DataFrame:
    """Return the lines of the official list as they would be on the next list if nothing happened to anybody."""
    return listed_lines(official).with_columns(games=pl.lit(0, SCHEMA["games"]))


def differing_lines(official: pl.DataFrame, computed: pl.DataFrame) -> pl.DataFrame:
    """Return the lines of a computed list that differ from the official list carried forward.

    Both may be the rows of some players only, of the same ones.
    """
    expected = carried_forward(official)
    return listed_lines(computed).join(
        expected, on=COLUMNS, how="anti", nulls_equal=True, maintain_order="left"
    )


def players_gone(official: pl.DataFrame, computed: pl.DataFrame) -> pl.DataFrame:
    """Return the players whom the official list shows and the computed one does not, with their ratings."""
    gone = official.filter("listed").join(
        computed.filter("listed"), on="player", how="anti", maintain_order="left"
    )
    return gone.select("player", "rating")


def line_texts(lines: pl.DataFrame) -> list[str]:
    """Return each line as a JSON text."""
    return lines.select(pl.struct(COLUMNS).struct.json_encode().alias("line"))["line"].to_list()
