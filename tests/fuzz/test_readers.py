"""Every reader of input from outside reads or refuses it: the corpus, earlier findings, and the fuzzer itself."""

import ast
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.fuzz.readers import CORPUS, ENTRANCES, FOUND, READERS, survives
from tests.paths import ROOT
from tests.patience import comes_to_an_end

PACKAGE = ROOT / "src" / "arpad"
SECONDS = int(os.environ.get("FUZZ_SECONDS", "20"))
READS = re.compile(r"^def (?:read|open_list|restore|verify_)", re.MULTILINE)
FROM_OUTSIDE = frozenset({"data", "stream", "path", "text"})
"""How the first parameter of a function that reads is called."""

PIECES = frozenset(
    {
        "age_groups.read_groups",
        "written_values.read_birth",
        "written_values.read_day",
        "written_values.read_listed_birth",
        "exact.read_number",
        "crosstable.read_cell",
        "options.read_capitals",
        "options.read_event",
        "sheet_tables.read_cell_day",
        "time_control.read_time_control",
    }
)
"""Functions that read a piece of the input of a reader."""


def kept(folder: Path) -> list[tuple[str, Path]]:
    return [
        (path.parent.name, path) for path in sorted(folder.glob("*/*")) if path.parent.name != "__pycache__"
    ]


def functions_that_read() -> Iterator[str]:
    """Yield every public function that is named like a reader and gets input from outside, as ``module.function``."""
    for path in PACKAGE.rglob("*.py"):
        module = ".".join(path.relative_to(PACKAGE).with_suffix("").parts).removesuffix(".__init__")
        source = path.read_text(encoding="utf-8")
        for node in ast.parse(source).body if READS.search(source) else ():
            if isinstance(node, ast.FunctionDef) and node.args.args:
                begins = node.name == "read" or node.name.startswith(
                    ("read_", "open_list", "restore", "verify_")
                )
                if begins and node.args.args[0].arg in FROM_OUTSIDE:
                    yield f"{module.rpartition('.')[2]}.{node.name}"


@pytest.mark.parametrize(
    ("name", "path"), kept(CORPUS) + kept(FOUND), ids=lambda part: getattr(part, "name", part)
)
def test_every_file_of_the_corpus_is_read_or_refused(name: str, path: Path) -> None:
    with comes_to_an_end():
        survives(name, path.read_bytes())


def test_every_reader_has_a_corpus_and_every_corpus_a_reader() -> None:
    assert {name for name, _ in kept(CORPUS)} == set(READERS)
    assert {name for name, _ in kept(FOUND)} <= set(READERS)


def test_every_function_that_reads_is_fuzzed() -> None:
    missing = set(functions_that_read()) - ENTRANCES.keys() - PIECES
    assert not missing, f"{sorted(missing)}: add a reader to tests/fuzz/readers.py, and to ENTRANCES there"
    assert set(ENTRANCES.values()) <= set(READERS)


@pytest.mark.parametrize("name", READERS)
def test_the_corpus_gets_through(name: str) -> None:
    """At least one file of each corpus is read without a refusal, so that the fuzzer starts beyond the first check."""
    from arpad.model.errors import ArpadError

    refused = 0
    files = [path for reader, path in kept(CORPUS) if reader == name]
    for path in files:
        try:
            READERS[name](path.read_bytes())
        except ArpadError:
            refused += 1
    assert refused < len(files)


@pytest.mark.deep
@pytest.mark.parametrize("name", READERS)
def test_the_fuzzer_finds_nothing(name: str) -> None:
    if find_spec("atheris") is None:
        pytest.skip("atheris is not installed (make test-deep installs it where there is a wheel of it)")
    command = [sys.executable, "-m", "tests.fuzz.run", name, "--seconds", str(SECONDS)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, errors="replace", check=False)
    assert done.returncode == 0, done.stderr[-4000:]
