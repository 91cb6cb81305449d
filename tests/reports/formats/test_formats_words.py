"""Every code of the readers and writers of files has a sentence, and every sentence has a code."""

from __future__ import annotations

import ast
import re
import tomllib
from dataclasses import replace

from arpad.explain.words import LANGUAGES, load_words
from arpad.reports.formats import write_report
from arpad.reports.report import Entrant, Header, Report
from tests.paths import SOURCE
from tests.reports.formats.test_trf_write import FULL

SOURCES = [
    "reports/formats/__init__.py",
    "reports/formats/encoding.py",
    "reports/formats/findings.py",
    "reports/formats/trf*.py",
    "reports/formats/lists/fide_*.py",
    "reports/formats/lists/layouts.py",
    "publishing/fide_list.py",
]
"""Modules whose codes are in the catalogue files.toml."""

NO_CODES = {"utf-8", "utf-8-sig", "latin-1", "crosstable-xlsx", "games-xlsx", "fide-2004"}
OF_ARCHIVES = {"archive-encrypted", "archive-too-large"}
"""Codes that are shared with archives of reports, in the catalogue bulk.toml."""

OF_OTHER_FORMATS = {"lost-records", "team-facts", "team-members"}
"""Codes of what sheets and files of games cannot express, in the catalogue sheets.toml."""


def codes_in_source() -> set[str]:
    """Return all texts of the source that have the form of a code."""
    paths = [path for pattern in SOURCES for path in SOURCE.glob(pattern)]
    nodes = [node for path in paths for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))]
    texts = {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    codes = {text for text in texts if re.fullmatch(r"[a-z]+(-[a-z0-9]+)+", text)}
    return codes - NO_CODES - OF_ARCHIVES - OF_OTHER_FORMATS


def test_codes_and_sentences_are_the_same() -> None:
    catalogue = tomllib.loads(
        (SOURCE / "explain" / "messages" / "en" / "files.toml").read_text(encoding="utf-8")
    )
    assert codes_in_source() == {*catalogue["error"], *catalogue["finding"]}


def test_findings_of_writers_have_sentences() -> None:
    odd = Entrant(
        123456, "x" * 40, 12345, "mm", "WGMX", "ITALIA", "1" * 12, None, 100_000, 123456, 20,
    )  # fmt: skip
    findings = [
        *write_report(FULL, "trf16")[1],
        *write_report(Report(Header(), (odd,), ()), "trf26")[1],
        *write_report(replace(FULL, header=Header(name="\udc80")), "trf26")[1],
    ]
    assert len({finding.code for finding in findings}) >= 12
    for finding in findings:
        for language in LANGUAGES:
            assert load_words(language).finding(finding)
