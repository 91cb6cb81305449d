"""The table of columns: what it cuts out it can put back."""

from hypothesis import given
from hypothesis import strategies as st

from arpad.reports.formats.fixed_width import Column, Layout, Tail, one_line, overlay
from arpad.reports.formats.trf_columns import PLAYER, RECORDS, TEAM, cell_column, rounds_in

SMALL = Layout((Column("number", 2, 4, right=True), Column("name", 6, 9)), Tail(11, 2, 3))


def test_cutting_and_filling() -> None:
    line = SMALL.format("X", {"number": "7", "name": "Ada"}, ["1", "22", "3"])
    assert line == "X  7 Ada   1 22  3"
    assert SMALL.cut(line) == ("  7", "Ada ")
    assert SMALL.tail is not None
    assert SMALL.tail.cut(line) == [(11, " 1"), (14, "22"), (17, " 3")]
    assert SMALL.gaps == (5,)


def test_putting_one_field_leaves_the_rest() -> None:
    assert SMALL.put("X  7 Ada  ... 99", "name", "Ugo B.") == "X  7 Ugo  ... 99"
    assert SMALL.put("", "name", "Eva") == "     Eva "


def test_overlay_pads_short_lines() -> None:
    assert overlay("ab", 5, "x") == "ab  x"


@given(st.text(max_size=30), st.integers(1, 40), st.text(max_size=10))
def test_overlay_changes_only_its_place(line: str, first: int, text: str) -> None:
    result = overlay(line, first, text)
    assert result[first - 1 : first - 1 + len(text)] == text
    assert result[: first - 1] == line.ljust(first - 1)[: first - 1]
    assert result[first - 1 + len(text) :] == line[first - 1 + len(text) :]


def test_no_two_columns_overlap() -> None:
    for layout in (PLAYER, TEAM, *RECORDS.values()):
        ends = [place for column in layout.columns for place in (column.first, column.last)]
        assert ends == sorted(ends)
        assert layout.tail is None or layout.tail.first > layout.columns[-1].last


def test_the_columns_of_rounds() -> None:
    assert [cell_column(number) for number in (1, 2, 3)] == [92, 102, 112]
    assert [rounds_in(length) for length in (0, 91, 92, 99, 101, 102, 109, 112)] == [0, 0, 1, 1, 1, 2, 2, 3]


def test_texts_on_one_line() -> None:
    assert one_line("a  b") == "a  b"
    assert one_line("a\r\n b\tc\x1b\x85") == "a b c"
