"""Each recipe under docs/recipes is followed to the letter on a copy of the source, and must print what it shows."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.paths import ROOT
from tests.project.followed import follow, missing, write

RECIPES = sorted((ROOT / "docs" / "recipes").glob("*.md"))
COPIED = ("src", "tests", "docs")


UNREAD = shutil.ignore_patterns("__pycache__", ".*")


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("house")


@pytest.fixture
def house(copy: Path) -> Path:
    """A copy of the source, to be changed."""
    return refreshed(copy)


def copy_changed(source: str, target: str) -> None:
    """Copy a file unless the copy has its size and time."""
    known, path = Path(source).stat(), Path(target)
    if not path.exists() or (path.stat().st_size, path.stat().st_mtime_ns) != (
        known.st_size,
        known.st_mtime_ns,
    ):
        shutil.copy2(source, target)


def refreshed(copy: Path) -> Path:
    """Return the copy as the source is now; files that are the same stay, and so does what Python compiled."""
    for folder in COPIED:
        for path in sorted((copy / folder).rglob("*"), reverse=True):
            if "__pycache__" not in path.parts and not (ROOT / path.relative_to(copy)).exists():
                shutil.rmtree(path) if path.is_dir() else path.unlink()
        shutil.copytree(
            ROOT / folder, copy / folder, ignore=UNREAD, copy_function=copy_changed, dirs_exist_ok=True
        )
    shutil.copy(ROOT / "pyproject.toml", copy)
    return copy


def typed(house: Path, command: str) -> str:
    """Return what a command prints in the copy."""
    program, *arguments = shlex.split(command)
    module = {"arpad": ["arpad"], "pytest": ["pytest", "-p", "no:cacheprovider"]}.get(program)
    words = [sys.executable, "-m", *module, *arguments] if module else [program, *arguments]
    env = os.environ | {"PYTHONPATH": str(house / "src"), "LC_ALL": "C.UTF-8"}
    for name in (
        "PYTEST_XDIST_WORKER",
        "PYTHONDONTWRITEBYTECODE",
    ):  # the next command need not compile it again
        env.pop(name, None)
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
        write(house / "src/arpad/model/exact.py", "after", "a line that is gone", "x = 1\n")
    with pytest.raises(AssertionError, match="there already"):
        write(house / "src/arpad/model/exact.py", "in a new file", None, "x = 1\n")
    assert list(missing("fide-1850\n", typed(house, "arpad editions"))) == ["fide-1850"]


def test_a_recipe_begins_with_the_source_as_it_is(copy: Path, house: Path) -> None:
    """Whatever the previous recipe changed, added or removed."""
    rules, exact = house / "src/arpad/model/rules.py", house / "src/arpad/model/exact.py"
    rules.write_text("", encoding="utf-8")
    exact.unlink()
    (house / "src/arpad/explain/messages/xx").mkdir()
    (house / "src/arpad/explain/messages/xx/one.toml").touch()

    refreshed(copy)

    assert rules.read_bytes() == (ROOT / "src/arpad/model/rules.py").read_bytes()
    assert exact.exists()
    assert not (house / "src/arpad/explain/messages/xx").exists()
