"""The code of templates writes what Jinja's own code writes."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from jinja2 import DictLoader, Environment, StrictUndefined, pass_context
from jinja2.runtime import Context
from markupsafe import Markup, escape

from arpad.web.app import create
from arpad.web.template_code import WITH_CONTEXT, TemplateCode, escaped
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
