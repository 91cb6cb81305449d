"""Articles both ways: a function that docs/coverage.md names cites its articles, and a cited article has its row.

- A row's function, class or method has the row's article in its docstring. A row of the rapid and blitz text that only
  says "as 7.1" asks nothing more than the row of 7.1.
- An article in the docstring of a public function has a row that names that function, in the parts that apply the law
  (``PARTS``). Private functions, modules and calculators explain a piece of what those do: there, the article must have
  a row.

An article is cited in parentheses: ``(8.56)``, ``(6.31, 6.41)``, ``(RB 7.3.1)``, ``(chapter 8)``, ``(tables 11, 12)``,
``(2024 0.2; 2017 0.2)`` with the year of the text, and ``(guide 4, 6)`` for the Italian guide to the entry rating.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache

import pytest

from tests.paths import SOURCE
from tests.project.test_docs import ROWS, Row, references

BEYOND = ("ICU (Ireland)", "Glicko and Glicko-2")
"""Sections without numbers of articles."""
PARTS = ("regulations", "checks", "rating", "lists")
CALCULATORS = {"rating/calculator.py", "rating/draughts_calculator.py"}
"""They ask the procedures; the rows name the procedures."""

ARTICLE = re.compile(r"(?:RB |B\.\d+(?:\.\d+)? )?\d+(?:\.\d+)+[a-g]?(?:\([iv]+\))?")
GROUP = re.compile(r"\(((?:[^()]|\([iv]+\))*)\)")


def cited(docstring: str) -> set[str]:
    """Return the articles, tables and points of the guide that a docstring cites in parentheses."""
    articles: set[str] = set()
    for group in GROUP.findall(" ".join(docstring.split())):
        kind = ""
        for part in re.split(r", | and | / |; ", group):
            token = re.sub(r"^20\d\d ", "", part)
            if word := re.fullmatch(r"(chapter|tables?|guide) (.+)", token):
                kind, token = word[1].rstrip("s"), word[2]
            if kind == "table" and re.fullmatch(r"\d+[ab]?", token):
                articles.add(f"Tab. {token}")
            elif kind == "guide" and token.isdigit():
                articles.add(f"guide-{token}")
            elif (kind == "chapter" and token.removeprefix("RB ").isdigit()) or ARTICLE.fullmatch(token):
                articles.add(token)
    return articles


@cache
def docstrings(path: str) -> dict[str, str]:
    """Return the docstring of a module under an empty name, and those of its functions and classes with methods."""
    tree = ast.parse((SOURCE / path).read_text(encoding="utf-8"))
    texts = {"": ast.get_docstring(tree) or ""}
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            defined = [part for part in ast.walk(node) if isinstance(part, ast.FunctionDef | ast.ClassDef)]
            texts[node.name] = " ".join(ast.get_docstring(part) or "" for part in defined)
    return texts


def functions_of(row: Row) -> Iterator[tuple[str, str]]:
    """Return module and name of each function or class that a row names; constants are no functions."""
    for reference in references(row.lives):
        path, _, name = reference.partition(": ")
        if name in docstrings(path):
            yield path, name


def articles_of(row: Row) -> set[str]:
    """Return the article of a row; one row has the two articles of another document."""
    book, _, numbers = row.article.rpartition("B.06.1 ")
    return (
        {f"B.06.1 {number}" for number in numbers.split(", ")}
        if book or numbers != row.article
        else {numbers}
    )


LAW = [row for row in ROWS if not row.section.startswith(BEYOND)]


@cache
def articles_by_function() -> dict[tuple[str, str], set[str]]:
    """Return the articles of the rows that name a function, for each module and function."""
    articles: dict[tuple[str, str], set[str]] = {}
    for row in LAW:
        for function in functions_of(row):
            articles.setdefault(function, set()).update(articles_of(row))
    return articles


def asks_the_same(row: Row, path: str, name: str) -> bool:
    """Return whether a row only repeats another article whose row names the function as well."""
    return row.asks.startswith("as ") and row.asks.removeprefix("as ") in articles_by_function()[path, name]


def uncited() -> Iterator[str]:
    """Return a sentence for each row whose function does not cite its article."""
    for row in LAW:
        for path, name in functions_of(row):
            missing = articles_of(row) - cited(docstrings(path)[name])
            if missing and not asks_the_same(row, path, name):
                yield f"{path}: {name} does not cite {', '.join(sorted(missing))} ({row.section})"


def without_row() -> Iterator[str]:
    """Return a sentence for each cited article without its row."""
    everywhere = {article for row in LAW for article in articles_of(row)}
    for file in sorted(file for part in PARTS for file in (SOURCE / part).rglob("*.py")):
        path = str(file.relative_to(SOURCE))
        for name, text in docstrings(path).items():
            private = not name or name.startswith("_") or path in CALCULATORS
            rows = everywhere if private else articles_by_function().get((path, name), set())
            for article in sorted(cited(text) - rows):
                yield f"{path}: {name or 'the module'} cites {article}, and no row says so"


def test_every_function_of_a_row_cites_its_article() -> None:
    assert list(uncited()) == []


def test_every_cited_article_has_a_row_that_names_the_function() -> None:
    assert list(without_row()) == []


@pytest.mark.parametrize(
    ("docstring", "articles"),
    [
        ("Return K (8.56).", {"8.56"}),
        (
            "Return K (6.1, 6.31 / 6.41; RB 7.3.1 and 8.21b(iii)).",
            {"6.1", "6.31", "6.41", "RB 7.3.1", "8.21b(iii)"},
        ),
        ("Return the capital (tables 18b and 22).", {"Tab. 18b", "Tab. 22"}),
        ("Return the mean (guide 4, 6).", {"guide-4", "guide-6"}),
        ("Return all (chapter 8).", {"8"}),
        ("Return K (8.56, reading 6).", {"8.56"}),
        ("Round half up (2.5 gives 3), from 8.56 on.", set()),
    ],
)
def test_how_articles_are_cited(docstring: str, articles: set[str]) -> None:
    assert cited(docstring) == articles
