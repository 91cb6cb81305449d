"""Imports point one way, without circles; what needs no database loads none; all SQL is in the store."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from tests.paths import SOURCE

ORDER = (
    "model",
    "system",
    "proofs",
    "reports",
    "regulations",
    "checks",
    "rating",
    "lists",
    "explain",
    "publishing",
    "library",
    "store",
    "office",
    "monitor",
    "accounts",
    "demo",
    "worker",
    "web",
    "cli",
    "__main__",
)
"""The parts of Arpad. A part imports itself and the parts before it; docs/architecture.md says what each one is."""

WITHOUT_DATABASE = ORDER[: ORDER.index("store")]
"""The parts that compute everything without a database."""

SQL_ALLOWED = {"Connection"}
"""What other parts than the store may import from SQLAlchemy: the type of the connection that they pass on."""

NOT_AT_START = {
    "arpad": ("alembic", "litestar", "numpy", "polars", "pydantic", "rich", "sqlalchemy", "typer", "typst"),
    "arpad.cli": ("alembic", "litestar", "numpy", "polars", "sqlalchemy", "typst", "uvicorn"),
    "arpad.office.features": ("msgspec", "sqlalchemy"),
    "arpad.publishing.bundle": ("polars", "sqlalchemy"),
    "arpad.lists.rating_lookup": ("polars", "sqlalchemy"),
}
"""What importing a module must not load, since loading it is slow, or since the module works without it."""

NAME = "arpad"


def modules(package: Path) -> dict[str, Path]:
    """Return every module of the package by its dotted name."""
    found = {}
    for path in sorted(package.rglob("*.py")):
        names = [NAME, *path.relative_to(package).with_suffix("").parts]
        found[".".join(names[:-1] if names[-1] == "__init__" else names)] = path
    return found


@cache
def imported_names(path: Path, package: str) -> tuple[tuple[int, str], ...]:
    """Return each import in a module of the given package, lazy ones too: its line and its absolute name."""
    return tuple(_imported_names(path.read_text(encoding="utf-8"), package))


def _imported_names(source_text: str, package: str) -> Iterator[tuple[int, str]]:
    for node in ast.walk(ast.parse(source_text)):
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


def imports(package: Path) -> Iterator[tuple[str, int, str, str]]:
    """Yield each import of one of our modules by another: file, line, the importing and the imported module."""
    ours = modules(package)
    for module, path in ours.items():
        for line, name in imported_names(path, package_of(module, path)):
            target = name
            while target not in ours and "." in target:
                target = target.rpartition(".")[0]
            if target in ours and target != module:
                yield str(path.relative_to(package.parent)), line, module, target


def package_of(module: str, path: Path) -> str:
    """Return the package to which relative imports in a module refer."""
    return module if path.name == "__init__.py" else module.rpartition(".")[0]


def part_of(module: str) -> str:
    """Return the part to which a module belongs: arpad.reports.formats.trf belongs to reports."""
    return f"{module}.".split(".")[1] or NAME


def backward_imports(package: Path) -> list[str]:
    """Return one sentence for each import that the order does not allow."""
    allowed = {part: {*ORDER[: place + 1]} for place, part in enumerate(ORDER)}
    allowed |= {
        NAME: {"explain", "library", "model"},
        "web": allowed["web"] | {NAME},
        "cli": allowed["cli"] | {NAME},
    }
    return [
        f"{file}:{line}: {part_of(module)} must not import {part_of(target)}"
        for file, line, module, target in imports(package)
        if part_of(target) not in {part_of(module), *allowed.get(part_of(module), ())}
    ]


def import_circle(package: Path) -> list[str]:
    """Return the modules of a circle of imports, or nothing."""
    graph: dict[str, set[str]] = {}
    for _, _, module, target in imports(package):
        if not module.startswith(f"{target}."):  # importing a module runs the packages above it first
            graph.setdefault(module, set()).add(target)
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return [str(module) for module in error.args[1]]
    return []


def unordered_parts(package: Path) -> list[str]:
    """Return the parts with Python in them that the order does not name."""
    return sorted({part_of(module) for module in modules(package)} - {NAME, *ORDER})


def database_imports(package: Path) -> list[str]:
    """Return one sentence for each import of SQLAlchemy that belongs into the store."""
    sentences = []
    for module, path in modules(package).items():
        part = part_of(module)
        for line, name in imported_names(path, package_of(module, path)):
            library, _, what = name.partition(".")
            if library not in {"sqlalchemy", "alembic"} or part == "store":
                continue
            if part in {*WITHOUT_DATABASE, NAME} or what not in SQL_ALLOWED:
                sentences.append(f"{path.relative_to(package.parent)}:{line}: {name} belongs into the store")
    return sentences


def write_package(folder: Path, sources: Mapping[str, str]) -> Path:
    for name, source in sources.items():
        path = folder / NAME / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(source, encoding="utf-8")
        (path.parent / "__init__.py").touch()
    return folder / NAME


def test_no_import_points_backwards() -> None:
    assert backward_imports(SOURCE) == []


def test_no_modules_import_each_other_in_a_circle() -> None:
    assert import_circle(SOURCE) == []


def test_the_order_names_every_part() -> None:
    assert unordered_parts(SOURCE) == []


def test_all_sql_is_in_the_store() -> None:
    assert database_imports(SOURCE) == []


@pytest.mark.parametrize(
    ("module", "source", "sentence"),
    [
        ("model/rules.py", "from arpad.lists.period import close", "model must not import lists"),
        ("model/rules.py", "def f():\n    import arpad.lists.period as p", "model must not import lists"),
        ("model/rules.py", "from ..lists import period", "model must not import lists"),
        ("reports/formats/trf.py", "import_module('arpad.cli')", "reports must not import cli"),
        ("office/office.py", "from arpad.web import app", "office must not import web"),
        ("web/app.py", "from arpad.cli import main", "web must not import cli"),
        ("lists/period.py", "from arpad import Edition", "lists must not import arpad"),
        ("__init__.py", "from arpad.lists import period", "arpad must not import lists"),
    ],
)
def test_a_planted_backward_import_is_found(tmp_path: Path, module: str, source: str, sentence: str) -> None:
    empty = dict.fromkeys(("lists/period.py", "web/app.py", "cli/main.py", "library.py"), "")
    package = write_package(tmp_path, empty | {module: source})

    (found,) = backward_imports(package)

    assert found.endswith(sentence)
    assert found.startswith(f"arpad/{module}:")


def test_imports_of_earlier_parts_are_allowed(tmp_path: Path) -> None:
    package = write_package(
        tmp_path,
        {
            "__init__.py": "from arpad.library import rate",
            "library.py": "from arpad.model.rules import Rule",
            "model/rules.py": "import json\nfrom arpad.model.exact import half_up",
            "model/exact.py": "from fractions import Fraction",
            "reports/formats/trf.py": "from ...model.rules import Rule",
            "web/app.py": "import arpad\nfrom sqlalchemy import Connection",
            "cli/main.py": "import arpad\nfrom arpad.web import app",
        },
    )

    assert backward_imports(package) == []
    assert import_circle(package) == []
    assert unordered_parts(package) == []
    assert database_imports(package) == []


def test_a_circle_is_found_also_if_an_import_is_lazy(tmp_path: Path) -> None:
    package = write_package(
        tmp_path,
        {
            "model/rules.py": "import arpad.model.exact",
            "model/exact.py": "def f():\n    import arpad.model.rules",
        },
    )

    assert backward_imports(package) == []
    assert set(import_circle(package)) == {"arpad.model.rules", "arpad.model.exact"}


def test_a_part_that_the_order_does_not_name_is_found(tmp_path: Path) -> None:
    package = write_package(tmp_path, {"model/rules.py": "", "pairing.py": "", "norms/title.py": ""})

    assert unordered_parts(package) == ["norms", "pairing"]


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("lists/period.py", "from sqlalchemy import Connection"),
        ("office/draft.py", "from sqlalchemy import select"),
        ("web/lists.py", "def f():\n    import sqlalchemy"),
    ],
)
def test_sql_outside_the_store_is_found(tmp_path: Path, module: str, source: str) -> None:
    assert len(database_imports(write_package(tmp_path, {module: source}))) == 1


@pytest.mark.parametrize("module", NOT_AT_START)
def test_importing_it_loads_nothing_slow(module: str) -> None:
    program = f"import json, sys\nimport {module}\nprint(json.dumps(list(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    loaded = {name.split(".")[0] for name in json.loads(done.stdout)}

    assert loaded.isdisjoint(NOT_AT_START[module])
