"""What a person asks who reads the README and the home page for five minutes, and where each question is answered."""

from __future__ import annotations

import pytest

from tests.builders.site_fixtures import Served, compact
from tests.paths import ROOT

OPENING = (ROOT / "README.md").read_text(encoding="utf-8").partition("\n## ")[0]
"""What one reads before the tour."""

IN_THE_README = {
    "What is it?": "runs the ratings of a chess or draughts federation",
    "For whom is it?": "| president |",
    "How do I try it?": "    make run ",
    "What do I need for that?": "You need Python 3.11 or later",
    "By which rules does it rate?": "the FIDE rating regulations since July 2009",
    "Which files does it read?": "(TRF, CSV, XLSX, PGN, PDN)",
    "Why should anybody believe a list?": "anybody can recompute to the same bytes",
    "How does a small federation begin?": "docs/tutorials/small.en.md",
}
ON_THE_HOME_PAGE = {
    "What does a player get from it?": "Why did my rating change?",
    "Which lists are official, and when is the next one?": "The next one is that of",
}
LONGEST = 400
"""Words of the opening: two minutes."""


@pytest.mark.parametrize("question", IN_THE_README)
def test_the_readme_answers(question: str) -> None:
    assert IN_THE_README[question] in OPENING


def test_the_home_page_answers(served: Served) -> None:
    home = compact(served.client().get("/").text)

    assert len(IN_THE_README) + len(ON_THE_HOME_PAGE) == 10
    assert [question for question, answer in ON_THE_HOME_PAGE.items() if answer not in home] == []


def test_the_opening_is_read_in_two_minutes() -> None:
    assert len(OPENING.split()) < LONGEST
