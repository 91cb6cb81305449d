"""Which cases of a long table, and how many random examples, run each time; all of them run with the deep tests."""

import os
from collections.abc import Iterable
from typing import Any

import pytest


def one_in(count: int, cases: Iterable[Any], first: int = 0) -> list[Any]:
    """Return cases as parameters, with all but one in so many marked deep; a tuple is one case of several values."""
    return [_marked(case, [pytest.mark.deep] * (place % count != first)) for place, case in enumerate(cases)]


def _marked(case: Any, marks: list[pytest.MarkDecorator]) -> Any:
    if isinstance(case, type(pytest.param())):
        return pytest.param(*case.values, marks=[*case.marks, *marks], id=case.id)
    return pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=marks)


def examples(count: int) -> int:
    """Return how many random examples a test tries: so many with the deep tests, a third of them otherwise."""
    return count if os.environ.get("ARPAD_DEEP") else count // 3
