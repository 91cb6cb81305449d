"""The code of templates: the pages are those of Jinja, and one worker compiles for the others."""

from fractions import Fraction
from hashlib import sha512
from pathlib import Path
from typing import Any

import pytest
from jinja2 import DictLoader, Environment, StrictUndefined, pass_context
from jinja2.runtime import Context
from markupsafe import Markup, escape

from arpad.web import cache, template_code, templates
from arpad.web.app import create
from arpad.web.template_code import WITH_CONTEXT, TemplateCode, escaped, load_templates
from arpad.web.templates import environment


@pytest.mark.parametrize(
    "value", ["", "plain", "<b>&\"'", "Müller", 7, -1, True, None, Fraction(1, 2), Markup("<b>"), 1.5, ["<"]]
)
def test_a_value_is_escaped_as_by_jinja(value: Any) -> None:
    assert escaped(value) == escape(value)


class OurTemplates(Environment):
    code_generator_class = TemplateCode
    escaped = staticmethod(escaped)


@pass_context
def with_context(context: Context, key: str) -> str:
    return f"{key}{context['some']}"


@pytest.mark.parametrize(
    "source",
    [
        "{{ t('a <b>') }}{{ t(key='k', **more) }}{{ t(*some, **{'class': 'x'}) }}",
        "{% for x in some %}{{ r.upper(x) }}{{ n(x) }}{% endfor %}{{ t(t('&')) }}",
        "{% macro around() %}[{{ caller() }}]{% endmacro %}{% call around() %}{{ t('<') }}{% endcall %}",
        "{% macro b(x, y='<') %}{{ x }}{{ y }}{{ varargs }}{% endmacro %}{{ b('&') }}{{ b('&', some, 1) }}",
        "{{ article_url('k') }}{{ t(article_url('&')) }}",
        "{% for x in some %}{{ loop.cycle('a', 'b') }}{{ range(loop.index)|list }}{{ x.upper() }}{% endfor %}",
        "{{ 'a' if some }}{{ 'b' if not some }}{% set c = '<' if not some %}{{ c }}{{ 'd' ~ ('e' if not some) }}",
        "{{ more.z }}{{ more.items()|list }}{{ more.none is defined }}{{ nested.inner.z }}",
        "{% for x in [r] %}{{ x.upper('<') }}{% endfor %}{{ {'a': more}.a.z }}{{ (more if some).z }}",
        "{% autoescape false %}{{ t('<') }}{% endautoescape %}{{ markup }}{{ t('x')|upper ~ '<' }}",
    ],
)
def test_a_template_is_written_as_by_jinja(source: str) -> None:
    def text(*parts: object, **facts: object) -> str:
        return f"{parts}{sorted(facts.items())}"

    class Page:
        upper = staticmethod(str.upper)

    context = {
        "t": text,
        "n": len,
        "r": Page(),
        "some": ["<a>", "b"],
        "more": {"z": 1},
        "nested": {"inner": {"z": "<"}},
        "markup": Markup("<i>"),
    }
    environments = [kind(autoescape=True, undefined=StrictUndefined) for kind in (Environment, OurTemplates)]
    for each in environments:
        each.globals["article_url"] = with_context
    written = [each.from_string(source).render(context) for each in environments]
    assert written[0] == written[1]


def test_the_site_uses_it() -> None:
    assert environment().code_generator_class is TemplateCode


def test_it_knows_the_functions_that_take_the_context() -> None:
    assert create()  # its modules register all of them
    taking = {name for name, it in environment().globals.items() if hasattr(it, "jinja_pass_arg")}
    assert taking == WITH_CONTEXT


def test_templates_that_extend_and_include_others_are_written_as_by_jinja() -> None:
    sources = {
        "base": (
            "<{% block title %}base{% endblock %}>"
            "{% block content %}{% endblock %}{% include 'part' %}{{ some[0] }}"
        ),
        "middle": (
            "{% extends 'base' %}{% set here = 'x' %}"
            "{% block content %}{{ here }}[{% block desk %}{% endblock %}]{% endblock %}"
        ),
        "page": (
            "{% extends 'middle' %}{% import 'macros' as m with context %}"
            "{% block title %}{{ super() }}&{{ self.desk() }}{% endblock %}"
            "{% block desk %}{% for x in some %}"
            "{% if loop.first %}{{ m.bold(x) }}{% else %}{% include 'part' %}{% endif %}"
            "{% set y = x %}{{ y }}{% endfor %}{% endblock %}"
        ),
        "part": "({% for x in some %}{{ x }}{% if x == 'b' %}{% include 'end' %}{% endif %}{% endfor %})",
        "end": "{% if not some %}never{% endif %}",
        "macros": "{% macro bold(x) %}<b>{{ x }}{{ some|length }}</b>{% endmacro %}",
    }
    loader = DictLoader(sources)
    texts = [
        kind(loader=loader, autoescape=True, undefined=StrictUndefined)
        .get_template("page")
        .render(some=["<a>", "b"])
        for kind in (Environment, OurTemplates)
    ]
    assert texts[0] == texts[1]
    assert texts[0].count("<b>") == 2


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(cache, "cache_folder", lambda: tmp_path)
    return tmp_path


FEW = ["clubs/clubs.html", "home.html", "parts.html"]
"""Of the site and of a feature: all of them take seconds."""


def loaded(monkeypatch: pytest.MonkeyPatch) -> tuple[Environment, list[str]]:
    """Load templates as a worker that starts; return them and those that it compiled."""
    compiled: list[str] = []
    compile_one = Environment.compile

    def counted(environment: Environment, source: Any, name: Any = None, *more: Any) -> Any:
        compiled.append(name)
        return compile_one(environment, source, name, *more)

    started = templates.environment.__wrapped__()
    with monkeypatch.context() as patch:
        patch.setattr(Environment, "compile", counted)
        patch.setattr(started, "list_templates", lambda: FEW)
        load_templates(started)
    return started, compiled


def test_only_the_first_worker_compiles(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first, compiled = loaded(monkeypatch)
    assert sorted(compiled) == FEW
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
    loaded(monkeypatch)
    monkeypatch.setattr(template_code, "sha256", sha512)
    _, compiled = loaded(monkeypatch)
    assert sorted(compiled) == FEW


def test_without_a_folder_every_worker_compiles(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "cache_folder", lambda: None)
    for _ in range(2):
        assert len(loaded(monkeypatch)[1]) == len(FEW)
