"""No pattern of ours can take very long: a hostile file or address would stop a worker."""

import re
from pathlib import Path

import pytest

from tests.paths import ROOT
from tests.project.regular_expressions import is_slow, patterns

MODULES = sorted(
    path for folder in ("src", "tests", "tools", "benchmarks") for path in (ROOT / folder).rglob("*.py")
)

SLOW = (
    "(a+)+b", "(a*)*", r"(\w+\s?)+:", r"(\w+\s*)*$", r"\s*[ \t]*x", r"\d+[\d.]+", "a*b?a*c", "(?:ab)*(?:ab)*c",
    "(?:a+|b+)*c", r"(?:,\d+)*(?:,\d+)*;", "(?i:a+)A+x", r".*\s*$", "(a+){2,9}b", r"a+(?=x?)\w+", "(x*)(?(1)x*|y)z",
)  # fmt: skip
FAST = (
    "a+b+", r"(\d+,)*\d+", r"(?:[a-z]+-)*[a-z]+", r"\s*+\s*x", "(?>a+)a+", r"a*,a*", "(?:a,)*(?:a;)*", r"\w+ \w+",
    "(ab?)+", r"[^\n]*\n\s", r"\d{1,4}\d{1,4}", "a+(?!b)c", r"(\d+)\1", "x*y|x*z", r"(?a:\w+)é+", r"[^,]*(?:,[^,]*)*",
)  # fmt: skip


@pytest.mark.parametrize("pattern", SLOW)
def test_planted_patterns_are_refused(pattern: str) -> None:
    assert is_slow(pattern)


@pytest.mark.parametrize("pattern", FAST)
def test_patterns_with_one_way_to_match_are_not(pattern: str) -> None:
    assert not is_slow(pattern)


def test_patterns_are_read_from_calls_constants_and_fstrings() -> None:
    source = """
NAME = r"[a-z]+"
re.compile(NAME + "x", re.IGNORECASE | re.ASCII)
re.sub(rf"{NAME}({other})", "", text)
re.fullmatch(b"a*", data, flags=re.DOTALL)
pytest.raises(ValueError, match="b+")
text.split(",")
"""
    looped = """
[re.compile(pattern) for pattern in ("a+", "b(")]
"""
    assert list(patterns(source)) == [
        (3, "[a-z]+x", re.IGNORECASE | re.ASCII),
        (4, "[a-z]+(\ue000)", 0),
        (5, b"a*", re.DOTALL),
        (6, "b+", 0),
    ]
    assert list(patterns(looped)) == [(2, "a+", 0)]


def slow_patterns(path: Path) -> list[str]:
    return [
        f"{path.relative_to(ROOT)}:{line}: {pattern!r}"
        for line, pattern, flags in patterns(path.read_text(encoding="utf-8"))
        if is_slow(pattern, flags)
    ]


def test_no_pattern_of_ours_is_slow() -> None:
    assert [found for path in MODULES for found in slow_patterns(path)] == []
