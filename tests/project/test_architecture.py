"""Imports point one way, without circles; what needs no database loads none; SQL has its places.

The order: the library, the store, the machinery of office, command line and site, the features, the assembly.
"""

import ast
import json
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from arpad.office.features import FEATURES
from tests.paths import SOURCE

LIBRARY = (
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
)
"""The parts that compute everything without a database, each importing itself and those before it."""

ORDER = (*LIBRARY, "store", "machinery", "features", "studies", "demo", "worker", "web", "cli", "__main__")
"""The parts of Arpad. A part imports itself and the parts before it; docs/architecture.md says what each one is."""

MACHINERY = {
    "cli": "common declared declared_options grids reconcile report_tables settings_file typer_groups",
    "cli.office": "options",
    "web": (
        "cache cookies declared_forms declared_routes desk_menu errors event_strips forms limited_process "
        "middleware path_prefix reader requests server site_settings template_code templates uploads"
    ),
    "web.api": "limits responses",
    "worker": "kinds",
}
"""The modules of the site, the command line and the worker that features import; those of ``office`` are all
that no feature has. The other modules of these packages are the assembly."""

SQL_ALLOWED = {"Connection"}
"""What other modules than those of the store and ``rows`` may import from SQLAlchemy: the type of what they pass on."""

SURFACES = ("pages", "api", "commands")
"""The last word of the names of a feature's modules that may import Litestar, Jinja and Typer."""

SURFACE_LIBRARIES = {"litestar", "jinja2", "typer", "click"}

TO_BE_INVERTED: frozenset[tuple[str, str]] = frozenset({
})  # fmt: skip
"""Imports that are still to be turned round: what every office has imports what an office can do without, or the
machinery imports a feature. It shrinks."""

OF_ONE_GAME = (
    "arpad.cli.rubele",
    "arpad.demo",
    "arpad.office.draughts",
    "arpad.office.fide",
    "arpad.office.titles",
    "arpad.regulations.fide",
    "arpad.regulations.rubele",
)
"""The folders that are of one game or one system by name."""

BRANCHES = {
    "arpad.cli.common": "the option --list of the commands that rate chess",
    "arpad.library.calculations": "the calculators of FIDE's regulations",
    "arpad.lists.compute_fast": "FIDE's lists on columns: the twin of its calculation",
    "arpad.office.decisions.pages": "the national categories of the chess lists, in one form",
    "arpad.office.drafts.load_inputs": "what the inputs of a list have besides, one function for each system",
    "arpad.office.drafts.own_lists": "the events of an own list are those of chess",
    "arpad.office.drafts.procedures": "the days and the start of lists, one value for each system",
    "arpad.office.drafts.starting_capitals": "the capitals with which players begin under Elo-Rubele",
    "arpad.office.imports.common_lists": "lists of capitals",
    "arpad.office.imports.own_lists": "the numbers of chess players",
    "arpad.office.inbox.check_pages": "the form offers chess as one game, and draughts by list",
    "arpad.office.inbox.jobs": "a checked draughts report is shown as a board",
    "arpad.office.players.acts": "the next games are calculated by FIDE's regulations",
    "arpad.office.players.explain": "how a change is explained, one function for each system",
    "arpad.office.settings.acts": "the settings of who owns which chess players",
    "arpad.rating.calculator": "the calculators of FIDE's regulations",
    "arpad.rating.draughts_calculator": "the calculators of Elo-Rubele",
    "arpad.rating.context": "the list of a chess report",
    "arpad.reports.event_facts": "the chess list on which an event is rated",
    "arpad.store.schema": "an own list has the name of no time control but a chess list's",
    "arpad.studies.office_history": "the history of the chess lists",
    "arpad.web.calculators": "the calculators of both regulations on one page",
}
"""The other modules that ask which game or which of the two older systems a list is of, each with its reason.

All others ask the discipline or the system of the list. It shrinks.
"""

GAMES_BY_NAME = {
    "arpad.model.disciplines.CHESS",
    "arpad.model.disciplines.DRAUGHTS",
    "arpad.model.rules.CHESS_LISTS",
    "arpad.model.rules.DRAUGHTS_LISTS",
    "arpad.regulations.fide.system.SYSTEM",
    "arpad.regulations.rubele.system.SYSTEM",
}
NAMES_OF_GAMES = {"chess", "draughts", "fide", "rubele"}

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


def feature_of(module: str) -> str:
    """Return the feature in whose folder a module is, or an empty text."""
    parts = module.split(".")
    return parts[2] if parts[1:2] == ["office"] and parts[2:] and parts[2] in FEATURES else ""


def part_of(module: str) -> str:
    """Return the part to which a module belongs: arpad.reports.formats.trf belongs to reports."""
    package, _, name = module.removeprefix(f"{NAME}.").rpartition(".")
    if name in MACHINERY.get(package, "").split():
        return "machinery"
    if module == NAME or not module.startswith(f"{NAME}.office"):
        return f"{module}.".split(".")[1] or NAME
    return "features" if feature_of(module) else "machinery"


def backward_imports(package: Path) -> list[str]:
    """Return one sentence for each import that the order does not allow."""
    allowed = {part: {*ORDER[: place + 1]} for place, part in enumerate(ORDER)}
    allowed |= {part: allowed[part] | {NAME} for part in ("machinery", "web", "cli")}
    allowed[NAME] = {"library", "explain", "model"}
    return [
        f"{file}:{line}: {part_of(module)} must not import {part_of(target)}"
        for file, line, module, target in imports(package)
        if part_of(target) not in {part_of(module), *allowed.get(part_of(module), ())}
        and (module, target) not in TO_BE_INVERTED
    ]


def undeclared_needs(package: Path) -> list[str]:
    """Return one sentence for each import of a feature by another that the list of features does not declare."""
    return [
        f"{file}:{line}: {feature_of(module)} does not declare that it needs {feature_of(target)}"
        for file, line, module, target in imports(package)
        if feature_of(module)
        and feature_of(target) not in {"", feature_of(module), *FEATURES[feature_of(module)].needs}
        and (module, target) not in TO_BE_INVERTED
    ]


def surface_imports(package: Path) -> list[str]:
    """Return one sentence for each module of a feature that imports the site's or the command line's libraries."""
    return [
        f"{path.relative_to(package.parent)}:{line}: {name} belongs into pages, api or commands"
        for module, path in modules(package).items()
        if feature_of(module) and module.rpartition(".")[2].rpartition("_")[2] not in SURFACES
        for line, name in imported_names(path, package_of(module, path))
        if name.partition(".")[0] in SURFACE_LIBRARIES
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


def branches_on_games(package: Path) -> set[str]:
    """Return the modules that name a game or one of the two older systems, in order to ask which one it is."""
    return {
        module
        for module, path in modules(package).items()
        if not f"{module}.".startswith(tuple(f"{folder}." for folder in OF_ONE_GAME))
        and (
            GAMES_BY_NAME.intersection(name for _, name in imported_names(path, package_of(module, path)))
            or any(map(is_branch_on_game, ast.walk(ast.parse(path.read_text(encoding="utf-8")))))
        )
    }


def is_branch_on_game(node: ast.AST) -> bool:
    """Return whether code compares the game or the system of a value with a name, or has a table by system."""
    if isinstance(node, ast.Dict):
        return {"fide", "rubele"} <= {key.value for key in node.keys if isinstance(key, ast.Constant)}
    if not isinstance(node, ast.Compare):
        return False
    compared = [node.left, *node.comparators]
    asked = any(isinstance(it, ast.Attribute) and it.attr in {"game", "system"} for it in compared)
    return asked and any(isinstance(it, ast.Constant) and it.value in NAMES_OF_GAMES for it in compared)


def unordered_parts(package: Path) -> list[str]:
    """Return the parts with Python in them that the order does not name."""
    return sorted({part_of(module) for module in modules(package)} - {NAME, *ORDER})


def has_sql(module: str) -> bool:
    """Return whether a module may speak SQL: one of the store, or the tables and rows of a feature."""
    return part_of(module) == "store" or module.rpartition(".")[2].rpartition("_")[2] in {"rows", "tables"}


def database_imports(package: Path) -> list[str]:
    """Return one sentence for each import of SQLAlchemy that belongs into the store or the rows of a feature."""
    sentences = []
    for module, path in modules(package).items():
        for line, name in imported_names(path, package_of(module, path)):
            library, _, what = name.partition(".")
            if library not in {"sqlalchemy", "alembic"} or has_sql(module):
                continue
            if part_of(module) in {*LIBRARY, NAME} or what not in SQL_ALLOWED:
                sentences.append(
                    f"{path.relative_to(package.parent)}:{line}: {name} belongs into the store or into rows"
                )
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


def test_a_feature_imports_only_what_it_needs() -> None:
    assert undeclared_needs(SOURCE) == []


def test_needs_are_features_without_circles() -> None:
    assert {name for feature in FEATURES.values() for name in feature.needs} <= FEATURES.keys()
    TopologicalSorter({name: feature.needs for name, feature in FEATURES.items()}).prepare()


def test_what_every_office_has_needs_nothing_else() -> None:
    assert not [
        (name, needed)
        for name, feature in FEATURES.items()
        if not feature.optional
        for needed in feature.needs
        if FEATURES[needed].optional
    ]


def test_every_import_to_be_inverted_is_there() -> None:
    assert {(module, target) for _, _, module, target in imports(SOURCE)} >= TO_BE_INVERTED


def test_no_other_module_asks_which_game_it_is() -> None:
    assert branches_on_games(SOURCE) == BRANCHES.keys()


def test_every_module_of_the_machinery_is_there() -> None:
    named = {f"{NAME}.{package}.{name}" for package, names in MACHINERY.items() for name in names.split()}
    assert named <= modules(SOURCE).keys()


def test_acts_and_rows_know_neither_site_nor_command_line() -> None:
    assert surface_imports(SOURCE) == []


def test_no_modules_import_each_other_in_a_circle() -> None:
    assert import_circle(SOURCE) == []


def test_the_order_names_every_part() -> None:
    assert unordered_parts(SOURCE) == []


WHO_MAY_REFUSE = {
    "office/users.py": "the one place that asks for permission",
    "web/reader.py": "a page for users who are signed in, with a second factor, with a token",
    "web/cookies.py": "a form of another site, or of a session that has ended",
    "web/metrics.py": "the token of the server's figures",
    "office/reports/visible.py": "reports that somebody else sent",
    "office/webhooks/acts.py": "the scope of a token that asks for more than everybody may read",
    "office/rankings/pages.py": "visitors who ask for a whole bundle",
    "office/notices/pages.py": "the link in a mail",
}
REFUSAL = re.compile(r"Refused\(40[13]|NotAllowed\(\"|NotAllowed\(permission")


def test_permission_is_refused_in_one_place() -> None:
    refusing = {
        str(path.relative_to(SOURCE))
        for path in SOURCE.rglob("*.py")
        if REFUSAL.search(path.read_text(encoding="utf-8"))
    }
    assert refusing == WHO_MAY_REFUSE.keys()


def test_all_sql_is_in_the_store_and_in_rows() -> None:
    assert database_imports(SOURCE) == []


@pytest.mark.parametrize(
    ("module", "source", "sentence"),
    [
        ("model/rules.py", "from arpad.lists.period import close", "model must not import lists"),
        ("model/rules.py", "def f():\n    import arpad.lists.period as p", "model must not import lists"),
        ("model/rules.py", "from ..lists import period", "model must not import lists"),
        ("reports/formats/trf.py", "import_module('arpad.cli')", "reports must not import cli"),
        ("office/office.py", "from arpad.web import app", "machinery must not import web"),
        ("office/office.py", "from arpad.office.decisions import acts", "machinery must not import features"),
        ("web/requests.py", "from arpad.office.decisions import acts", "machinery must not import features"),
        ("store/bulk.py", "from arpad.office import office", "store must not import machinery"),
        ("office/decisions/pages.py", "from arpad.web import app", "features must not import web"),
        ("web/app.py", "from arpad.cli import main", "web must not import cli"),
        ("lists/period.py", "from arpad import Edition", "lists must not import arpad"),
        ("__init__.py", "from arpad.lists import period", "arpad must not import lists"),
    ],
)
def test_a_planted_backward_import_is_found(tmp_path: Path, module: str, source: str, sentence: str) -> None:
    others = (
        "lists/period.py",
        "web/app.py",
        "cli/main.py",
        "library.py",
        "office/office.py",
        "office/decisions/acts.py",
    )
    package = write_package(tmp_path, dict.fromkeys(others, "") | {module: source})

    (found,) = backward_imports(package)

    assert found.endswith(sentence)
    assert found.startswith(f"arpad/{module}:")


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


def test_an_undeclared_need_is_found(tmp_path: Path) -> None:
    package = write_package(
        tmp_path,
        {
            "office/register/acts.py": "from arpad.office.decisions import acts",
            "office/decisions/acts.py": "",
        },
    )

    assert undeclared_needs(package) == [
        "arpad/office/register/acts.py:1: register does not declare that it needs decisions"
    ]


@pytest.mark.parametrize(
    "source", ["from litestar import get", "def f():\n    import typer", "import jinja2"]
)
@pytest.mark.parametrize("module", ["office/decisions/acts.py", "office/decisions/rows.py"])
def test_a_surface_among_acts_is_found(tmp_path: Path, module: str, source: str) -> None:
    assert len(surface_imports(write_package(tmp_path, {module: source}))) == 1


def test_a_part_that_the_order_does_not_name_is_found(tmp_path: Path) -> None:
    package = write_package(tmp_path, {"model/rules.py": "", "pairing.py": "", "norms/title.py": ""})

    assert unordered_parts(package) == ["norms", "pairing"]


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("lists/period.py", "from sqlalchemy import Connection"),
        ("office/office.py", "from sqlalchemy import select"),
        ("office/decisions/acts.py", "from sqlalchemy import select"),
        ("web/lists.py", "def f():\n    import sqlalchemy"),
    ],
)
def test_sql_elsewhere_is_found(tmp_path: Path, module: str, source: str) -> None:
    assert len(database_imports(write_package(tmp_path, {module: source}))) == 1


@pytest.mark.parametrize("module", NOT_AT_START)
def test_importing_it_loads_nothing_slow(module: str) -> None:
    program = f"import json, sys\nimport {module}\nprint(json.dumps(list(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    loaded = {name.split(".")[0] for name in json.loads(done.stdout)}

    assert loaded.isdisjoint(NOT_AT_START[module])
