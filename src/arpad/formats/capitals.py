"""A draughts list as a CSV file: one row a player, one column a fact; the same table reads and writes it.

``name`` and ``capital`` are needed, the rest may be missing. Without ``last_event`` nobody can say whose first event
of the year it is. Text that a spreadsheet would take for a formula is written with an apostrophe before it.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from datetime import date

from arpad.capitals import Category, Standing, Title, category_named, title_named
from arpad.cells import escape, restore
from arpad.errors import BadInput, Unreadable
from arpad.formats.encoding import read_text
from arpad.formats.numbers import whole_number

COLUMNS = (
    "id", "name", "category", "title", "capital", "foreign", "last_event", "idle_years", "malus", "fmjd",
)  # fmt: skip
NEEDED = ("name", "capital")
ITALIAN: Mapping[str, str] = {
    "tessera": "id", "nome": "name", "giocatore": "name", "categoria": "category", "titolo": "title",
    "capitale": "capital", "straniero": "foreign", "ultima_gara": "last_event", "anni_senza_gare": "idle_years",
    "punti_defalcati": "malus", "rating_fmjd": "fmjd",
}  # fmt: skip
YES = frozenset({"1", "x", "yes", "y", "si", "sì", "s"})
NO = frozenset({"", "0", "no", "n"})
HIGHEST = 99_999


def read(data: bytes, category_of_capital: Mapping[int, Category] | None = None) -> tuple[Standing, ...]:
    """The players of a list file.

    ``category_of_capital`` gives the category from which each capital up is worth where the file names none.
    """
    rows = _rows(read_text(data).lines)
    line, first = next(rows, (1, []))
    headings = [_heading(cell) for cell in first]
    for column in NEEDED:
        if column not in headings:
            raise Unreadable("list-column", line=line, column_name=column, accepted=", ".join(COLUMNS))
    standings = tuple(
        _standing(dict(zip(headings, cells, strict=False)), line, category_of_capital or {}, headings)
        for line, cells in rows
    )
    if not standings:
        raise Unreadable("list-empty")
    return standings


def _rows(lines: Sequence[str]) -> Iterator[tuple[int, list[str]]]:
    """The rows that hold something, each with its line; the first of them shows what stands between cells."""
    first = next((line for line in lines if line.strip()), "")
    rows = csv.reader(lines, delimiter=max(",;\t", key=first.count), strict=True)
    line = 1
    try:
        for cells in rows:
            if any(cell.strip() for cell in cells):
                yield line, cells
            line = rows.line_num + 1
    except csv.Error:
        raise Unreadable("sheet-quotes", line=line, column=1) from None


def write(standings: Sequence[Standing]) -> bytes:
    """The bytes of a list file."""
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(COLUMNS)
    for standing in standings:
        rows.writerow(
            (
                escape(standing.id),
                escape(standing.name),
                standing.category,
                standing.title or "",
                "" if standing.capital is None else standing.capital,
                "yes" if standing.foreign else "no",
                standing.last_event or "",
                standing.idle_years,
                standing.malus,
                standing.fmjd or "",
            )
        )
    return out.getvalue().encode("utf-8")


def _heading(cell: str) -> str:
    name = "_".join(cell.strip().casefold().split())
    return ITALIAN.get(name, name)


class _Row:
    """One row while it is read: every value that cannot be accepted names its line and column."""

    def __init__(self, cells: Mapping[str, str], line: int) -> None:
        self.cells = cells
        self.line = line

    def text(self, column: str) -> str:
        return restore(self.cells.get(column, "").strip())

    def refuse(self, column: str, accepted: str) -> Unreadable:
        return Unreadable(
            "list-value", line=self.line, column_name=column, given=self.text(column), accepted=accepted
        )

    def number(self, column: str) -> int | None:
        text = self.text(column)
        if not text:
            return None
        number = whole_number(text)
        if number is None or number > HIGHEST:
            raise self.refuse(column, f"0–{HIGHEST}")
        return number

    def yes(self, column: str) -> bool:
        text = self.text(column).casefold()
        if text not in YES | NO:
            raise self.refuse(column, "yes, no")
        return text in YES

    def day(self, column: str) -> date | None:
        text = self.text(column)
        try:
            return date.fromisoformat(text) if text else None
        except ValueError:
            raise self.refuse(column, "2008-12-31") from None

    def title(self) -> Title | None:
        text = self.text("title")
        if not text:
            return None
        try:
            return title_named(text)
        except BadInput:
            raise self.refuse("title", ", ".join(Title)) from None

    def category(self, capital: int | None, by_capital: Mapping[int, Category]) -> Category:
        text = self.text("category")
        if not text:
            reached = [category for start, category in by_capital.items() if (capital or 0) >= start]
            return max(reached, key=lambda category: category.rank, default=Category.PROVINCIALE)
        try:
            return category_named(text)
        except BadInput:
            raise self.refuse("category", ", ".join(Category)) from None


def _standing(
    cells: Mapping[str, str], line: int, by_capital: Mapping[int, Category], headings: Sequence[str]
) -> Standing:
    row = _Row(cells, line)
    capital = row.number("capital")
    if not row.text("name"):
        raise row.refuse("name", "…")
    return Standing(
        name=row.text("name"),
        capital=capital,
        category=row.category(capital, by_capital),
        id=row.text("id"),
        title=row.title(),
        foreign=row.yes("foreign"),
        last_event=row.day("last_event"),
        history_known="last_event" in headings,
        idle_years=row.number("idle_years") or 0,
        malus=row.number("malus") or 0,
        fmjd=row.number("fmjd"),
    )
