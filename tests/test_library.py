"""The examples in the docstrings run."""

from __future__ import annotations

import doctest
from types import ModuleType

import pytest

import arpad
from arpad import exact, library


@pytest.mark.parametrize("module", [arpad, library, exact])
def test_examples_in_docstrings(module: ModuleType) -> None:
    failed, tried = doctest.testmod(module)
    assert tried > 0
    assert failed == 0


def test_every_exported_name_exists() -> None:
    assert arpad.__all__ == library.__all__ == sorted(arpad.__all__)
    assert all(hasattr(arpad, name) for name in arpad.__all__)
