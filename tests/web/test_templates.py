"""Templates read like pages: short lines, and each of them compiles."""

from __future__ import annotations

import re

import pytest

from arpad.explain.words import load_words
from arpad.web.fragment_cache import KeptTexts
from arpad.web.templates import environment
from tests.paths import template_files

TEMPLATES = template_files()
LONGEST_LINE = 140


def test_no_line_of_a_template_is_longer_than_140_characters() -> None:
    lines = [
        f"{name}:{number}"
        for name, path in TEMPLATES.items()
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if len(line) > LONGEST_LINE
    ]

    assert TEMPLATES
    assert lines == []


@pytest.mark.parametrize("name", TEMPLATES)
def test_every_template_compiles(name: str) -> None:
    assert environment().get_template(name).name == name


def test_a_label_has_the_colon_of_its_language() -> None:
    """``{{ colon }}``: French has a blank before it. The board prints numbers, not words."""
    written = re.compile(r"\}\}(</\w+>)?:( |$|<)", re.MULTILINE)
    wrong = [name for name, path in TEMPLATES.items() if written.search(path.read_text(encoding="utf-8"))]
    assert wrong == ["board.html"]


def test_a_part_that_is_written_once_is_written_anew_in_another_language_and_for_another_key() -> None:
    template = environment().from_string(
        '{% once "part", key %}{{ words.language }}{{ count() }}<{% endonce %}'
    )
    texts = KeptTexts()
    counts = iter(range(10))

    def shown(language: str, key: int) -> str:
        return template.render(
            words=load_words(language), key=key, count=lambda: next(counts), kept_texts=texts
        )

    assert texts.size == 0
    assert [shown("en", 1), shown("en", 1), shown("fr", 1), shown("en", 2), shown("en", 1)] == [
        "en0<",
        "en0<",
        "fr1<",
        "en2<",
        "en0<",
    ]
    assert texts.size > 0


def test_a_part_without_a_key_is_written_each_time() -> None:
    template = environment().from_string("{% once none %}{{ count() }}{% endonce %}")
    counts, texts = iter(range(10)), KeptTexts()
    shown = [
        template.render(words=load_words("en"), count=lambda: next(counts), kept_texts=texts)
        for _ in range(3)
    ]
    assert shown == ["0", "1", "2"]
    assert texts.size == 0


def test_parts_and_pages_share_one_bounded_memory() -> None:
    texts = KeptTexts(most_bytes=100)
    texts.add("a", 1, 60)
    texts.add("b", 2, 30)
    assert texts.get("a") == 1
    texts.add("c", 3, 40)
    assert [texts.get(key) for key in "abc"] == [1, None, 3], "the least recently used goes first"
    assert texts.size == 100
    texts.add("c", 4, 10)
    assert (texts.get("c"), texts.size) == (4, 70)
    texts.add("d", 5, 101)
    assert texts.size == 0, "what is too large is not kept"
