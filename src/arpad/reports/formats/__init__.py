"""File formats of reports: the reader is chosen by the content of a file, never by its name alone.

Each format is a module of this folder with two functions, loaded only when it is needed:

    read(data: bytes, name: str = "") -> Report
    write(report: Report, format: str) -> tuple[bytes, tuple[Finding, ...]]
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from arpad.model.errors import BadInput, Unreadable
from arpad.model.rules import Finding, ListName
from arpad.reports.formats.encoding import LIMIT, refuse_unreadable
from arpad.reports.report import Report

_SAMPLE = 65_536


@dataclass(frozen=True, slots=True)
class Format:
    """A family of formats: the names it writes and how its files are recognised."""

    module: str
    writes: tuple[str, ...]
    suffixes: tuple[str, ...]
    """Endings of file names, only for choosing what to write."""

    recognises: Callable[[bytes], object]

    def load(self) -> Any:
        """Import the module."""
        return import_module(f"arpad.reports.formats.{self.module}")


_PLAYER_LINE = re.compile(rb"(?:^|[\r\n])(?:\xef\xbb\xbf)?001 ")
_HEADER_LINE = re.compile(rb"(?:^|[\r\n])(?:\xef\xbb\xbf)?(?:0[1-9]2|1[0-9]2) ")
_TAG_PAIR = re.compile(rb"\A(?:\xef\xbb\xbf)?(?:\s|[%;][^\r\n]*[\r\n]|\{[^}]*\})*+\[\s*[A-Za-z]\w*\s+\"")
_DRAUGHTS = re.compile(rb"\[\s*GameType\s+\"", re.IGNORECASE)
_CHESS = re.compile(rb"\[\s*GameType\s+\"\s*0*[01]\b", re.IGNORECASE)
_DRAUGHTS_RESULT = re.compile(rb"\[\s*Result\s+\"\s*(?:2-0|1-1|0-2)\s*\"")
_ZIP = b"PK\x03\x04"
_CELLS = re.compile(rb"\A[^,;\t|\r\n]*[,;\t|][^\r\n]*+[\r\n]")
_CELLS_BELOW = re.compile(
    rb"\A(?:[^,;\t|\r\n]*+[\r\n]++)++[^,;\t|\r\n]*+(?:[;\t|]|,[^\r\n,]*+,)[^\r\n]*+[\r\n]"
)
"""Cells below a title or blank lines; a single comma there is taken as punctuation."""


_OF_DRAUGHTS = re.compile(r"\bdraughts\b|\bdama\b|\bjeu de dames\b", re.IGNORECASE)
_INTERNATIONAL = re.compile(r"internat|internaz|\b100\b", re.IGNORECASE)
DRAUGHTS_KINDS: Mapping[ListName, str] = {
    ListName.ITALIANA: "Italian draughts",
    ListName.INTERNAZIONALE: "International draughts",
}
"""What the type of tournament says in a file that has no other place for the game."""


def _is_draughts(data: bytes) -> bool:
    sample = data[:_SAMPLE]
    if not _TAG_PAIR.match(sample):
        return False
    return bool(_DRAUGHTS.search(sample) and not _CHESS.search(sample)) or bool(
        _DRAUGHTS_RESULT.search(sample)
    )


def _is_workbook(data: bytes) -> bool:
    return data.startswith(_ZIP) and b"xl/" in data  # one that was cut has lost the rest of its names


def _is_sheet(data: bytes) -> bool:
    sample = data[:_SAMPLE]
    if _is_workbook(data) or _CELLS.match(sample):
        return True
    return bool(_CELLS_BELOW.match(sample)) and not _HEADER_LINE.search(sample)


FORMATS = (
    Format("pdn", ("pdn",), (".pdn",), _is_draughts),
    Format("pgn", ("pgn",), (".pgn",), _TAG_PAIR.match),
    Format("trf", ("trf16", "trfx", "trf26"), (".trf", ".trfx", ".tab"), _PLAYER_LINE.search),
    Format(
        "sheet",
        ("crosstable", "games", "crosstable-xlsx", "games-xlsx"),
        (".csv", ".tsv", ".xlsx"),
        _is_sheet,
    ),
)
"""The formats in the order in which they are tried."""


def read_report(data: bytes, name: str = "") -> Report:
    """Return the report in the bytes of a file of any format."""
    if len(data) > LIMIT:
        raise Unreadable("file-too-large", limit=LIMIT // (1024 * 1024))
    other_kind = None if _is_workbook(data) else _other_file(data)
    for entry in FORMATS if other_kind is None else ():
        if entry.recognises(data):
            report: Report = entry.load().read(data, name)  # which refuses by itself what is no text
            return report
    refuse_unreadable(data)
    code = "no-players" if _HEADER_LINE.search(data) else "not-a-report"
    raise Unreadable(other_kind or code, line=1, column=1)


def read_file(path: Path) -> Report:
    """Return the report in a file."""
    return read_report(read_bytes(path), path.name)


def read_bytes(path: Path) -> bytes:
    """Return the bytes of a file or a pipe; stop reading if it is larger than any report."""
    try:
        with path.open("rb") as file:
            data = file.read(LIMIT + 1)
    except OSError as error:
        raise Unreadable("file-not-opened", path=str(path), reason=error.strerror or str(error)) from error
    if len(data) > LIMIT:
        raise Unreadable("file-too-large", limit=LIMIT // (1024 * 1024))
    return data


def write_report(report: Report, format: str) -> tuple[bytes, tuple[Finding, ...]]:  # noqa: A002  the word that callers use
    """Return the bytes of a report in a format and findings about what the format cannot express."""
    for entry in FORMATS:
        if format in entry.writes:
            written: tuple[bytes, tuple[Finding, ...]] = entry.load().write(report, format)
            return written
    raise BadInput("format-unknown", format=format, accepted=format_names())


def draughts_list(report: Report) -> ListName | None:
    """Return the draughts list that a report declares: by the game type of a PDN, or in its type of tournament."""
    from arpad.reports.formats import pdn

    if (declared := pdn.discipline(report)) is not None or not _OF_DRAUGHTS.search(report.header.kind):
        return declared
    return ListName.INTERNAZIONALE if _INTERNATIONAL.search(report.header.kind) else ListName.ITALIANA


def format_names() -> tuple[str, ...]:
    """Return the names of all formats that can be written."""
    return tuple(name for entry in FORMATS for name in entry.writes)


def format_for(name: str, report: Report | None = None) -> str:
    """Return the format for a file name; that of the report if the name fits it."""
    suffix = Path(name).suffix.lower()
    for entry in FORMATS:
        if suffix in entry.suffixes:
            if report is not None and report.format in entry.writes and suffix != ".xlsx":
                return report.format
            workbook = next((written for written in entry.writes if written.endswith(suffix[1:])), None)
            return workbook or entry.writes[0]
    accepted = tuple(suffix for entry in FORMATS for suffix in entry.suffixes)
    raise BadInput("suffix-unknown", name=name, accepted=accepted)


def _other_file(data: bytes) -> str | None:
    """Return the error code for a file that people mistake for a report, recognised by its first letters; else None."""
    head = data[:_SAMPLE].removeprefix(b"\xef\xbb\xbf").lstrip()
    if data.startswith(_ZIP):
        return "file-zip"
    if head.startswith(b"<"):
        return "file-is-a-list" if b"<playerslist" in head else "file-is-markup"
    return "file-is-a-list" if head[:9].upper() in {b"ID NUMBER", b"ID_NUMBER"} else None
