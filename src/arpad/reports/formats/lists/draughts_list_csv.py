"""Draughts list as CSV: one row per player, one column per fact; the same table reads and writes it.

``name`` and ``capital`` are required. Without ``last_event`` the first event of the year is unknown;
``?`` in that column says so for one player. Text that a spreadsheet would take for a formula is
written with an apostrophe before it.

A list that an office published as CSV is read too: there ``id`` is the player's number in that office's register, and
the numbers of other bodies have columns of their own (``fid_number``).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TypeVar

from arpad.model.draughts import Category, DraughtsState, Title, category_named, title_named
from arpad.model.errors import BadInput, Unreadable
from arpad.reports.formats.encoding import read_text
from arpad.reports.formats.sheet_grid import csv_rows
from arpad.reports.formats.written_values import whole_number
from arpad.system.spreadsheet_cells import csv_text, restore

COLUMNS = (
    "id", "name", "category", "title", "capital", "foreign", "last_event", "idle_years", "malus", "fmjd",
)  # fmt: skip
NEEDED = ("name", "capital")
PUBLISHED = frozenset({"id", "games", "delisted"})
"""The columns that identify a list published by an office."""

UNKNOWN = "?"
"""Written in the column of the last event if that day is unknown."""
ITALIAN: Mapping[str, str] = {
    "tessera": "id", "nome": "name", "giocatore": "name", "categoria": "category", "titolo": "title",
    "capitale": "capital", "straniero": "foreign", "ultima_gara": "last_event", "anni_senza_gare": "idle_years",
    "punti_defalcati": "malus", "rating_fmjd": "fmjd", "federazione": "federation", "sesso": "sex",
    "nascita": "born",
}  # fmt: skip
YES_OR_NO: Mapping[str, bool] = {
    **dict.fromkeys(("1", "x", "yes", "y", "si", "sì", "s"), True),
    **dict.fromkeys(("", "0", "no", "n"), False),
}
SEXES: Mapping[str, str] = {"": "", "M": "M", "F": "F"}
HIGHEST = 99_999
HIGHEST_NUMBER = 10**9
_NUMBER = "_number"
Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class ListedCapital:
    """A row of a list: the player's standing and the facts about the person."""

    standing: DraughtsState
    number: int | None = None
    """The number in the register of the office that published the list."""

    federation: str = ""
    sex: str = ""
    born: int | None = None
    games: int = 0
    delisted: bool = False
    identifiers: tuple[tuple[str, str], ...] = ()
    """Numbers of other bodies, ordered by scheme."""


def read(data: bytes, category_of_capital: Mapping[int, Category] | None = None) -> tuple[DraughtsState, ...]:
    """Return the standings of a list file; see ``read_rows``."""
    return tuple(row.standing for row in read_rows(data, category_of_capital))


def read_rows(
    data: bytes, category_of_capital: Mapping[int, Category] | None = None
) -> tuple[ListedCapital, ...]:
    """Return the rows of a list file.

    ``category_of_capital`` gives the lowest capital of each category, for files without categories.
    """
    lines = read_text(data).lines
    head = next((line for line in lines if line.strip()), "")
    all_rows = csv_rows(lines, max(",;\t", key=head.count))
    rows = ((line, cells) for line, cells in all_rows if any(cell.strip() for cell in cells))
    line, first = next(rows, (1, []))
    headings = [_heading(cell) for cell in first]
    for column in NEEDED:
        if column not in headings:
            raise Unreadable("list-column", line=line, column_name=column, accepted=", ".join(COLUMNS))
    listed = tuple(
        _listed(dict(zip(headings, cells, strict=False)), line, category_of_capital or {}, headings)
        for line, cells in rows
    )
    if not listed:
        raise Unreadable("list-empty")
    return listed


def write(standings: Sequence[DraughtsState]) -> bytes:
    """Return the bytes of a list file."""
    rows = (
        (
            it.id, it.name, it.category, it.title or "", it.capital, "yes" if it.foreign else "no",
            it.last_event if it.history_known else UNKNOWN, it.idle_years, it.malus, it.fmjd or "",
        )
        for it in standings
    )  # fmt: skip
    return csv_text(COLUMNS, rows).encode("utf-8")


def _heading(cell: str) -> str:
    name = "_".join(cell.strip().casefold().split())
    return ITALIAN.get(name, name)


def _count(text: str, most: int) -> int:
    number = whole_number(text)
    if number is None or number > most:
        raise ValueError(text)
    return number


def _day(text: str) -> date | None:
    return date.fromisoformat(text) if text else None


def _name(text: str) -> str:
    if not text:
        raise ValueError(text)
    return text


@dataclass(frozen=True, slots=True)
class _Row:
    """The cells of a row; an invalid value raises with line and column."""

    cells: Mapping[str, str]
    line: int

    def text(self, column: str) -> str:
        return restore(self.cells.get(column, "").strip())

    def read(self, column: str, reader: Callable[[str], Value], accepted: str) -> Value:
        text = self.text(column)
        try:
            return reader(text)
        except (ValueError, KeyError, BadInput):
            facts = {"column_name": column, "given": text, "accepted": accepted}
            raise Unreadable("list-value", line=self.line, **facts) from None

    def number(self, column: str, most: int = HIGHEST) -> int | None:
        return self.read(column, lambda text: _count(text, most) if text else None, f"0–{most}")

    def category(self, capital: int | None, by_capital: Mapping[int, Category]) -> Category:
        if self.text("category"):
            return self.read("category", category_named, ", ".join(Category))
        reached = [category for start, category in by_capital.items() if (capital or 0) >= start]
        return max(reached, key=lambda category: category.rank, default=Category.PROVINCIALE)


def _listed(
    cells: Mapping[str, str], line: int, by_capital: Mapping[int, Category], headings: Sequence[str]
) -> ListedCapital:
    row = _Row(cells, line)
    capital = row.number("capital")
    published = PUBLISHED.issubset(headings)
    numbers = {
        column.removesuffix(_NUMBER): row.text(column) for column in headings if column.endswith(_NUMBER)
    }
    identifiers = tuple(sorted((scheme, number) for scheme, number in numbers.items() if number))
    unknown = "last_event" not in headings or row.text("last_event") == UNKNOWN
    standing = DraughtsState(
        name=row.read("name", _name, "…"),
        capital=capital,
        category=row.category(capital, by_capital),
        id=dict(identifiers).get("fid", "") if published else row.text("id"),
        title=row.read("title", lambda text: title_named(text) if text else None, ", ".join(Title)),
        foreign=row.read("foreign", lambda text: YES_OR_NO[text.casefold()], "yes, no"),
        last_event=None if unknown else row.read("last_event", _day, "2008-12-31"),
        history_known=not unknown,
        idle_years=row.number("idle_years") or 0,
        malus=row.number("malus") or 0,
        fmjd=row.number("fmjd"),
    )
    return ListedCapital(
        standing,
        row.number("id", HIGHEST_NUMBER) if published else None,
        row.text("federation"),
        row.read("sex", lambda text: SEXES[text.upper()], "M, F"),
        row.number("born"),
        row.number("games", HIGHEST_NUMBER) or 0,
        row.text("delisted") == "d",
        identifiers
        if published or not standing.id
        else tuple(sorted({"fid": standing.id, **dict(identifiers)}.items())),
    )
