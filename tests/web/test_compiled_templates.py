"""Templates are compiled by the first worker and taken from its file by the others; a damaged file is not used."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from jinja2 import Environment

from arpad.web import cache, templates
from arpad.web.compiled_templates import load_templates


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(cache, "_folder", lambda: tmp_path)
    return tmp_path


def loaded(monkeypatch: pytest.MonkeyPatch) -> tuple[Environment, list[str]]:
    """Load all templates as a worker that starts; return them and those that it compiled."""
    compiled: list[str] = []
    compile_one = Environment.compile

    def counted(environment: Environment, source: Any, name: Any = None, *more: Any) -> Any:
        compiled.append(name)
        return compile_one(environment, source, name, *more)

    started = templates.environment.__wrapped__()
    with monkeypatch.context() as patch:
        patch.setattr(Environment, "compile", counted)
        load_templates(started)
    return started, compiled


def test_only_the_first_worker_compiles(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first, compiled = loaded(monkeypatch)
    assert sorted(compiled) == sorted(first.list_templates())
    second, compiled_again = loaded(monkeypatch)
    assert compiled_again == []
    context = {"t": lambda key, **_facts: key}
    pagers = [it.get_template("parts.html").make_module(context).__dict__["pager"] for it in (first, second)]
    texts = [pager(2, 3, str, counted=False) for pager in pagers]
    assert texts[0] == texts[1]
    assert "rel=" in texts[0]
    names = [it.get_template("parts.html").filename for it in (first, second)]
    assert names[0] == names[1]


def test_a_damaged_file_is_not_used(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    loaded(monkeypatch)
    (path,) = folder.iterdir()
    data = path.read_bytes()
    path.write_bytes(data[:1000] + b"?" + data[1001:])
    started, compiled = loaded(monkeypatch)
    assert sorted(compiled) == sorted(started.list_templates())


def test_another_compiler_writes_another_file(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    loaded(monkeypatch)
    monkeypatch.setattr("arpad.web.compiled_templates.version", lambda _name: "0")
    _, compiled = loaded(monkeypatch)
    assert compiled
    assert len(list(folder.iterdir())) == 2


def test_without_a_folder_every_worker_compiles(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "_folder", lambda: None)
    for _ in range(2):
        started, compiled = loaded(monkeypatch)
        assert len(compiled) == len(started.list_templates())
