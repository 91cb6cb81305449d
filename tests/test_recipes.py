"""Each recipe under docs/recipes is followed to the letter on a copy of the source, and must give what it shows.

A step is a sentence such as "In `path`, after `text`:" with a block below it; a command is a line after ``$`` in a
console block, with lines of its output below.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
RECIPES = sorted((ROOT / "docs" / "recipes").glob("*.md"))
COPIED = ("src", "tests", "docs")

STEP = re.compile(
    r"^In `(?P<file>[^`\n]+)`, (?P<how>in a new file|at the end|before|after|instead of)(?: `(?P<mark>[^`\n]+)`)?"
    r"[^\n]*:\n\n```\w*\n(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
COMMANDS = re.compile(r"^```console\n(?P<lines>.*?)^```$", re.MULTILINE | re.DOTALL)
SHOWN = re.compile(r"^\$ (?P<command>[^\n]+)\n(?P<output>(?:(?!\$ )[^\n]*\n)*)", re.MULTILINE)


@dataclass(frozen=True)
class House:
    """A copy of the source, to be changed."""

    root: Path

    def write(self, file: str, how: str, mark: str | None, text: str) -> None:
        """Do one step."""
        path = self.root / file
        if how == "in a new file":
            assert not path.exists(), f"{file} is there already"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            return
        before = path.read_text(encoding="utf-8")
        if how == "at the end":
            path.write_text(before + text, encoding="utf-8")
            return
        assert mark, "the step names no place"
        assert before.count(mark) == 1, f"{mark} stands {before.count(mark)} times in {file}"
        start = before.index(mark)
        line, end = before.rfind("\n", 0, start) + 1, before.index("\n", start) + 1
        first, last, put = {
            "before": (line, line, text),
            "after": (end, end, text),
            "instead of": (start, start + len(mark), text.removesuffix("\n")),
        }[how]
        path.write_text(before[:first] + put + before[last:], encoding="utf-8")

    def run(self, command: str, output: str) -> None:
        """Type one command, and find every line shown in what it prints."""
        program, *arguments = shlex.split(command)
        module = {"arpad": ["arpad"], "pytest": ["pytest", "-p", "no:cacheprovider"]}.get(program)
        typed = [sys.executable, "-m", *module, *arguments] if module else [program, *arguments]
        source = str(self.root / "src")
        env = os.environ | {"PYTHONPATH": source, "PYTHONDONTWRITEBYTECODE": "1", "LC_ALL": "C.UTF-8"}
        env.pop("PYTEST_XDIST_WORKER", None)
        done = subprocess.run(typed, cwd=self.root, env=env, capture_output=True, text=True, check=False)
        printed = done.stdout + done.stderr
        wanted = [line.strip() for line in output.splitlines() if line.strip() not in ("", "…")]
        lines = [" ".join(line.split()) for line in printed.splitlines()]
        missing = [line for line in wanted if not any(" ".join(line.split()) in found for found in lines)]
        assert missing == [], f"{command}\n{printed}"


@pytest.fixture
def house(tmp_path: Path) -> House:
    for folder in COPIED:
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return House(tmp_path)


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda path: path.stem)
def test_a_recipe_does_what_it_says(recipe: Path, house: House) -> None:
    text = recipe.read_text(encoding="utf-8")
    parts = sorted([*STEP.finditer(text), *COMMANDS.finditer(text)], key=re.Match.start)
    assert len(parts) > 1
    assert text.count("```") == 2 * len(parts), "a block that is neither a step nor a command"
    for part in parts:
        if part.re is STEP:
            house.write(part["file"], part["how"], part["mark"], part["text"])
        else:
            for shown in SHOWN.finditer(part["lines"]):
                house.run(shown["command"], shown["output"])


def test_there_is_a_recipe_for_everything_one_adds() -> None:
    named = {"edition", "federation", "check", "format", "language", "page"}
    assert named <= {path.stem for path in RECIPES}


def test_a_recipe_that_no_longer_fits_is_noticed(house: House) -> None:
    with pytest.raises(AssertionError, match="stands 0 times"):
        house.write("src/arpad/exact.py", "after", "a line that is gone", "x = 1\n")
    with pytest.raises(AssertionError, match="there already"):
        house.write("src/arpad/exact.py", "in a new file", None, "x = 1\n")
    with pytest.raises(AssertionError, match="editions"):
        house.run("arpad editions", "fide-1850\n")
