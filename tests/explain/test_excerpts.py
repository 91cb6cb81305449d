"""The marked characters of a line, whole or in a window."""

from __future__ import annotations

import pytest

from arpad.explain.excerpts import excerpt_of, mark
from arpad.model.rules import Finding, Severity

LINE = "001    1 mGM Bianchi, Ada    1.0    1     2 w 1\r\n"


@pytest.mark.parametrize(
    ("column", "start", "marked"),
    [
        (5, 8, "1"),
        (14, 14, "Bianchi,"),
        (45, 45, "w"),
        (47, 47, "1"),
        (1, 1, "001"),
        (4, 8, "1"),
        (60, 48, " "),
    ],
)
def test_the_word_at_a_column_is_marked(column: int, start: int, marked: str) -> None:
    excerpt = mark(LINE, column)

    assert (excerpt.start, excerpt.marked) == (start, marked)
    assert (excerpt.before + excerpt.marked + excerpt.after).rstrip() == LINE.rstrip()


@pytest.mark.parametrize("width", [10, 20, 60])
def test_a_window_keeps_the_mark_and_the_width(width: int) -> None:
    finding = Finding(Severity.ERROR, "both-win", line=1, column=45)
    excerpt = excerpt_of(finding, [LINE], width)

    assert excerpt is not None
    whole = excerpt.before + excerpt.marked + excerpt.after
    assert len(whole) <= width
    assert whole[len(excerpt.caret) - 1] == "w"
    assert excerpt_of(Finding(Severity.ERROR, "x"), [LINE], width) is None
    assert excerpt_of(Finding(Severity.ERROR, "x", line=9, column=1), [LINE], width) is None
