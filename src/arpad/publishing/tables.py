"""Write a published list as CSV and as XLSX.

Files for programs have their rows by the register's number, with a flag for inactive players; sub-lists keep their
order.
"""

import re
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from html import escape as xml_escape
from io import BytesIO
from typing import IO, BinaryIO, TypeAlias
from zipfile import ZIP_DEFLATED, ZipFile

import polars as pl

from arpad.lists.published_table import NATIONAL, ListTable
from arpad.reports.formats.lists.list_csv import CHESS_COLUMNS
from arpad.reports.formats.sheet_grid import column_letters, plain
from arpad.system.spreadsheet_cells import escape
from arpad.system.text_columns import change_texts, joined_lines, write_lines

_COLUMNS = {
    "title": CHESS_COLUMNS,
    "category": (
        "id", "name", "category", "title", "capital", "games", "federation", "sex", "born", "delisted", "foreign",
        "last_event", "idle_years", "malus", "fmjd",
    ),
}  # fmt: skip
"""By what a list shows beside the rating."""

_SOURCES = {"id": "player", "capital": "rating"}
"""The columns of a list that a CSV calls by another name."""

_STATE = pl.col("state")
_KNOWN = _STATE.str.json_path_match("$.history_known") == "true"
_OF_STATE = {
    "foreign": pl.when(_STATE.str.json_path_match("$.foreign") == "true")
    .then(pl.lit("yes"))
    .otherwise(pl.lit("no")),
    "last_event": pl.when(_KNOWN).then(_STATE.str.json_path_match("$.last_event")).otherwise(pl.lit("?")),
    "idle_years": _STATE.str.json_path_match("$.idle_years").fill_null("0"),
    "malus": _STATE.str.json_path_match("$.malus").fill_null("0"),
    "fmjd": _STATE.str.json_path_match("$.fmjd"),
}
"""The columns of a draughts CSV that carry the state, so that another office can go on from the file."""

_FLAGS = {
    name: pl.when(name).then(pl.lit(sign)).otherwise(pl.lit(""))
    for name, sign in (("inactive", "i"), ("delisted", "d"))
}


# ------------------------------------------------------------------------------------------------------- CSV


def _columns(table: ListTable) -> tuple[str, ...]:
    """Return the columns of a CSV; a list that is made from its canonical text alone has no state."""
    if table.on_list.is_own:
        return ("id", "name", "federation", "born", "rating", "printed", *table.columns, "played", "change")
    with_state = "state" in table.frame.columns
    return tuple(name for name in _COLUMNS[table.system.grade] if with_state or name not in _OF_STATE)


def csv_heading(table: ListTable) -> str:
    """Return the first line of a CSV: column names in English in every language, since programs read them.

    Other bodies get a column for their numbers at the end.
    """
    columns = (*_columns(table), *(["category"] if table.has_national else []))
    return ",".join([*columns, *(_cell(f"{scheme}_number") for scheme in table.schemes)]) + _LINE_END


def csv_lines(table: ListTable) -> bytes:
    """Return the line of each player, by number; it is the same in every list with that player."""
    columns = _columns(table)
    fields_of = {**_FLAGS, **(_OF_STATE if table.system.has_categories else _of_own_list(table))}
    own = [fields_of.get(name, pl.col(_SOURCES.get(name, name))).alias(name) for name in columns]
    national = [pl.col(NATIONAL).alias("category")] if table.has_national else []
    rows = _in_cells(table.frame.select(*own, *national).hstack(table.numbers))
    return joined_lines(rows, separator=_COMMA, end=_LINE_END)


def _of_own_list(table: ListTable) -> dict[str, pl.Expr]:
    """Return what the list of a rating system has in columns of another name, by name."""
    if not table.on_list.is_own:
        return {}
    own = system_columns(table.columns)
    return {**own, "printed": pl.col("category"), "played": pl.col("games"), "change": pl.col("k")}


def system_columns(columns: Iterable[str]) -> dict[str, pl.Expr]:
    """Return the columns that a rating system adds, by name."""
    parts = pl.col("own").str.split("\t")
    return {name: parts.list.get(place, null_on_oob=True) for place, name in enumerate(columns, start=1)}


_COMMA = ","
_LINE_END = "\r\n"


def _in_cells(fields: pl.DataFrame) -> pl.DataFrame:
    """Return the fields with texts as ``_cell`` writes them."""
    cells = change_texts(fields, ~_TEXTS.str.contains(_SIMPLE), _cell)
    commas = cells.select(_TEXTS.str.contains(_COMMA, literal=True))
    return cells.with_columns(
        pl.when(pl.lit(it) & ~pl.col(it.name).str.starts_with('"'))
        .then(pl.concat_str(pl.lit('"'), it.name, pl.lit('"')))
        .otherwise(it.name)
        .alias(it.name)
        for it in commas
        if it.any()
    )


_TEXTS = pl.col(pl.String)


_LETTER = r"A-Za-z\u{C0}-\u{D6}\u{D8}-\u{F6}\u{F8}-\u{24F}"
_SIMPLE = rf"^(?:[{_LETTER}](?:[{_LETTER}0-9 ,.'-]*[{_LETTER}0-9,.'-])?|[A-Za-z0-9]*)$"
"""Most texts: ``_cell`` returns them as they are, or in quotes if they have a comma."""


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

Worksheet: TypeAlias = tuple[str, str, Sequence[tuple[str, int]], pl.DataFrame]
"""Name, title, columns (heading and width in characters), rows."""

_HEADING = 2
"""The row of the headings, counted from zero; the players follow."""


def write_xlsx(worksheets: Sequence[Worksheet], stream: BinaryIO, title: str) -> None:
    """Write a workbook with one worksheet for each list: a title, a frozen heading, filters.

    The library writes a workbook without players, cell by cell; their rows are added from columns to its worksheets.
    """
    with ZipFile(_empty_workbook(worksheets, title)) as empty, ZipFile(stream, "w", ZIP_DEFLATED) as workbook:
        rows = {f"xl/worksheets/sheet{n}.xml": sheet[3] for n, sheet in enumerate(worksheets, start=1)}
        for member in empty.infolist():
            data = empty.read(member)
            with workbook.open(member, "w") as part:
                if member.filename in rows:
                    _write_sheet(data, rows[member.filename], part)
                else:
                    part.write(data)


def _write_sheet(data: bytes, rows: pl.DataFrame, part: IO[bytes]) -> None:
    """Write a worksheet with rows after its heading."""
    before, end, after = data.partition(b"</sheetData>")
    last = f"{column_letters(rows.width)}{_HEADING + 1}"
    part.write(before.replace(f':{last}"'.encode(), f':{last[:-1]}{_HEADING + 1 + len(rows)}"'.encode(), 1))
    texts = change_texts(rows, ~_TEXTS.str.contains(_SIMPLE), _sheet_text)
    lines = pl.int_range(_HEADING + 2, pl.len() + _HEADING + 2).cast(pl.String).alias(_ROW)
    write_lines(texts.with_columns(lines), [_row_text(rows.schema)], part, end="")
    part.write(end + after)


def _empty_workbook(worksheets: Sequence[Worksheet], title: str) -> BytesIO:
    import xlsxwriter

    out = BytesIO()
    workbook = xlsxwriter.Workbook(out, {"constant_memory": True})
    workbook.set_properties({"title": title, "created": _CREATED})
    bold = workbook.add_format({"bold": True, "font_size": 14})
    heading = workbook.add_format(
        {"bold": True, "font_color": "#ffffff", "bg_color": "#14573f", "border": 1, "border_color": "#9aa5b1"}
    )
    for name, words, columns, rows in worksheets:
        sheet = workbook.add_worksheet(name.translate(_NO_NAME)[:_NAME_LENGTH])
        for column, (_, width) in enumerate(columns):
            sheet.set_column(column, column, width)
        sheet.write_string(0, 0, escape(plain(words)), bold)
        for column, (text, _) in enumerate(columns):
            sheet.write_string(_HEADING, column, escape(plain(text)), heading)
        sheet.freeze_panes(_HEADING + 1, 0)
        sheet.autofilter(_HEADING, 0, _HEADING + len(rows), len(columns) - 1)
        sheet.ignore_errors({"number_stored_as_text": "A1:XFD1048576"})
        sheet.set_landscape()
        sheet.set_paper(9)
        sheet.fit_to_pages(1, 0)
        sheet.repeat_rows(_HEADING)
    workbook.close()
    return out


_ROW = "row of the sheet"


def _sheet_text(text: str) -> str:
    """Return a text that no program takes for a formula or an escape, as XML."""
    return xml_escape(_SHEET_ESCAPE.sub(r"_x005F\1", escape(plain(text))), quote=False)


_SHEET_ESCAPE = re.compile(r"(_x[0-9a-fA-F]{4}_)")


def _row_text(schema: pl.Schema) -> pl.Expr:
    cells = [
        _cell_text(name, column_letters(number), text=kind == pl.String)
        for number, (name, kind) in enumerate(schema.items(), start=1)
    ]
    return pl.concat_str(pl.lit('<row r="'), _ROW, pl.lit('">'), *cells, pl.lit("</row>"))


def _cell_text(name: str, letters: str, *, text: bool) -> pl.Expr:
    """Return the cell of a column in each row: a number, a text, or nothing."""
    start, end = ('" t="inlineStr"><is><t>', "</t></is></c>") if text else ('"><v>', "</v></c>")
    cell = pl.concat_str(pl.lit(f'<c r="{letters}'), _ROW, pl.lit(start), name, pl.lit(end))
    filled = pl.col(name) != "" if text else pl.col(name).is_not_null()
    return pl.when(filled).then(cell).otherwise(pl.lit(""))
