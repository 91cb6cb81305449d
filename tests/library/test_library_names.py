"""The public names: what Tab and ``help`` show, and the page that lists them with their signatures."""

from __future__ import annotations

import inspect
import pydoc
import subprocess
import sys

import pytest

import arpad
from arpad import library
from tests.paths import ROOT
from tests.project import library_page

SCREEN = 24
"""Lines of a small terminal."""

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
    program = (
        "import sys, arpad; dir(arpad); print(*[name for name in sys.modules if name.startswith('arpad.')])"
    )
    run = subprocess.run([sys.executable, "-I", "-c", program], capture_output=True, text=True, check=True)

    assert run.stdout.split() == ["arpad.model", "arpad.model.version"]


@pytest.mark.parametrize("name", arpad.__all__)
def test_help_is_one_screen(name: str) -> None:
    value = getattr(arpad, name)
    page = pydoc.plain(pydoc.render_doc(value)) if inspect.isfunction(value) else value.__doc__

    assert value.__doc__, name
    assert not value.__doc__.startswith(f"{name}("), "a sentence, not the signature"
    assert page.count("\n") <= SCREEN, page


@pytest.mark.parametrize("name", OURS)
def test_the_first_screen_of_a_class_names_all_that_it_has(name: str) -> None:
    kind = getattr(arpad, name)
    members = {member for member in dir(kind) if not member.startswith("_")} - {"COLUMNS"}

    assert {member for member in members if member not in kind.__doc__} <= {
        "to_polars",
        "to_pandas",
        "to_arrow",
    }
    assert name == "Report" or "to_polars" in kind.__doc__


def test_the_page_lists_the_public_names_with_their_signatures() -> None:
    path = ROOT / library_page.PATH

    assert path.read_text(encoding="utf-8") == library_page.page(), (
        "a public name changed: see docs/project/versions.md, then `python -m tests.project.library_page`"
    )
