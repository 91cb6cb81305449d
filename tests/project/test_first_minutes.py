"""A person who has never seen Arpad reads README and home for five minutes, and finds the answers to ten questions."""

import re
from html import unescape

import pytest

from tests.builders.site_fixtures import Served
from tests.paths import ROOT

FIVE_MINUTES = 1_000
"""Words that somebody reads in five minutes who also looks at the pictures."""

README = (ROOT / "README.md").read_text(encoding="utf-8")
FIRST_SCREENS = README.partition("## A tour")[0]

ON_README = [
    ("What is it?", r"runs the ratings of a chess or draughts federation", ""),
    ("How does it look?", r"!\[A player's page", "docs/player.svg"),
    ("For whom is it?", r"\| player \|.*\| arbiter \|.*\| rating officer \|.*\| president \|", ""),
    ("How do I try it?", r"    make run .*Python 3\.11 or later, git and make", ""),
    ("Does it know our rules?", r"FIDE rating regulations since July 2009.*Elo-Rubele", "docs/reference/editions.md"),
    ("Why should anybody believe its figures?", r"a list that anybody can recompute to the same bytes", ""),
    ("Does it speak our language?", r"Italian, English or French", ""),
    ("We are small: how do we begin?", r"A small federation begins with", "docs/tutorials/small.en.md"),
]  # fmt: skip

ON_HOME = [
    ("Why did my rating change?", r"Why did my rating change\? Search your name", "/guides/player"),
    ("Which list counts now, and when is the next?", r"List of 1 January 2025\..*1 February 2025", "/lists/standard"),
]  # fmt: skip


@pytest.mark.parametrize(("question", "answer", "link"), ON_README)
def test_the_readme_answers_before_its_tour(question: str, answer: str, link: str) -> None:
    assert re.search(answer, FIRST_SCREENS, re.DOTALL), question
    if link:
        assert f"({link})" in FIRST_SCREENS, question
        assert (ROOT / link).is_file(), question


@pytest.mark.parametrize(("question", "answer", "link"), ON_HOME)
def test_the_home_page_answers(served: Served, question: str, answer: str, link: str) -> None:
    client = served.client()
    page = client.get("/").text.partition("<main")[2]
    assert re.search(answer, _read(page)), question
    assert f'href="{link}"' in page, question
    assert client.get(link).status_code == 200, question


def test_both_are_read_in_five_minutes(served: Served) -> None:
    home = _read(served.client().get("/").text.partition("<main")[2])
    assert len(FIRST_SCREENS.split()) + len(home.split()) <= FIVE_MINUTES
    assert "MIT licence" in README


def _read(html: str) -> str:
    """What a reader sees of a page, on one line."""
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", html)).split())
