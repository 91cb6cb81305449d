"""docs/reference/findings.md and the catalogues hold every code that the checks say, with its severity and articles."""

import ast
import re
import tomllib

from arpad.explain.words import LANGUAGES, load_words
from tests.paths import ROOT

ROW = re.compile(r"^\| `([a-z-]+)` \| (\w+) \|(?: ([^|]*) \|)? ([^|]+) \|$", re.MULTILINE)


def table() -> dict[str, tuple[str, set[str]]]:
    """Code → severity and articles, as documented."""
    rows = ROW.findall((ROOT / "docs" / "reference" / "findings.md").read_text(encoding="utf-8"))
    assert len({code for code, *_ in rows}) == len(rows)
    return {code: (severity, set(articles.split(", "))) for code, severity, articles, _ in rows}


def said() -> dict[str, str]:
    """Code → severity, read off the calls in the source; each call names its code as it stands."""
    found: dict[str, str] = {}
    for path in (ROOT / "src" / "arpad" / "checks").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
                continue
            if node.func.id in {"error", "warning", "info"}:
                code = node.args[0]
                assert isinstance(code, ast.Constant), f"{path.name}:{node.lineno}"
                assert isinstance(code.value, str)
                assert found.setdefault(code.value, node.func.id) == node.func.id
    return found


def test_every_code_is_documented_with_its_severity() -> None:
    assert {code: severity for code, (severity, _) in table().items()} == said()


def test_every_code_has_a_sentence_in_both_languages() -> None:
    for language in LANGUAGES:
        assert [code for code in said() if not load_words(language).has(f"finding.{code}")] == []


def test_the_articles_of_the_cases_are_documented() -> None:
    cases = tomllib.loads((ROOT / "tests" / "checks" / "articles.toml").read_text(encoding="utf-8"))["rule"]
    documented = table()
    for rule in cases:
        for article in rule["editions"].values():
            cited = set((article or "–").split(", "))
            assert cited <= documented[rule["code"]][1], (rule["code"], article)


def test_every_code_about_the_regulations_has_a_case() -> None:
    cases = tomllib.loads((ROOT / "tests" / "checks" / "articles.toml").read_text(encoding="utf-8"))["rule"]
    text = (
        (ROOT / "docs" / "reference" / "findings.md")
        .read_text(encoding="utf-8")
        .partition("## The regulations")[2]
    )
    without = {code for code, *_ in ROW.findall(text)} - {rule["code"] for rule in cases}
    assert without == set()
