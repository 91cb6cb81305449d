"""Templates are compiled by the first worker and taken from its files by the others."""

from __future__ import annotations

from hashlib import sha512
from pathlib import Path
from typing import Any

import pytest
from jinja2 import Environment

from arpad.web import cache, template_code, templates
from arpad.web.template_code import load_templates


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(cache, "cache_folder", lambda: tmp_path)
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


def test_another_compiler_writes_other_files(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first, _ = loaded(monkeypatch)
    monkeypatch.setattr(template_code, "sha256", sha512)
    _, compiled = loaded(monkeypatch)
    assert sorted(compiled) == sorted(first.list_templates())


def test_without_a_folder_every_worker_compiles(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "cache_folder", lambda: None)
    for _ in range(2):
        started, compiled = loaded(monkeypatch)
        assert len(compiled) == len(started.list_templates())
