"""The code of templates writes what Jinja's own code writes."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from jinja2 import Environment, StrictUndefined
from markupsafe import Markup, escape

from arpad.web.template_code import TemplateCode, escaped
from arpad.web.templates import environment


@pytest.mark.parametrize(
    "value", ["", "plain", "<b>&\"'", "Müller", 7, -1, True, None, Fraction(1, 2), Markup("<b>"), 1.5, ["<"]]
)
def test_a_value_is_escaped_as_by_jinja(value: Any) -> None:
    assert escaped(value) == escape(value)


class OurTemplates(Environment):
    code_generator_class = TemplateCode
    escaped = staticmethod(escaped)


@pytest.mark.parametrize(
    "source",
    [
        "{{ t('a <b>') }}{{ t(key='k', **more) }}{{ t(*some, **{'class': 'x'}) }}",
        "{% for x in some %}{{ r.upper(x) }}{{ n(x) }}{% endfor %}{{ t(t('&')) }}",
        "{% macro around() %}[{{ caller() }}]{% endmacro %}{% call around() %}{{ t('<') }}{% endcall %}",
        "{{ 'a' if some }}{{ 'b' if not some }}{% set c = '<' if not some %}{{ c }}{{ 'd' ~ ('e' if not some) }}",
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
        "markup": Markup("<i>"),
    }
    written = [
        kind(autoescape=True, undefined=StrictUndefined).from_string(source).render(context)
        for kind in (Environment, OurTemplates)
    ]
    assert written[0] == written[1]


def test_the_site_uses_it() -> None:
    assert environment().code_generator_class is TemplateCode
