"""Each recipe under docs/guides/recipes is followed on a copy of the source, and must print what it shows."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest

from tests.paths import ROOT
from tests.project.followed import follow

RECIPES = sorted((ROOT / "docs" / "guides" / "recipes").glob("*.md"))

COPIED = ("src", "tests", "docs", "tools")
HIDDEN = shutil.ignore_patterns(".*")


@pytest.fixture(scope="module")
def copied_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("repository")


@pytest.fixture
def repository(copied_folder: Path) -> Path:
    """Return a copy of the source, to be changed."""
    return refreshed(copied_folder)


def copy_changed(source: str, target: str) -> None:
    """Copy a file unless the copy has its size and time; another process may remove a compiled file meanwhile."""
    with suppress(FileNotFoundError):
        now, path = Path(source).stat(), Path(target)
        before = path.stat() if path.exists() else None
        if before is None or (before.st_size, before.st_mtime_ns) != (now.st_size, now.st_mtime_ns):
            shutil.copy2(source, target)


def refreshed(copied_folder: Path) -> Path:
    """Return the copy as the source is now, with what Python has compiled."""
    for folder in COPIED:
        for path in sorted((copied_folder / folder).rglob("*"), reverse=True):
            if "__pycache__" not in path.parts and not (ROOT / path.relative_to(copied_folder)).exists():
                shutil.rmtree(path) if path.is_dir() else path.unlink()
        shutil.copytree(
            ROOT / folder,
            copied_folder / folder,
            ignore=HIDDEN,
            copy_function=copy_changed,
            dirs_exist_ok=True,
        )
    shutil.copy(ROOT / "pyproject.toml", copied_folder)
    return copied_folder


def outputs_of(repository: Path, commands: Sequence[str]) -> list[str]:
    """Return what commands print in the copy, run in one process."""
    env = os.environ | {
        "PYTHONPATH": str(repository / "src"),
        "LC_ALL": "C.UTF-8",
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",  # loading them takes longer than most of the tests
    }
    for name in (
        "PYTEST_XDIST_WORKER",
        "PYTHONDONTWRITEBYTECODE",
    ):  # the next process need not compile it again
        env.pop(name, None)
    completed = subprocess.run(
        [sys.executable, "-m", "tests.project.command_block"],
        input=json.dumps(list(commands)), cwd=repository, env=env, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert completed.returncode == 0, completed.stderr
    outputs: list[str] = json.loads(completed.stdout)
    return outputs


def changed_files(repository: Path) -> list[Path]:
    """Return the files of the copy that are new or differ from ours, without what Python has compiled."""
    paths = (path.relative_to(repository) for folder in COPIED for path in (repository / folder).rglob("*"))
    return [
        path
        for path in paths
        if (repository / path).is_file()
        and "__pycache__" not in path.parts
        and not ((ROOT / path).exists() and (ROOT / path).read_bytes() == (repository / path).read_bytes())
    ]


MOST_FILES_OF_A_FIELD = 12
MOST_FILES_OF_AN_ACT = 3
"""Beside its words."""


@pytest.mark.deep
@pytest.mark.parametrize("recipe", RECIPES, ids=lambda path: path.stem)
def test_a_recipe_does_what_it_says(recipe: Path, repository: Path) -> None:
    follow(recipe.read_text(encoding="utf-8"), repository, partial(outputs_of, repository))
    changed = changed_files(repository)
    if recipe.stem == "field":
        assert 0 < len(changed) <= MOST_FILES_OF_A_FIELD, changed
    if recipe.stem == "act":
        assert len([it for it in changed if "words" not in it.parts]) <= MOST_FILES_OF_AN_ACT, changed
