"""Write a published list as FIDE's text and XML, as CSV and as XLSX.

Files for programs have their rows by the register's number, with a flag for inactive players; sub-lists keep their
order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import BinaryIO, NamedTuple, TypeAlias

from arpad.lists.published import ListedPlayer, PublishedList
from arpad.lists.published_rows import FideRows, fide_rows
from arpad.model.disciplines import CHESS, DRAUGHTS, Discipline
from arpad.model.rules import Finding
from arpad.publishing.fide_list import write_list
from arpad.reports.formats.lists.list_csv import CHESS_COLUMNS
from arpad.reports.formats.sheet_grid import plain
from arpad.system.spreadsheet_cells import escape

Value: TypeAlias = str | int | None

_DRAUGHTS_COLUMNS = (
    "id", "name", "category", "title", "capital", "games", "federation", "sex", "born", "delisted",
)  # fmt: skip


# ----------------------------------------------------------------------------------------- FIDE's two layouts


def write_fide(
    published: PublishedList, stream: BinaryIO, layout: str, computed: FideRows | None = None
) -> tuple[Finding, ...]:
    """Write FIDE's text (``single``) or XML (``xml``); return findings about what did not fit (7.12, 7.1.2).

    ``computed`` are the rows of the list, if they are known.
    """
    rows, left_out = computed or fide_rows(published)
    own_numbers = any(row.number is not None for row in rows)
    return (*left_out, *write_list(rows, stream, layout, published.day, own_numbers=own_numbers))


# ------------------------------------------------------------------------------------------------------- CSV


def csv_heading(schemes: Sequence[str], *, discipline: Discipline) -> str:
    """Return the first line of a CSV: column names in English in every language, since programs read them.

    ``schemes`` are the other bodies whose numbers get a column at the end.
    """
    columns = _LAYOUTS[discipline].columns
    return ",".join([*columns, *(_cell(f"{scheme}_number") for scheme in schemes)]) + "\r\n"


def csv_lines(
    rows: Iterable[ListedPlayer], schemes: Sequence[str], *, discipline: Discipline
) -> Iterator[str]:
    """Yield a line for each player, with its end; it is the same in every list with that player."""
    values = _LAYOUTS[discipline].values
    cell = _cell
    for row in rows:
        numbers = dict(row.identifiers)
        columns = ",".join([cell(numbers.get(scheme, "")) for scheme in schemes])
        yield f"{values(row)},{columns}\r\n" if schemes else f"{values(row)}\r\n"


def _chess_values(row: ListedPlayer) -> str:
    (
        player, name, federation, sex, title, women_title, other_titles, _, rating, games, k, born, inactive,
        delisted, _,
    ) = row  # fmt: skip
    return (
        f"{player},{_cell(name)},{_cell(federation)},{sex},{_cell(title)},{_cell(women_title)},{_cell(other_titles)},"
        f"{'' if rating is None else rating},{games},{'' if k is None else k},{'' if born is None else born},"
        f"{'i' if inactive else ''},{'d' if delisted else ''}"
    )


def _draughts_values(row: ListedPlayer) -> str:
    texts = (
        row.player, _cell(row.name), _cell(row.category), _cell(row.title), row.rating, row.games,
        _cell(row.federation), _cell(row.sex), row.born, "d" if row.delisted else "",
    )  # fmt: skip
    return ",".join(["" if text is None else str(text) for text in texts])


class _Layout(NamedTuple):
    """The columns of a CSV, and the values of a row."""

    columns: tuple[str, ...]
    values: Callable[[ListedPlayer], str]


_LAYOUTS = {
    CHESS: _Layout(CHESS_COLUMNS, _chess_values),
    DRAUGHTS: _Layout(_DRAUGHTS_COLUMNS, _draughts_values),
}


def _cell(text: str) -> str:
    """Return a text on one line that no program takes for a formula, in quotes if needed."""
    if not text or (text.isalnum() and text.isascii()):
        return text
    if not (text.isprintable() and text[0].isalpha() and text[-1] != " "):
        text = escape(plain(text))
    if '"' in text:
        text = text.replace('"', '""')
    elif "," not in text:
        return text
    return f'"{text}"'


# ------------------------------------------------------------------------------------------------------ XLSX

_CREATED = datetime(2000, 1, 1, tzinfo=UTC).replace(tzinfo=None)  # fixed: equal lists give equal bytes
_NAME_LENGTH = 31
_NO_NAME = str.maketrans(dict.fromkeys("[]:*?/\\'", "-"))

Worksheet: TypeAlias = tuple[str, str, Sequence[tuple[str, int]], Iterable[Sequence[Value]]]
"""Name, title, columns (heading and width in characters), rows."""


def write_xlsx(worksheets: Sequence[Worksheet], stream: BinaryIO, title: str) -> None:
    """Write a workbook with one worksheet for each list: a title, a frozen heading, filters."""
    import xlsxwriter

    options = {
        "constant_memory": True,
        "strings_to_formulas": False,
        "strings_to_numbers": False,
        "strings_to_urls": False,
    }
    workbook = xlsxwriter.Workbook(stream, options)
    workbook.set_properties({"title": title, "created": _CREATED})
    bold = workbook.add_format({"bold": True, "font_size": 14})
    heading = workbook.add_format(
        {"bold": True, "font_color": "#ffffff", "bg_color": "#1f3a54", "border": 1, "border_color": "#9aa5b1"}
    )
    for name, words, columns, rows in worksheets:
        sheet = workbook.add_worksheet(name.translate(_NO_NAME)[:_NAME_LENGTH])
        for column, (_, width) in enumerate(columns):
            sheet.set_column(column, column, width)
        sheet.write_string(0, 0, escape(plain(words)), bold)
        for column, (text, _) in enumerate(columns):
            sheet.write_string(2, column, escape(plain(text)), heading)
        last = 2
        for last, row in enumerate(rows, start=3):
            for column, value in _filled_cells(row):
                if isinstance(value, int):
                    sheet.write_number(last, column, value)
                else:
                    sheet.write_string(last, column, value)
        sheet.freeze_panes(3, 0)
        sheet.autofilter(2, 0, last, len(columns) - 1)
        sheet.ignore_errors({"number_stored_as_text": "A1:XFD1048576"})
        sheet.set_landscape()
        sheet.set_paper(9)
        sheet.fit_to_pages(1, 0)
        sheet.repeat_rows(2)
    workbook.close()


def _filled_cells(row: Sequence[Value]) -> Iterator[tuple[int, int | str]]:
    """Yield the cells with content: numbers, and texts that no program takes for a formula."""
    for column, value in enumerate(row):
        if isinstance(value, str):
            if value:
                yield column, escape(plain(value))
        elif value is not None:
            yield column, value
