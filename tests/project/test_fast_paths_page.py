"""docs/project/fast-paths.md: what it says is in the code is there, and its rows keep their numbers."""

from __future__ import annotations

import ast
import re
from functools import cache

import pytest

from tests.paths import ROOT, SOURCE

PAGE = (ROOT / "docs" / "project" / "fast-paths.md").read_text(encoding="utf-8")
SUMMARY, _, REST = PAGE.partition("\n## How it was measured\n")
_, _, TABLES = REST.partition("\n## In the code\n")
IN_CODE, _, NOT_KEPT = TABLES.partition("\n## Tried and not kept\n")


def numbers(table: str) -> list[str]:
    """Return the numbers of the rows of a table, such as 33 and 33b."""
    return re.findall(r"^\| (\d+[a-z]?) \|", table, flags=re.MULTILINE)


def named(text: str) -> set[tuple[str, str]]:
    """Return the modules that a text names, each with a function, a class or a value of it."""
    return set(re.findall(r"`([\w/]+\.py): ([\w.]+)`", text))


@cache
def defined_names(module: str) -> set[str]:
    """Return the functions, classes, methods and values of a module."""
    names = set()
    for node in ast.parse((SOURCE / module).read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ClassDef):
            names |= {f"{node.name}.{part.name}" for part in node.body if isinstance(part, ast.FunctionDef)}
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        names |= {target.id for target in targets if isinstance(target, ast.Name)}
    return names


@pytest.mark.parametrize(("module", "name"), sorted(named(SUMMARY) | named(IN_CODE)))
def test_what_the_page_names_is_there(module: str, name: str) -> None:
    assert name in defined_names(module)


def test_every_number_is_given_once() -> None:
    rows = numbers(IN_CODE) + numbers(NOT_KEPT)

    assert len(rows) == len(set(rows))
    whole = {int(re.sub(r"[a-z]$", "", row)) for row in rows}
    assert whole == set(range(1, max(whole) + 1))


def test_the_summary_refers_to_rows_of_what_is_in_the_code() -> None:
    referred = re.findall(r"\| (\d[\d, a-z]*) \|$", SUMMARY, flags=re.MULTILINE)

    assert len(referred) > 40
    assert {row for cell in referred for row in cell.split(", ")} <= set(numbers(IN_CODE))
