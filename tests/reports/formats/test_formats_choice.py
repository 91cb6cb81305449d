"""Which reader a file gets, and which files get none."""

from __future__ import annotations

import gzip
import io
import zipfile
from pathlib import Path

import pytest

from arpad.explain.words import LANGUAGES, load_words
from arpad.model.errors import BadInput, Unreadable
from arpad.reports.formats import FORMATS, format_for, read_file, read_report, write_report
from arpad.reports.formats.encoding import LIMIT
from tests.builders.trf import PAIR, read, text
from tests.patience import comes_to_an_end


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
