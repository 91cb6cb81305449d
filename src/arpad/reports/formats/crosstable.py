"""Cross-table in a sheet: one row per player, one column per round; without round columns a table of players."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from arpad.model.errors import Unreadable
from arpad.model.rules import Severity
from arpad.reports.formats.findings import Notes
from arpad.reports.formats.pairings import refuse_too_many
from arpad.reports.formats.round_cell import (
    EMPTY,
    Habits,
    ParsedCell,
    habits_of,
    known,
    read_cell,
    write_cell,
)
from arpad.reports.formats.sheet_grid import Points, Value, plain
from arpad.reports.formats.sheet_tables import SERIAL_DAY, Cells, Table, shown
from arpad.reports.formats.sheet_words import heading, round_letter
from arpad.reports.formats.written_values import half_points
from arpad.reports.report import Entrant, Report, Result, Round, Team

WRITTEN = ("number", "title", "name", "sex", "federation", "born", "id", "rating", "k", "points", "rank")
"""The columns of a table of players, in the order in which they are written."""

_SEXES = {
    "m": "m",
    "w": "w",
    "f": "w",
    "d": "w",
    "u": "m",
    "male": "m",
    "female": "w",
    "maschio": "m",
    "femmina": "w",
}


def read_entrants(table: Table, notes: Notes) -> tuple[Entrant, ...]:
    """Return the players; if the table has no numbers, they are numbered in order."""
    numbered = "number" in table.heading.fields
    return tuple(
        _entrant(Cells(table, row, notes), None if numbered else position)
        for position, row in enumerate(table.rows, start=1)
    )


def _entrant(cells: Cells, position: int | None) -> Entrant:
    return Entrant(
        number=_number(cells) if position is None else position,
        name=_name(cells),
        rating=cells.whole("rating"),
        sex=_sex(cells),
        title=cells.text("title"),
        federation=cells.text("federation"),
        id=cells.text("id"),
        born=cells.born(),
        half_points=_points(cells),
        rank=cells.whole("rank", none=""),
        k=cells.whole("k", none=""),
        line=cells.row.line,
    )


def _number(cells: Cells) -> int:
    """Return the start number; it is required, since the cells of opponents refer to it."""
    text = cells.text("number").rstrip(".")
    if text.isascii() and text.isdigit() and len(text) <= 6 and int(text):  # noqa: PLR2004  as in a round cell
        return int(text)
    column = cells.table.heading.fields["number"]
    cell = cells.table.sheet.address(cells.row.line, column)
    raise Unreadable("sheet-start-number", line=cells.row.line, column=column, cell=cell, text=shown(text))


def _name(cells: Cells) -> str:
    surname, name = cells.text("surname"), cells.text("name")
    return f"{surname}, {name}" if surname and name else surname or name


def _sex(cells: Cells) -> str:
    text = cells.text("sex")
    if text and text.casefold() not in _SEXES:
        cells.complain("sheet-sex", "sex")
    return _SEXES.get(text.casefold(), "")


def _points(cells: Cells) -> int | None:
    text = cells.text("points")
    if not text:
        return None
    halves = half_points(text.replace("½", ".5").replace(" ", ""))
    if halves is None:
        cells.complain("sheet-points", "points")
    return halves


def read_teams(table: Table, entrants: Sequence[Entrant]) -> tuple[Team, ...]:
    """Return the teams of a column, in the order of appearance."""
    column = table.heading.fields.get("team", 0)
    members: dict[str, list[int]] = {}
    for row, entrant in zip(
        table.rows, entrants, strict=False
    ):  # those after the table were met in games only
        if column in row.cells:
            members.setdefault(row.cells[column], []).append(entrant.number)
    return tuple(Team(name, tuple(numbers)) for name, numbers in members.items())


def read_rounds(table: Table, notes: Notes) -> tuple[Round, ...]:
    """Return the rounds; a round without a column has no games."""
    columns = table.heading.rounds
    refuse_too_many(len(table.rows), max(columns, default=0))
    texts = (row.cells[column] for row in table.rows for column in columns.values() if column in row.cells)
    habits = habits_of(texts)
    if habits is None:
        raise Unreadable("sheet-two-languages", line=table.line, column=min(columns.values()))
    return tuple(
        _round(table, number, columns.get(number, 0), habits, notes)
        for number in range(1, max(columns, default=0) + 1)
    )


def _round(table: Table, number: int, column: int, habits: Habits, notes: Notes) -> Round:
    cells = []
    for row in table.rows:
        text = row.cells.get(column, "")
        cell = read_cell(text, habits)
        code = _trouble(text, cell)
        if code:
            address = table.sheet.address(row.line, column)
            severity = Severity.WARNING if code == "sheet-cell-no-result" else Severity.ERROR
            notes.add(severity, code, row.line, column, round=number, cell=address, text=shown(text))
        cells.append(cell or EMPTY)
    return Round(
        tuple(cell.opponent for cell in cells),
        "".join(cell.colour for cell in cells),
        "".join(cell.result for cell in cells),
    )


def _trouble(text: str, cell: ParsedCell | None) -> str:
    """Return the code of the problem of a cell."""
    if cell is None:
        return "sheet-cell-is-a-day" if SERIAL_DAY.fullmatch(text) else "sheet-cell"
    if cell.opponent and cell.result == Result.NONE:
        # +12 typed into a spreadsheet program is kept as the number 12
        return "sheet-cell-is-a-day" if SERIAL_DAY.fullmatch(text) else "sheet-cell-no-result"
    return "" if known(cell) else "sheet-cell-result"


# --------------------------------------------------------------------------------------------- writing


def player_rows(report: Report, language: str, notes: Notes, *, rounds: bool) -> Iterator[Sequence[Value]]:
    """Return the heading and one row per player, with or without rounds."""
    headings: list[Value] = [heading("player", name, language) for name in WRITTEN]
    letter = round_letter(language)
    shown_rounds = report.rounds if rounds else ()
    yield [*headings, *(f"{letter}{number}" for number in range(1, len(shown_rounds) + 1))]
    for index, entrant in enumerate(report.entrants):
        cells = [
            _written(cells, index, entrant, number, notes)
            for number, cells in enumerate(shown_rounds, start=1)
        ]
        yield [*_fixed(entrant), *cells]


def _fixed(entrant: Entrant) -> list[Value]:
    """Return the fields of a player, in the order of the columns."""
    points = None if entrant.half_points is None else Points(entrant.half_points)
    return [
        entrant.number, entrant.title, entrant.name, entrant.sex, entrant.federation, entrant.born, entrant.id,
        entrant.rating, entrant.k, points, entrant.rank,
    ]  # fmt: skip


def _written(cells: Round, index: int, entrant: Entrant, number: int, notes: Notes) -> str:
    cell = ParsedCell(cells.opponents[index], cells.colours[index], cells.results[index])
    text = write_cell(cell)
    if text is None:
        cell_text = f"{cell.opponent} {cell.colour} {plain(cell.result)}"
        notes.add(Severity.WARNING, "lost-cell", player=entrant.number, round=number, number=entrant.number,
                  in_round=number, text=cell_text)  # fmt: skip
        text = write_cell(replace_unwritable(cell))
    return text or ""


def replace_unwritable(cell: ParsedCell) -> ParsedCell:
    """Return the cell without its result, and without a colour that cannot be written."""
    return ParsedCell(cell.opponent, cell.colour if cell.colour in "wb- " else " ", Result.NONE)
