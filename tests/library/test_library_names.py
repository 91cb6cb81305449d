"""The public names: what Tab and ``help`` show, and the page that lists them with their signatures."""

from __future__ import annotations

import inspect
import math
import pydoc
import re
import subprocess
import sys

import pytest

import arpad
from arpad import library
from tests.paths import ROOT
from tests.project import library_page

LINES, COLUMNS = 24, 80
"""A small terminal."""

OURS = ("Check", "Explanation", "Norms", "Rating", "RatingList", "Report")
"""The classes that only the library has; the others are values of the parts of Arpad."""


def test_every_exported_name_exists_once() -> None:
    assert arpad.__all__ == library.__all__ == sorted(arpad.__all__)
    assert all(hasattr(arpad, name) for name in arpad.__all__)
    with pytest.raises(AttributeError, match="report_norms"):
        _ = arpad.report_norms


def test_tab_offers_exactly_the_public_names() -> None:
    assert dir(arpad) == sorted([*arpad.__all__, "__version__"])


def test_loading_the_package_loads_only_its_version() -> None:
    program = "import sys, arpad; print(*[name for name in sys.modules if name.startswith('arpad.')])"
    run = subprocess.run([sys.executable, "-P", "-c", program], capture_output=True, text=True, check=True)

    assert run.stdout.split() == ["arpad.model", "arpad.model.errors", "arpad.model.version"]


def test_an_error_is_a_sentence_although_the_library_is_not_loaded() -> None:
    program = (
        "from arpad.model.errors import BadInput; print(BadInput('bad-receipt')); print(BadInput('x', a=1)); "
        "import sys; print('arpad.library' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-P", "-c", program], capture_output=True, text=True, check=True)

    assert run.stdout.splitlines() == [
        "this is not a receipt of Arpad, or it was damaged",
        "x {'a': 1}",
        "False",
    ]


@pytest.mark.parametrize("name", arpad.__all__)
def test_help_is_one_screen(name: str) -> None:
    value = getattr(arpad, name)
    page = pydoc.plain(pydoc.render_doc(value)) if inspect.isfunction(value) else value.__doc__

    assert value.__doc__, name
    assert not value.__doc__.startswith(f"{name}("), "a sentence, not the signature"
    assert screen_lines(page) <= LINES, page


def screen_lines(page: str) -> int:
    """Return how many lines of a terminal a page takes: it wraps a long line."""
    return sum(max(1, math.ceil(len(line) / COLUMNS)) for line in page.rstrip().splitlines())


def test_a_long_line_takes_several_lines_of_the_screen() -> None:
    assert screen_lines("x" * 81 + "\n\nx\n") == 4


@pytest.fixture(scope="module")
def ours(tmp_path_factory: pytest.TempPathFactory) -> list[object]:
    """One object of each class that only the library has."""
    report = arpad.read(arpad.example("open.trf"))
    ratings = tmp_path_factory.mktemp("list") / "list.csv"
    ratings.write_text("id,name,federation,rating\n12,Rossi Anna,ITA,2001\n", encoding="utf-8")
    rating = report.rate()
    return [report, rating, rating.explain(8), report.check(), report.norms(), arpad.read_list(ratings)]


def test_the_first_screen_of_a_class_names_all_that_it_has(ours: list[object]) -> None:
    assert sorted(type(item).__name__ for item in ours) == sorted(OURS)
    for item in ours:
        text = type(item).__doc__ or ""
        members = {member for member in dir(item) if not member.startswith("_")} - {"COLUMNS"}

        assert {member for member in members if not re.search(rf"\b{member}\b", text)} == set(), type(item)
        assert isinstance(item, arpad.Report) or "to_polars" in text


def test_the_page_lists_the_public_names_with_their_signatures() -> None:
    path = ROOT / library_page.PATH

    assert path.read_text(encoding="utf-8") == library_page.page(), (
        "a public name changed: see docs/project/versions.md, then `python -m tests.project.library_page`"
    )
