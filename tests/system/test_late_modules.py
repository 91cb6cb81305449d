"""A late module is executed when something of it is used, once, and then is like any other."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

from arpad.system.late_modules import LateModule, load_late

TREE = {
    "pkg_late/__init__.py": "COUNT = [1]\nfrom pkg_late.inner import VALUE\ndef twice(x): return 2 * x\n",
    "pkg_late/inner.py": "from pkg_late import COUNT\nVALUE = len(COUNT)\n",
    "pkg_late/other.py": "VALUE = 5\n",
}


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    for name, text in TREE.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    for name in ("pkg_late", "pkg_late.inner", "pkg_late.other"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    load_late("pkg_late", "twice")
    return import_module("pkg_late")


def test_importing_it_or_looking_up_a_named_function_executes_nothing(package: ModuleType) -> None:
    twice = package.twice
    assert "COUNT" not in vars(package)

    assert twice(3) == 6
    assert package.COUNT == [1]


def test_using_it_executes_it_once(package: ModuleType) -> None:
    assert package.VALUE == 1
    assert package.VALUE == len(package.COUNT) == 1
    assert not isinstance(package, LateModule)
    with pytest.raises(AttributeError, match="no attribute 'missing'"):
        _ = package.missing


def test_importing_a_module_inside_it_executes_it(package: ModuleType) -> None:
    assert import_module("pkg_late.other").VALUE == 5
    assert package.COUNT == [1]


def test_a_module_that_is_loaded_or_does_not_exist_is_left_as_it_is() -> None:
    load_late("pathlib")
    load_late("no_such_module_anywhere")

    assert not isinstance(sys.modules["pathlib"], LateModule)
    assert "no_such_module_anywhere" not in sys.modules
