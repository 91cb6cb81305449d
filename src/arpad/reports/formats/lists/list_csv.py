"""Read a rating list or a register as plain CSV: one row per player, columns named by the header."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from arpad.model.errors import Unreadable
from arpad.reports.formats.encoding import read_text
from arpad.reports.formats.lists.fide_rows import READERS, ListRow
from arpad.reports.formats.sheet_grid import csv_rows
from arpad.reports.formats.written_values import whole_day
from arpad.system.spreadsheet_cells import restore

Value = TypeVar("Value")

CHESS_COLUMNS = (
    "id", "name", "federation", "sex", "title", "women_title", "other_titles", "rating", "games", "k", "born",
    "inactive", "delisted",
)  # fmt: skip

COLUMNS = {
    "id": "id", "fide_id": "id", "fideid": "id", "fide": "id", "id_number": "id",
    "name": "name", "nome": "name", "sex": "sex", "sesso": "sex",
    "title": "title", "titolo": "title", "women_title": "women_title", "titolo_femminile": "women_title",
    "other_titles": "other_titles", "altri_titoli": "other_titles",
    "inactive": "flag", "inattivo": "flag", "delisted": "delisted",
    "federation": "federation", "fed": "federation", "federazione": "federation",
    "rating": "rating", "elo": "rating", "games": "games", "partite": "games", "k": "k",
    "rapid": "rapid_rating", "rapid_games": "rapid_games", "rapid_k": "rapid_k",
    "blitz": "blitz_rating", "blitz_games": "blitz_games", "blitz_k": "blitz_k",
    "born": "born", "birth": "born", "nato": "born",
}  # fmt: skip
"""Heading → field of ``ListRow``."""


_NUMBER = "_number"
"""The ending of headings of numbers: ``fide_number``, ``fsi_number``."""

_OF_FIDE = ("fide_id", "fideid", "fide", "fide_number")
_NO = frozenset({"", "0", "no", "false"})


def is_csv_list(head: bytes) -> bool:
    """Return whether a file begins with a CSV header with an id and a rating."""
    return {"id", "rating"} <= _fields(head)


def names_quick_lists(head: bytes) -> bool:
    """Return whether the header has rapid or blitz ratings in addition to the standard ones."""
    return bool({"rapid_rating", "blitz_rating"} & _fields(head))


def _fields(head: bytes) -> set[str]:
    line = head.removeprefix(b"\xef\xbb\xbf").split(b"\n", 1)[0].decode("latin-1").strip()
    return {COLUMNS[heading] for heading in headings(line) if heading in COLUMNS}


def read_cells(path: Path, cells: Mapping[str, int]) -> Iterator[ListRow]:
    """Yield the rows of a CSV list whose cells the reader names; a row whose ``id`` is no number is a heading."""
    lines = read_text(path.read_bytes()).lines
    for line, row in csv_rows(lines, separator(lines[0] if lines else "")):
        named_cells = {
            name: (at, restore(row[at - 1].strip())) for name, at in cells.items() if at <= len(row)
        }
        number = named_cells.get("id", (0, ""))[1]
        if any(row) and (line > 1 or number.isdigit()):
            yield _row(named_cells, line, own=False)


def read_csv_list(path: Path, *, every_player: bool = False) -> Iterator[ListRow]:
    """Yield the rows of a CSV list; an unreadable cell raises with line and column.

    With ``every_player`` a named player without a number raises, too.

    ``id`` is FIDE's number, unless the file has another column for that or was written by Arpad: then it is the
    register's.
    """
    lines = read_text(path.read_bytes()).lines
    named = headings(lines[0])
    own = "id" in named and (
        named[: len(CHESS_COLUMNS)] == list(CHESS_COLUMNS) or any(name in named for name in _OF_FIDE)
    )
    fields = [_field(heading, own=own) for heading in named]
    for line, cells in csv_rows(lines[1:], separator(lines[0]), 2):
        named_cells = {
            name: (column, restore(cell.strip()))
            for column, (name, cell) in enumerate(zip(fields, cells, strict=False), start=1)
            if name
        }
        column, number = named_cells.get("number" if own else "id", (1, ""))
        name = named_cells.get("name", (0, ""))[1]
        if number:
            yield _row(named_cells, line, own=own)
        elif every_player and name:
            raise Unreadable("list-row-without-number", line=line, column=column, player=name[:40])


def _field(heading: str, *, own: bool) -> str:
    """Return the field of a column; numbers of other bodies by their scheme, as ``fsi_number``."""
    if own and heading == "id":
        return "number"
    if own and heading in _OF_FIDE:
        return f"fide{_NUMBER}"
    if own and heading.endswith(_NUMBER) and heading not in COLUMNS:
        return heading
    return COLUMNS.get(heading, "")


def _row(cells: Mapping[str, tuple[int, str]], line: int, *, own: bool) -> ListRow:
    values = {
        name: _read(name, cell, line) for name, cell in cells.items() if name in READERS and name != "flag"
    }
    if cells.get("flag", (0, ""))[1].lower() not in _NO:
        values["flag"] = "i"
    if not own:
        return ListRow(**values)
    numbers = {
        name.removesuffix(_NUMBER): (column, text)
        for name, (column, text) in cells.items()
        if name.endswith(_NUMBER) and text
    }
    fide = _read("id", numbers["fide"], line) if "fide" in numbers else None
    identifiers = tuple(sorted((scheme, text) for scheme, (_, text) in numbers.items()))
    return ListRow(**{**values, "id": fide or values["number"], "identifiers": identifiers})


def _read(name: str, cell: tuple[int, str], line: int) -> Any:
    """Return the value of a cell, read as in other lists."""
    column, text = cell
    try:
        return READERS["id" if name == "number" else name](text)
    except ValueError:
        raise Unreadable("list-row-unreadable", line=line, column=column, text=text[:40]) from None


def separator(line: str) -> str:
    """Return the delimiter of a header."""
    return max(",;\t", key=line.count)


def headings(line: str) -> list[str]:
    """Return the columns of a header."""
    return [cell.strip().strip('"').lower().replace(" ", "_") for cell in line.split(separator(line))]


# ---------------------------------------------------------------------------------------- other files of named columns


class Cell(NamedTuple):
    """The text of a cell and where it is."""

    text: str
    line: int
    column: int

    def read(self, reader: Callable[[str], Value]) -> Value:
        """Return what a reader makes of the text; a text that it refuses raises with line and column."""
        try:
            return reader(self.text)
        except (ValueError, KeyError):
            raise self.refused("list-row-unreadable", text=self.text[:40]) from None

    def refused(self, error: str, /, **facts: object) -> Unreadable:
        """Return the error of this cell."""
        return Unreadable(error, **facts | {"line": self.line, "column": self.column})


def named_cells(
    data: bytes, columns: Mapping[str, str], needed: Collection[str]
) -> Iterator[list[tuple[str, Cell]]]:
    """Yield the rows that are not empty: each field with its cell; a row that ends early has empty cells.

    ``columns`` are the fields by heading, and ``needed`` those without which a file is refused.
    """
    lines = read_text(data).lines
    fields = [columns.get(heading, "") for heading in headings(lines[0].strip())]
    for name in needed:
        if name not in fields:
            accepted = ", ".join(dict.fromkeys(columns.values()))
            raise Unreadable("list-column", line=1, column_name=name, accepted=accepted)
    for line, cells in csv_rows(lines[1:], separator(lines[0]), 2):
        texts = [" ".join(restore(cell.strip()).split()) for cell in cells]
        if any(texts):
            texts += [""] * (len(fields) - len(texts))
            named = enumerate(zip(fields, texts, strict=False), start=1)
            yield [(field, Cell(text, line, column)) for column, (field, text) in named if field]


# ------------------------------------------------------------------------------------------------------------ registers


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
        yield _register_row(cells)


def _register_row(cells: Sequence[tuple[str, Cell]]) -> RegisterRow:
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
