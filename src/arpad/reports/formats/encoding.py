"""Decode and encode text files: the encoding is detected, line ends are preserved."""

import io
import re
from typing import NamedTuple

from arpad.model.errors import Unreadable
from arpad.model.rules import Finding, Severity

LIMIT = 20 * 1024 * 1024
"""Largest report in bytes; a report of ten thousand players is a tenth of it."""

MOST_LINES = 1_000_000

_CONTROL = bytes(set(range(32)) - set(b"\t\n\r\f\v\x1a"))
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_MARK = b"\xef\xbb\xbf"
_MARKED = "-sig"
"""Python's suffix for UTF-8 with a byte order mark; some programs write the mark before other encodings, too."""


def _misread(letters: str) -> str:
    """Return letters of DOS as Windows shows them."""
    return letters.encode("cp850").decode("cp1252")


_IN_WORD = r"(?<=[^\W\d_])"
_DOS_LETTER = re.compile(
    rf"{_IN_WORD}[{_misread('éòêçíóñÑøª')}]|{_IN_WORD}[{_misread('äàùÖú')}](?=[^\W\d_]|,)"
    rf"|{_IN_WORD}[{_misread('áö')}](?=[a-zà-ÿ])|(?<=[a-z])[{_misread('èÄ')}](?![A-Z])|[\x80-\x9f]"
)
"""Signs or blanks within a word, letters missing in Windows: the text was written by DOS."""

_WINDOWS_LETTER = re.compile(r"[À-ÖØ-öø-ÿ]")


class Text(NamedTuple):
    """The text of a file and its encoding."""

    lines: tuple[str, ...]
    """With their line ends: CRLF, LF or CR."""

    encoding: str
    findings: tuple[Finding, ...]


def refuse_unreadable(data: bytes) -> None:
    """Raise if the bytes are not text."""
    if len(data) > LIMIT:
        raise Unreadable("file-too-large", limit=LIMIT // (1024 * 1024))
    if max(data.count(b"\n"), data.count(b"\r")) > MOST_LINES:
        raise Unreadable("too-many-lines", limit=MOST_LINES)
    if not data.strip(b"\xef\xbb\xbf\x1a \t\r\n"):
        raise Unreadable("file-empty")
    if data.startswith(b"PK\x03\x04"):
        raise Unreadable("file-zip")
    if data.startswith(b"%PDF-"):
        raise Unreadable("file-pdf")
    nul = data.find(0)
    if data[:2] in _UTF16 or (nul >= 0 and _looks_like_utf16(data)):
        raise Unreadable("file-utf16", line=1, column=1)
    controls = len(data) - len(data.translate(None, _CONTROL))
    if nul >= 0 or controls * 100 > len(data):
        offset = nul if nul >= 0 else next(i for i, byte in enumerate(data) if byte in _CONTROL)
        line, column = _place(data, offset)
        raise Unreadable("file-binary", line=line, column=column)


def read_text(data: bytes) -> Text:
    """Return the lines of a text file; UTF-8 is tried first, then the Western code pages, which never fail."""
    refuse_unreadable(data)
    findings: tuple[Finding, ...] = ()
    encoding = "utf-8-sig" if data.startswith(_MARK) else "utf-8"
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        line, column = _place(data, error.start)
        text, code_page = western(data.removeprefix(_MARK))
        facts = {"encoding": code_page}
        encoding = code_page + _MARKED if data.startswith(_MARK) else code_page
        findings = (Finding(Severity.WARNING, "encoding-guessed", line=line, column=column, facts=facts),)
    return Text(tuple(io.StringIO(text, newline="")), encoding, findings)


def write_text(lines: tuple[str, ...], encoding: str) -> tuple[bytes, tuple[Finding, ...]]:
    """Return the bytes of the lines; if the encoding lacks a letter, the file becomes UTF-8, with a finding."""
    text, letters = "".join(lines), encoding.removesuffix(_MARKED)
    mark = _MARK if letters != encoding else b""
    try:
        return mark + text.encode(letters), ()
    except UnicodeEncodeError as error:
        letter = text[error.start]
    try:
        finding = Finding(Severity.WARNING, "encoding-changed", facts={"encoding": letters, "letter": letter})
        return mark + text.encode("utf-8"), (finding,)
    except UnicodeEncodeError:
        finding = Finding(Severity.WARNING, "letter-lost", facts={"letter": ascii(letter)})
        return mark + text.encode("utf-8", "replace"), (finding,)


def western(data: bytes) -> tuple[str, str]:
    """Return Western text and its code page: Windows, or DOS if Windows would show signs within words."""
    try:
        text, encoding = data.decode("cp1252"), "cp1252"
    except UnicodeDecodeError:
        text, encoding = data.decode("latin-1"), "latin-1"
    if len(_DOS_LETTER.findall(text)) > len(_WINDOWS_LETTER.findall(text)):
        return data.decode("cp850"), "cp850"
    return text, encoding


def _looks_like_utf16(data: bytes) -> bool:
    """Return whether every other byte is 0, as in Latin text in UTF-16 without a mark."""
    sample = data[: 2 * (min(len(data), 2000) // 2)]
    half = len(sample) // 2
    return half > 1 and max(sample[::2].count(0), sample[1::2].count(0)) * 10 > half * 9


def _place(data: bytes, position: int) -> tuple[int, int]:
    """Return line and column of a byte, counted from one."""
    before = data[:position]
    ends = before.splitlines(keepends=True)
    if not ends or ends[-1].endswith((b"\n", b"\r")):
        return len(ends) + 1, 1
    return len(ends), len(ends[-1].decode("utf-8", "replace").removeprefix("\ufeff")) + 1
