"""The guide of the library: what it shows is what Python answers, and the notebook is as it was run."""

import ast
import doctest
import io
import json
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import pytest

from tests.paths import ROOT

GUIDE = ROOT / "docs" / "guides" / "library.md"
NOTEBOOK = ROOT / "docs" / "tutorials" / "library.ipynb"


def test_the_guide_shows_what_python_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    failed, tried = doctest.testfile(str(GUIDE), module_relative=False, encoding="utf-8")

    assert tried > 40
    assert failed == 0


def answer(source: str, names: dict[str, Any]) -> str:
    """Return what a cell prints, and the value of its last line as Jupyter shows it."""
    *statements, last = ast.parse(source).body
    with redirect_stdout(io.StringIO()) as printed:
        if not isinstance(last, ast.Expr):
            statements, value = [*statements, last], None
            exec(compile(ast.Module(statements, []), "cell", "exec"), names)  # noqa: S102  our own notebook
        else:
            exec(compile(ast.Module(statements, []), "cell", "exec"), names)  # noqa: S102
            value = eval(compile(ast.Expression(last.value), "cell", "eval"), names)  # noqa: S307
    return printed.getvalue() + ("" if value is None else f"{value!r}\n")


def stored(outputs: list[dict[str, Any]]) -> str:
    """Return the stored output of a cell as text."""
    texts = [
        output["text"] if "text" in output else [*output["data"]["text/plain"], "\n"] for output in outputs
    ]
    return "".join(line for text in texts for line in text)


def test_the_notebook_answers_as_it_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    notebook = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    names: dict[str, Any] = {}

    assert (notebook["nbformat"], len(cells)) == (4, 9)
    for number, cell in enumerate(cells, start=1):
        assert cell["execution_count"] == number
        assert answer("".join(cell["source"]), names) == stored(cell["outputs"]), cell["source"]
