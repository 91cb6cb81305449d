"""Each recipe under docs/recipes is followed to the letter on a copy of the source, and must give what it shows."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.followed import follow, missing, write

ROOT = Path(__file__).parents[1]
RECIPES = sorted((ROOT / "docs" / "recipes").glob("*.md"))
COPIED = ("src", "tests", "docs")


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """A copy of the source, to be changed."""
    for folder in COPIED:
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__", ".*"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def typed(house: Path, command: str) -> str:
    """What a command prints in the copy."""
    program, *arguments = shlex.split(command)
    module = {"arpad": ["arpad"], "pytest": ["pytest", "-p", "no:cacheprovider"]}.get(program)
    words = [sys.executable, "-m", *module, *arguments] if module else [program, *arguments]
    env = os.environ | {"PYTHONPATH": str(house / "src"), "PYTHONDONTWRITEBYTECODE": "1", "LC_ALL": "C.UTF-8"}
    env.pop("PYTEST_XDIST_WORKER", None)
    done = subprocess.run(words, cwd=house, env=env, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda path: path.stem)
def test_a_recipe_does_what_it_says(recipe: Path, house: Path) -> None:
    follow(recipe.read_text(encoding="utf-8"), house, lambda command: typed(house, command))


def test_there_is_a_recipe_for_everything_one_adds() -> None:
    named = {"edition", "federation", "check", "format", "language", "page"}
    assert named <= {path.stem for path in RECIPES}


def test_a_recipe_that_no_longer_fits_is_noticed(house: Path) -> None:
    with pytest.raises(AssertionError, match="stands 0 times"):
        write(house / "src/arpad/exact.py", "after", "a line that is gone", "x = 1\n")
    with pytest.raises(AssertionError, match="there already"):
        write(house / "src/arpad/exact.py", "in a new file", None, "x = 1\n")
    assert list(missing("fide-1850\n", typed(house, "arpad editions"))) == ["fide-1850"]
