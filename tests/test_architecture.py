"""Data flows one way: a module may import what stands to its left, never what stands to its right."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "src" / "arpad"

# A part is a module or a folder directly under src/arpad. A new part gets its place in one of these tables.

# The core, from left to right. Parts on one line may import each other, but not in a circle.
CORE = (
    (
        "model",
        "exact",
        "errors",
        "report",
        "trf_places",
        "capitals",
        "timecontrol",
        "names",
        "standing",
        "published",
        "canonical_list",
        "cells",
        "whole",
    ),
    ("facts", "stages", "sameness", "workers"),
    ("tables",),
    ("rules",),
    ("event", "games"),
    ("initial",),
    ("round_robin",),
    ("tally",),
    ("change",),
    ("check", "draughts"),
    ("regulations",),
    ("period", "engine", "calc", "round_robin_calculator", "setting", "rate"),
    ("explain",),
    ("library",),
    ("papers", "monitor", "simulate", "whatif"),
)

# The values: all that a format or the store may know of the core.
VALUES = CORE[0]
KNOW_ONLY_VALUES = ("formats", "store")

# The public face of the library: "arpad" itself may import the whole core, and only the edge may import it.
FACE = "arpad"

# What joins core, formats and store; then the edge, which may import everything.
JOIN = ("ratings", "list_files", "office", "accounts", "demo", "office_history", "watching")
EDGE = ("cli", "web", "example", "__main__")

# What must not be loaded by importing a module, since loading it is slow (checked for modules that exist).
NOT_AT_START = {
    "arpad": ("alembic", "litestar", "numpy", "pydantic", "rich", "sqlalchemy", "typer", "typst"),
    "arpad.cli": ("alembic", "litestar", "numpy", "sqlalchemy", "typst", "uvicorn"),
}


def allowed_imports() -> dict[str, frozenset[str]]:
    """Each part, and the other parts that it may import."""
    allowed: dict[str, frozenset[str]] = {}
    left: frozenset[str] = frozenset()
    for side_by_side in CORE:
        left |= frozenset(side_by_side)
        allowed |= dict.fromkeys(side_by_side, left)
    allowed[FACE] = left
    allowed |= dict.fromkeys(KNOW_ONLY_VALUES, frozenset(VALUES))
    joined = left | frozenset(KNOW_ONLY_VALUES) | frozenset(JOIN)
    allowed |= dict.fromkeys(JOIN, joined)
    allowed |= dict.fromkeys(EDGE, joined | frozenset((FACE, *EDGE)))
    allowed["web"] -= {"cli"}  # what both tell other programs stands in papers
    return allowed


def part_of(module: str) -> str:
    """Return the part to which a dotted module name belongs: arpad.formats.trf is of formats."""
    return f"{module}.".split(".")[1] or FACE


def imported_modules(tree: ast.AST, package: str) -> Iterator[tuple[int, str]]:
    """Each import in a module of the given package, with its line: absolute names, wherever they stand."""
    for node in ast.walk(tree):
        match node:
            case ast.Import():
                yield from ((node.lineno, alias.name) for alias in node.names)
            case ast.ImportFrom():
                above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
                source = ".".join([*above, node.module] if node.module else above)
                yield from ((node.lineno, f"{source}.{alias.name}") for alias in node.names)
            case ast.Call(
                func=ast.Name(id=called) | ast.Attribute(attr=called),
                args=[ast.Constant(value=str(name)), *_],
            ) if called in {"import_module", "__import__"}:
                yield node.lineno, name


def part_imports(package: Path) -> Iterator[tuple[str, str, str]]:
    """Each import of one part by another: the place, the part that imports, the part that is imported."""
    parts = {path.stem for path in package.iterdir() if path.suffix == ".py" or path.is_dir()}
    for path in sorted(package.rglob("*.py")):
        names = (FACE, *path.relative_to(package).with_suffix("").parts)
        inside = ".".join(names[:-1])
        own = part_of(inside if path.stem == "__init__" else ".".join(names))
        for line, module in imported_modules(ast.parse(path.read_text(encoding="utf-8")), inside):
            if module.split(".")[0] != FACE:
                continue
            part = part_of(module)
            target = part if part in parts else FACE  # from arpad import Edition: a name of the face
            if target != own:
                yield f"{path.relative_to(package.parent)}:{line}", own, target


def backward_imports(package: Path) -> list[str]:
    """One sentence for each import that the order does not allow."""
    allowed = allowed_imports()
    return [
        f"{place}: {own} must not import {target}"
        for place, own, target in part_imports(package)
        if own in allowed and target not in allowed[own]
    ]


def import_circle(package: Path) -> list[str]:
    """The parts of a circle of imports, or nothing."""
    graph: dict[str, set[str]] = {}
    for _, own, target in part_imports(package):
        graph.setdefault(own, set()).add(target)
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return [str(part) for part in error.args[1]]
    return []


def placeless_parts(package: Path) -> list[str]:
    """The parts with Python in them that stand in none of the tables."""
    parts = {part_of(".".join((FACE, *path.relative_to(package).parts))) for path in package.rglob("*.py")}
    return sorted({part.removesuffix(".py") for part in parts} - {"__init__"} - allowed_imports().keys())


def write_package(folder: Path, modules: Mapping[str, str]) -> Path:
    for name, source in modules.items():
        path = folder / FACE / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(source, encoding="utf-8")
    return folder / FACE


def test_no_import_points_backwards() -> None:
    assert backward_imports(PACKAGE) == []


def test_no_parts_import_each_other_in_a_circle() -> None:
    assert import_circle(PACKAGE) == []


def test_every_part_has_its_place() -> None:
    assert placeless_parts(PACKAGE) == []


@pytest.mark.parametrize(
    ("module", "source", "sentence"),
    [
        ("model.py", "from arpad.change import rate", "model must not import change"),
        ("model.py", "def f():\n    import arpad.tables as t", "model must not import tables"),
        ("exact.py", "from arpad import explain", "exact must not import explain"),
        ("exact.py", "from . import explain", "exact must not import explain"),
        ("exact.py", "from .change import rate", "exact must not import change"),
        ("check/games.py", "from ..regulations import fide", "check must not import regulations"),
        ("regulations/__init__.py", "from .. import period", "regulations must not import period"),
        ("change.py", "from arpad import Edition", "change must not import arpad"),
        ("change.py", "import_module('arpad.cli')", "change must not import cli"),
        ("formats/trf.py", "from arpad.tables import FIRST", "formats must not import tables"),
        ("formats/trf.py", "import arpad.store", "formats must not import store"),
        ("store/lists.py", "from arpad.formats import trf", "store must not import formats"),
        ("papers/board.py", "from arpad.formats import trf", "papers must not import formats"),
        ("office.py", "from arpad.web import app", "office must not import web"),
        ("__init__.py", "from arpad.formats import trf", "arpad must not import formats"),
    ],
)
def test_a_planted_backward_import_is_found(tmp_path: Path, module: str, source: str, sentence: str) -> None:
    modules = ("change.py", "explain.py", "tables.py", "period.py", "cli.py")
    folders = ("formats/trf.py", "regulations/fide.py", "store/lists.py", "web/app.py")
    package = write_package(tmp_path, dict.fromkeys((*modules, *folders), "") | {module: source})

    (found,) = backward_imports(package)

    assert found.endswith(sentence)
    assert found.startswith(f"arpad/{module}:")


def test_imports_to_the_left_are_allowed(tmp_path: Path) -> None:
    package = write_package(
        tmp_path,
        {
            "__init__.py": "from arpad.model import Rule\nfrom arpad.explain import sentences",
            "model.py": "import json\nfrom arpad.exact import half_up",
            "exact.py": "from fractions import Fraction",
            "explain.py": "from . import model\nfrom .regulations.fide import FIRST",
            "regulations/fide.py": "from ..model import Rule\nfrom . import rubele\nimport arpad.exact",
            "regulations/rubele.py": "",
            "formats/trf.py": "from arpad.model import Rule\nfrom arpad.formats.columns import READ",
            "formats/columns.py": "",
            "office.py": "from arpad import explain\nfrom arpad.formats import trf",
            "cli.py": "import arpad\nfrom arpad import Rule, office",
        },
    )

    assert backward_imports(package) == []
    assert import_circle(package) == []
    assert placeless_parts(package) == []


def test_a_circle_is_found(tmp_path: Path) -> None:
    package = write_package(tmp_path, {"model.py": "import arpad.exact", "exact.py": "import arpad.model"})

    assert backward_imports(package) == []
    assert set(import_circle(package)) == {"model", "exact"}


def test_a_part_without_a_place_is_found(tmp_path: Path) -> None:
    package = write_package(tmp_path, {"model.py": "", "pairing.py": "", "norms/title.py": ""})

    assert placeless_parts(package) == ["norms", "pairing"]


@pytest.mark.parametrize("module", NOT_AT_START)
def test_starting_loads_nothing_heavy(module: str) -> None:
    source = PACKAGE.parent.joinpath(*module.split("."))
    if not source.is_dir() and not source.with_suffix(".py").is_file():
        pytest.skip(f"there is no {module} yet")
    program = f"import json, sys, {module}; print(json.dumps(sorted(sys.modules)))"

    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)

    assert run.returncode == 0, run.stderr
    assert sorted(set(json.loads(run.stdout)) & set(NOT_AT_START[module])) == []
