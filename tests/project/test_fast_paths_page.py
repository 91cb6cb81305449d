"""docs/project/fast-paths.md: what it says is in the code is there, and it stays a page."""

from __future__ import annotations

import ast
import re
from functools import cache

import pytest

from tests.paths import ROOT, SOURCE

PAGE = (ROOT / "docs" / "project" / "fast-paths.md").read_text(encoding="utf-8")
LONGEST = 60


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


@pytest.mark.parametrize(("module", "name"), sorted(set(re.findall(r"`([\w/]+\.py): ([\w.]+)`", PAGE))))
def test_what_the_page_names_is_there(module: str, name: str) -> None:
    assert name in defined_names(module)


def test_every_fast_path_says_what_it_saves() -> None:
    rows = [line.strip("|").split("|") for line in PAGE.splitlines() if line.startswith("| ")][1:]

    assert len(rows) > 20
    assert [row for row in rows if len(row) != 4 or not row[3].strip()] == []
    assert len(PAGE.splitlines()) <= LONGEST
