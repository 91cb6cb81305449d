"""A table in a pipe is written without Rich, and as Rich writes it."""

from io import StringIO

import pytest
from rich.console import Console

from arpad.cli.grids import Derivation, Grid

COLUMNS = (("id", "right"), ("name", "left"), ("change-rounded", "fixed"))
ROWS = (("1", "Rossi, Mario", "+5"), ("22", "Žižka, Věra – “x”", ""), ("300", "Каспаров [b]Г[/b]", "−12"))


def drawn(item: Grid | Derivation) -> str:
    out = StringIO()
    Console(file=out, width=160, highlight=False, markup=False, emoji=False).print(item)
    return out.getvalue()


@pytest.mark.parametrize(
    "item",
    [
        Grid(COLUMNS, ROWS),
        Grid(COLUMNS, ROWS, "Movements"),
        Grid(COLUMNS, (), "Nobody"),
        Grid((("one", "left"),), (("a  b",), (":smile:",))),
        Grid((("one", "left"), ("two", "right")), (("x" * 100, "y" * 54), ("", "1"))),
        Derivation((("8.55c", "sum over 2 games: +0.77"), ("", "1850 +15.4, rounded +15: 1865"))),
        Derivation((("8.57", "a"),)),
    ],
)
def test_a_plain_table_is_the_one_that_rich_draws(item: Grid | Derivation) -> None:
    assert item.plain(160) == drawn(item)


@pytest.mark.parametrize(
    "item",
    [
        Grid((("one", "left"),), (("漢字",),)),
        Grid((("one", "left"),), (("two\nlines",),)),
        Grid((("one", "left"),), ((" indented",),)),
        Grid((("one", "left"),), (("cafe\u0301",),)),
        Grid((("one", "left"),), (("x" * 160,),)),
        Grid((("one", "left"),), (("x",),), "a title wider than the table"),
        Grid((("", "left"),), (("",),)),
        Derivation((("8.57", "x" * 160),)),
        Derivation(()),
    ],
)
def test_what_needs_wrapping_or_is_not_as_wide_as_its_letters_is_left_to_rich(
    item: Grid | Derivation,
) -> None:
    assert item.plain(160) is None
