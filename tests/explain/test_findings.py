"""Findings that repeat are one group and one line; the marked characters of a line, whole or in a window."""

import pytest

from arpad.explain.findings import excerpt_of, group_findings, mark
from arpad.explain.words import load_words
from arpad.model.rules import Finding, Severity

NAMELESS = [Finding(Severity.WARNING, "name-missing", player=number) for number in (1, 2, 5)]
LATE = Finding(Severity.ERROR, "stopped-early", facts={"played": 3, "planned": 5})
LINE = "001    1 mGM Bianchi, Ada    1.0    1     2 w 1\r\n"


def test_findings_are_grouped_by_code_the_gravest_first() -> None:
    first, second = group_findings([*NAMELESS, LATE])
    assert (first.severity, first.first, first.more) == (Severity.ERROR, LATE, 0)
    assert (second.more, second.players) == (2, (2, 5))


def test_in_one_line_each_code_is_said_once() -> None:
    sentence = load_words("en").findings([*NAMELESS, LATE])
    assert sentence.startswith("5 rounds were planned, 3 rounds have games. ")
    assert sentence.endswith("(and 2 similar problems).")


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
