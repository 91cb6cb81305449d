"""Read a register as plain CSV: one row per player, columns named by the header, no ratings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from arpad.reports.formats.lists.fide_rows import READERS
from arpad.reports.formats.lists.list_csv import Cell, named_cells
from arpad.reports.formats.written_values import whole_day

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
    for cells in named_cells(data, {**FACTS, **NUMBERS}, ("name",)):
        yield _row(cells)


def _row(cells: Sequence[tuple[str, Cell]]) -> RegisterRow:
    facts: dict[str, Any] = {}
    numbers: dict[str, str] = {}
    for name, cell in cells:
        if not cell.text and name != "name":
            continue
        if name in NUMBERS.values():
            before = numbers.get(name, cell.text)
            numbers[name] = cell.read(partial(_number, before=before))
        else:
            facts[name] = cell.read(partial(_fact, name))
    if facts.get("title", "").startswith("W"):
        facts["women_title"] = facts.pop("title")
    return RegisterRow(cells[0][1].line, facts, tuple(sorted(numbers.items())))


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
