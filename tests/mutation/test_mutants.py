"""The faults themselves: what is made where, and that the runner notices what tests notice."""

from __future__ import annotations

import ast

import pytest

from tests.mutation.__main__ import explained
from tests.mutation.mutants import functions, mutants
from tests.mutation.plan import AT_IMPORT, GROUPS, RUN_AT_IMPORT
from tests.mutation.runner import Source, dependants
from tests.paths import ROOT

MODULES = [module for group in GROUPS for module in group.modules]


def labels(source: str) -> list[str]:
    return [fault.label for fault in mutants(ast.parse(source))]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("x + y", ["x + y → pass", "x + y → x - y"]),
        ("a < b", ["a < b → pass", "a < b → a <= b", "a < b → a >= b"]),
        ("a and b", ["a and b → pass", "a and b → a or b"]),
        ("x = not y", ["x = not y → None", "not y → y"]),
        ("x = 'a'", ["x = 'a' → None", "'a' → 'a~'"]),
        ("x = True", ["x = True → None", "True → False"]),
        ("x = max(y)", ["x = max(y) → None", "max() → min()"]),
        ("x = f(a, b=c)", ["x = f(a, b=c) → None", "f(): without b=c"]),
        ("while x:\n    break", ["while x → while not x", "break → continue"]),
        ("x = [y for y in z if y]", ["x = [y for y in z if y] → None", "if y → if not y"]),
        ("x += 1", ["x += 1 → x -= 1", "1 → 2", "1 → 0"]),
        ("raise E", ["raise E → pass"]),
    ],
)
def test_the_faults_of_a_line(source: str, expected: list[str]) -> None:
    assert labels(source) == [f"<module>: {text}" for text in expected]


@pytest.mark.parametrize(
    "source",
    [
        '"""A docstring."""',
        "import x",
        "__all__ = ['x']",
        "A: TypeAlias = int | str",
        "T = TypeVar('T')",
        "@f(1)\ndef g(x: 'int'): ...",
    ],
)
def test_what_changes_no_result_is_left_alone(source: str) -> None:
    assert labels(source) == []


def test_a_fault_is_named_by_its_function_and_told_apart_by_number() -> None:
    source = "class A:\n    @property\n    def b(self, d=3):\n        return 1 + 1\n"
    found = list(mutants(ast.parse(source)))
    assert [fault.label for fault in found] == [
        "<module>: 3 → 4",
        "<module>: 3 → 2",
        "A.b: return 1 + 1 → None",
        "A.b: 1 + 1 → 1 - 1",
        "A.b: 1 → 2",
        "A.b: 1 → 0",
        "A.b: 1 → 2 #1",
        "A.b: 1 → 0 #1",
    ]
    assert {fault.function for fault in found} == {"", "A.b"}


def test_a_fault_changes_the_code_and_keeps_its_place() -> None:
    tree = ast.parse("@str\ndef double(x):\n    return x * 2\n")
    fault = next(fault for fault in mutants(tree) if fault.text == "2 → 3")
    fault.apply()
    (code,) = functions(compile(tree, "made up", "exec"))
    assert code.co_qualname == fault.function == "double"
    assert 3 in code.co_consts


@pytest.mark.parametrize("module", MODULES)
def test_every_explained_fault_can_still_be_made(module: str) -> None:
    """An explanation that has lost its fault is to be taken out, and no two faults share a name."""
    names = [fault.label for fault in Source.of(module).faults]
    assert len(names) == len(set(names))
    assert set(explained(module)) <= set(names)


def test_the_editions_are_computed_again_after_a_fault_in_what_they_import() -> None:
    assert list(dependants("regulations/fide/article_numbers.py")) == ["regulations/fide/editions.py"]
    assert list(dependants("regulations/rubele/rules.py")) == ["regulations/rubele/editions.py"]
    assert list(dependants("lists/period.py")) == []


def test_the_plan_names_what_is_there() -> None:
    for group in GROUPS:
        for test in group.tests:
            assert (ROOT / test).exists()
    assert set(AT_IMPORT) | set(RUN_AT_IMPORT) <= set(MODULES)
    assert all((ROOT / test).exists() for tests in AT_IMPORT.values() for test in tests)
