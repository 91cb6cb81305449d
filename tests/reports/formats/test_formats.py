"""Which reader a file gets, which files get none, and a sentence for every code of readers and writers."""

import ast
import gzip
import io
import re
import tomllib
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from arpad.explain.words import LANGUAGES, load_words
from arpad.model.errors import BadInput, Unreadable
from arpad.reports.formats import FORMATS, format_for, read_file, read_report, write_report
from arpad.reports.formats.encoding import LIMIT
from arpad.reports.report import Entrant, Header, Report
from tests.builders.trf import PAIR, read, text
from tests.paths import SOURCE
from tests.patience import comes_to_an_end
from tests.reports.formats.test_trf_write import FULL


def zipped() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("torneo.trf", text(*PAIR))
    return out.getvalue()


def cut_workbook() -> bytes:
    """What is left of a workbook whose download broke off."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for part in ("docProps/app.xml", "xl/styles.xml", "xl/workbook.xml"):
            archive.writestr(part, "<x/>" * 50)
    return out.getvalue().partition(b"xl/workbook.xml")[0]


REFUSED = {
    "nothing at all": (b"", "file-empty"),
    "only blanks": (b"\xef\xbb\xbf \r\n\t\n", "file-empty"),
    "too large": (b"001    1" + b" " * LIMIT, "file-too-large"),
    "a ZIP": (zipped(), "file-zip"),
    "half a workbook": (cut_workbook(), "sheet-xlsx-broken"),
    "a ZIP that looks like cells": (b"PK\x03\x04 a,b\n1,2\n", "file-zip"),
    "UTF-16 with a mark": (text(*PAIR).decode().encode("utf-16"), "file-utf16"),
    "UTF-16 without a mark": (text(*PAIR).decode().encode("utf-16-le"), "file-utf16"),
    "bytes of no text": (bytes(range(256)) * 20, "file-binary"),
    "a compressed file": (gzip.compress(text(*PAIR)), "file-binary"),
    "a report with a NUL in it": (text(*PAIR) + b"\0", "file-binary"),
    "a letter": (b"Caro arbitro\nil torneo si e' svolto bene\n", "not-a-report"),
    "a letter with a comma": (b"Caro arbitro\nil torneo e' finito, e bene\n", "not-a-report"),
    "a header without players": (b"012 Torneo\n042 2024/03/01\n", "no-players"),
    "a header without players, with cells": (b"012 Torneo\n022 Bari; Italia\n", "no-players"),
    "an XML list": (b"<playerslist></playerslist>", "file-is-a-list"),
    "a text list": (b"ID Number      Name      Fed\n", "file-is-a-list"),
    "a page": (b"<!doctype html><html></html>", "file-is-markup"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_file_that_is_no_report_is_refused_in_one_sentence(name: str) -> None:
    data, code = REFUSED[name]
    with comes_to_an_end(), pytest.raises(Unreadable) as caught:
        read_report(data, "torneo.trf")
    assert caught.value.code == code
    for language in LANGUAGES:
        sentence = load_words(language).error(caught.value)
        assert sentence
        assert "\n" not in sentence


def test_the_position_of_bytes_that_are_not_text() -> None:
    with pytest.raises(Unreadable) as caught:
        read_report(b"012 Torneo\r\n022 Tr\0ani\r\n")
    assert (caught.value.facts["line"], caught.value.facts["column"]) == (2, 7)


def test_a_file_is_refused_before_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "grande.trf"
    with path.open("wb") as file:
        file.truncate(50_000_000)
    with comes_to_an_end():
        with pytest.raises(Unreadable) as caught:
            read_file(path)
        assert caught.value.code == "file-too-large"


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(Unreadable) as caught:
        read_file(tmp_path / "manca.trf")
    assert caught.value.code == "file-not-opened"


def test_content_decides_whatever_the_name(tmp_path: Path) -> None:
    path = tmp_path / "torneo.pgn"
    path.write_bytes(text(*PAIR))
    assert read_file(path).format == "trf16"


@pytest.mark.parametrize(
    ("data", "module"),
    [
        (text(*PAIR), "trf"),
        (b"\xef\xbb\xbf" + text(*PAIR), "trf"),
        (text("012 Torneo", "022 Citta; con, segni", *PAIR, end="\r"), "trf"),
        (b'[Event "Open"]\n[Result "1-0"]\n\n1. e4 1-0\n', "pgn"),
        (b'{exported}\r% by hand\r; yesterday\r[Event "Open"]\r[Result "1-0"]\r', "pgn"),
        (b'[Event "Open"]\n[GameType "20"]\n[Result "2-0"]\n', "pdn"),
        (b'[Event "Open"]\n[Result "1-1"]\n', "pdn"),
        (b"No;Name;Elo;1\n1;Rossi;1800;2w1\n", "sheet"),
    ],
)
def test_the_reader_is_chosen_by_the_content(data: bytes, module: str) -> None:
    assert next(entry.module for entry in FORMATS if entry.recognises(data)) == module


def test_the_format_to_write_comes_from_the_name_and_the_report() -> None:
    report = read(*PAIR, "142 3")
    assert format_for("out.trf") == "trf16"
    assert format_for("out.TRF", report) == "trf26"
    assert format_for("out.pgn", report) == "pgn"
    assert format_for("out.xlsx", report).endswith("xlsx")
    with pytest.raises(BadInput, match="suffix-unknown"):
        format_for("out.doc")


def test_an_unknown_format_is_refused() -> None:
    with pytest.raises(BadInput, match="format-unknown"):
        write_report(read(*PAIR), "trf99")


def test_a_file_of_nothing_but_line_ends_is_refused_at_once() -> None:
    with comes_to_an_end(), pytest.raises(Unreadable, match="too-many-lines"):
        read_report(b"001    1\n" + b"\n" * 19_000_000)


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
