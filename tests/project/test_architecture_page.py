"""docs/architecture.md names every package in the order of imports, and answers where things are."""

from __future__ import annotations

import ast
import re

import pytest

from tests.paths import ROOT, SOURCE
from tests.project.test_architecture import ORDER

PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
QUESTIONS = (
    "The cut-off of a list",
    "K of a junior",
    "Splitting a draughts field into groups",
    "Who may open the desk",
    "Writing FIDE's XML",
    "Matching an entrant to the register",
    "The lock-out after failed sign-ins",
    "Why a game does not count",
)
"""What a stranger must be able to find with the tree and this page alone."""


def rows(heading: str) -> list[tuple[str, str]]:
    """Return the rows of the table below a heading of the page."""
    table = PAGE.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    return re.findall(r"^\| ([^|]+) \| ([^|]+) \|$", table, flags=re.MULTILINE)[1:]


def answers() -> dict[str, tuple[str, str]]:
    """Return question → module and name."""
    found = {}
    for question, answer in rows("Where is it?"):
        match = re.fullmatch(r"`([\w/]+\.py): (\w+)`", answer)
        assert match, answer
        found[question] = (match.group(1), match.group(2))
    return found


def defined_names(module: str) -> set[str]:
    """Return the functions and classes that a module defines itself."""
    tree = ast.parse((SOURCE / module).read_text(encoding="utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}


def test_the_page_names_the_packages_in_the_order_of_imports() -> None:
    named = [package.strip("`") for package, _ in rows("The packages")]

    parts = [
        "office" if part == "machinery" else part for part in ORDER if part not in {"features", "__main__"}
    ]
    assert named == parts


@pytest.mark.parametrize("question", QUESTIONS)
def test_the_page_answers_where_it_is(question: str) -> None:
    assert question in answers()


@pytest.mark.parametrize(("module", "name"), answers().values(), ids=answers())
def test_what_the_page_names_is_there(module: str, name: str) -> None:
    assert name in defined_names(module)
