"""Read a register as plain CSV: one row per player, columns named by the header, no ratings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from arpad.model.errors import Unreadable
from arpad.reports.formats.encoding import read_text
from arpad.reports.formats.lists.fide_rows import READERS
from arpad.reports.formats.lists.list_csv import headings, separator
from arpad.reports.formats.sheet_grid import csv_rows
from arpad.reports.formats.written_values import whole_day
from arpad.system.spreadsheet_cells import restore

FACTS = {
    "name": "name", "nome": "name", "giocatore": "name",
    "federation": "federation", "fed": "federation", "federazione": "federation",
    "sex": "sex", "sesso": "sex",
    "born": "born", "birth": "born", "nato": "born", "nascita": "born",
    "title": "title", "titolo": "title", "women_title": "women_title", "other_titles": "other_titles",
    "affiliation": "affiliation", "affiliazione": "affiliation",
    "died": "died", "death": "died", "morto": "died", "morte": "died", "decesso": "died", "deceduto": "died",
}  # fmt: skip
NUMBERS = {
    "fide": "fide", "fide_id": "fide", "fideid": "fide", "id_fide": "fide", "fsi": "fsi", "fid": "fid", "fmjd": "fmjd",
}  # fmt: skip
_LONGEST = 200
_SEXES = {"": "", "m": "M", "f": "F", "w": "F"}


@dataclass(frozen=True, slots=True)
class RegisterRow:
    """A player in a register file; an empty cell is unknown."""

    line: int
    facts: Mapping[str, Any] = field(default_factory=dict)
    numbers: tuple[tuple[str, str], ...] = ()
    """Scheme and number."""


def read_register(data: bytes) -> Iterator[RegisterRow]:
    """Yield the rows of a register file; an unreadable cell raises with line and column."""
    lines = read_text(data).lines
    columns = [FACTS.get(name) or NUMBERS.get(name, "") for name in headings(lines[0])]
    if "name" not in columns:
        accepted = ", ".join([*dict.fromkeys(FACTS.values()), *dict.fromkeys(NUMBERS.values())])
        raise Unreadable("list-column", line=1, column_name="name", accepted=accepted)
    for line, cells in csv_rows(lines[1:], separator(lines[0]), 2):
        if any(cell.strip() for cell in cells):
            yield _row(columns, cells, line)


def _row(columns: list[str], cells: list[str], line: int) -> RegisterRow:
    facts: dict[str, Any] = {}
    numbers: dict[str, str] = {}
    for column, (name, cell) in enumerate(zip(columns, cells, strict=False), start=1):
        text = " ".join(restore(cell.strip()).split())
        if not name or not (text or name == "name"):
            continue
        try:
            if name in NUMBERS.values():
                numbers[name] = _number(text, numbers.get(name, text))
            else:
                facts[name] = _fact(name, text)
        except (ValueError, KeyError):
            raise Unreadable("list-row-unreadable", line=line, column=column, text=text[:40]) from None
    if "name" not in facts:  # a row that ends before its name
        raise Unreadable("list-row-unreadable", line=line, column=columns.index("name") + 1, text="")
    if facts.get("title", "").startswith("W"):
        facts["women_title"] = facts.pop("title")
    return RegisterRow(line, facts, tuple(sorted(numbers.items())))


def _number(text: str, before: str) -> str:
    """Return a number; two columns may give it if they agree."""
    if not text.isascii() or len(text) > _LONGEST or text != before:
        raise ValueError(text)
    return text


def _fact(name: str, text: str) -> Any:
    if not text.isprintable() or len(text) > _LONGEST or (name == "name" and not text):
        raise ValueError(text)
    if name == "sex":
        return _SEXES[text.lower()]
    if name == "federation":
        return text.upper()
    if name == "died":
        return whole_day(text)
    return READERS[name](text) if name in READERS else text
