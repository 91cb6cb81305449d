"""Reports in spreadsheets, CSV or XLSX: as a cross-table, or as a list of games.

The heading shows which of the two a file is. The facts about the event are in lines above the table (CSV) or on a
worksheet of their own (XLSX, where lines above are read too).
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property
from itertools import chain, zip_longest

from arpad.model.errors import BadInput, Unreadable
from arpad.model.exact import decimal_text, points
from arpad.model.rules import Finding, Severity
from arpad.reports.formats import crosstable, sheet_xlsx
from arpad.reports.formats import sheet_games as games_sheet
from arpad.reports.formats.crosstable import Habits, ParsedCell, habits_of, rewrite_cell
from arpad.reports.formats.encoding import read_text
from arpad.reports.formats.findings import Notes, record_losses
from arpad.reports.formats.pairings import EntrantIndex, rounds_of
from arpad.reports.formats.sheet_games import SheetFacts, dated, event_rows
from arpad.reports.formats.sheet_grid import Sheet, SheetRow, Value, cell_spans, plain, read_grid, write_grid
from arpad.reports.formats.sheet_tables import SERIAL_DAY, Place, SheetContents, Table, find_tables, score
from arpad.reports.formats.sheet_words import heading
from arpad.reports.formats.trf_columns import TAG_FIELDS
from arpad.reports.formats.written_values import digits
from arpad.reports.report import Cell, Entrant, FileMap, Header, Report, Round, Spot, TextEdit
from arpad.system.spreadsheet_cells import escape

FORMATS = ("crosstable", "games", "crosstable-xlsx", "games-xlsx")
_SUFFIX = "-xlsx"
_MOST_WIDE = 40


def read(data: bytes, name: str = "") -> Report:  # noqa: ARG001  all readers are called alike
    """Return the report in a sheet."""
    if data.startswith(b"PK\x03\x04"):
        return _report(sheet_xlsx.read_workbook(data), (), Notes(), _SUFFIX)
    text = read_text(data)
    sheet = read_grid(text.lines, score)
    try:
        return _report((sheet,), text.lines, Notes(list(text.findings)), "", text.encoding)
    except Unreadable as error:
        raise _at_character(error, sheet, text.lines) from None


def _at_character(error: Unreadable, sheet: Sheet, lines: tuple[str, ...]) -> Unreadable:
    """Return an error with the character of its cell instead of the number of its column."""
    line, column = error.facts.get("line"), error.facts.get("column")
    if not isinstance(line, int) or not isinstance(column, int):
        return error
    file_map = SheetMap((sheet,), SheetContents(), {}, {}, lines, delimiter=sheet.delimiter)
    spot = file_map.spot(Place(sheet, line, column))
    return Unreadable(error.code, **{**error.facts, "column": spot.column or 1})


def _report(
    sheets: Sequence[Sheet], source: tuple[str, ...], notes: Notes, suffix: str, encoding: str = "utf-8"
) -> Report:
    contents = find_tables(sheets, notes)
    facts = SheetFacts(notes)
    games: dict[tuple[int, int], int] = {}
    for sheet, row in contents.event:
        facts.take(sheet, row)
    entrants = crosstable.read_entrants(contents.players, notes) if contents.players else ()
    if contents.games:
        roster = EntrantIndex(entrants)
        pairings = games_sheet.read_pairings(contents.games, roster, notes)
        entrants = roster.entrants()
        rounds = rounds_of(pairings, entrants, notes)
        for pairing in reversed(pairings):
            games |= {(number, pairing.round): pairing.line or 0 for number in (pairing.white, pairing.black)}
    else:
        rounds = crosstable.read_rounds(contents.players, notes) if contents.players else ()
    if not entrants:
        table = contents.players or contents.games
        raise Unreadable("sheet-no-rows", line=table.line if table else 1, column=1)
    teams = crosstable.read_teams(contents.players, entrants) if contents.players and not facts.teams else ()
    delimiter = sheets[0].delimiter if source else ""
    file_map = SheetMap(sheets, contents, facts.places, facts.day_places, source, games, delimiter)
    return Report(
        header=facts.header(len(rounds)),
        entrants=entrants,
        rounds=dated(rounds, facts.days),
        teams=tuple(facts.teams) or teams,
        format=("games" if contents.games else "crosstable") + suffix,
        source=source,
        findings=tuple(file_map.placed(finding) for finding in notes.all()),
        encoding=encoding,
        file_map=file_map,
    )


def template(layout: str, language: str, kind: str = "xlsx") -> bytes:
    """Return a sheet to fill in: every common fact about the event, and an example of each kind of cell."""
    format_name = layout + (_SUFFIX if kind == "xlsx" else "")
    if format_name not in FORMATS or kind not in ("csv", "xlsx"):
        raise BadInput("format-unknown", format=f"{layout} ({kind})", accepted=FORMATS)
    return write(EXAMPLE, format_name, language, blank=True)[0]


def write(
    report: Report,
    format: str,  # noqa: A002  as the protocol of formats names it
    language: str = "en",
    *,
    blank: bool = False,
) -> tuple[bytes, tuple[Finding, ...]]:
    """Return the bytes of a sheet with headings in a language, and findings about what it cannot express.

    With ``blank`` it also has the common facts about the event that have no value.
    """
    if format not in FORMATS:
        raise BadInput("format-unknown", format=format, accepted=FORMATS)
    notes = Notes(list(record_losses(report, teams=True)))
    tables = {**_tables(report, format, language, notes), "event": event_rows(report, language, blank=blank)}
    clean = [
        (heading("sheet", kind, language), [_clean(row, notes) for row in rows])
        for kind, rows in tables.items()
    ]
    if format.endswith(_SUFFIX):
        return sheet_xlsx.write_workbook(clean, [_widths(rows) for _, rows in clean]), notes.all()
    parts = [clean[-1], *reversed(clean[:-1])]
    rows = [row for _, part in parts if part for row in (*part, ())][:-1]
    decimal_comma = heading("sheet", "decimal", language) == ","
    return write_grid(rows, decimal_comma=decimal_comma), notes.all()


def _tables(report: Report, layout: str, language: str, notes: Notes) -> dict[str, Iterable[Sequence[Value]]]:
    """Return the tables of a layout, the main one first; a list of games cannot tell repeated start numbers apart."""
    if layout.startswith("crosstable"):
        return {"crosstable": crosstable.player_rows(report, language, notes, rounds=True)}
    for index, entrant in enumerate(report.entrants):
        if report.places[entrant.number] != index:
            notes.add(Severity.WARNING, "lost-number", player=entrant.number, number=entrant.number)
    return {
        "games": games_sheet.game_rows(report, language, notes),
        "players": crosstable.player_rows(report, language, notes, rounds=False),
    }


def _clean(row: Sequence[Value], notes: Notes) -> list[Value]:
    """Return the row without characters that a cell cannot contain."""
    cleaned: list[Value] = [plain(value) if isinstance(value, str) else value for value in row]
    for before, after in zip(row, cleaned, strict=True):
        if isinstance(before, str) and before.strip() != after:
            notes.add(Severity.WARNING, "lost-letters", text=str(after))
    return cleaned


def _widths(rows: Sequence[Sequence[Value]]) -> list[int]:
    """Return the display width of each column."""
    return [
        min(_MOST_WIDE, max(6, *(2 + len("" if value is None else str(value)) for value in column)))
        for column in zip_longest(*rows)
    ]


# ------------------------------------------------------------------------------------------ the example

EXAMPLE = Report(
    header=Header(
        name="Open di esempio / Example open",
        city="Trani",
        federation="ITA",
        first_day=date(2024, 3, 1),
        last_day=date(2024, 3, 3),
        chief_arbiter="Conti, Elena",
        time_control="90 min + 30 sec",
    ),
    entrants=(
        Entrant(1, "Serra, Paolo", 2105, "m", "FM", "ITA", "900001", date(1988, 5, 17)),
        Entrant(2, "Villa, Irene", 1980, "w", "", "ITA", "900002", 1999),
        Entrant(3, "Costa, Dario", 1745, "m", "", "ITA", "900003", 2008),
        Entrant(4, "Longo, Marta", None, "w", "", "ITA"),
        Entrant(5, "Riva, Aldo", 1602, "m", "", "ITA", "900005", 1961),
    ),
    rounds=(
        Round((3, 4, 1, 2, 0), "wbbw-", "1100U", date(2024, 3, 1)),
        Round((2, 1, 5, 0, 3), "bww-b", "==+Z-", date(2024, 3, 2)),
        Round((5, 3, 2, 0, 1), "wwb-b", "1==H0", date(2024, 3, 3)),
    ),
)
"""Five invented players: played games, a forfeit and three kinds of bye."""


# ---------------------------------------------------------------------------------------- where values are
@dataclass(frozen=True)
class SheetMap(FileMap):
    """The tables of a spreadsheet."""

    sheets: Sequence[Sheet]
    contents: SheetContents
    facts: Mapping[str, Place]
    round_days: Mapping[int, Place]
    source: Sequence[str] = ()
    """The lines of a CSV file; empty for a workbook."""

    games: Mapping[tuple[int, int], int] = field(default_factory=dict)
    """The line of each game in a list of games, by start number and round."""

    delimiter: str = ""

    # ------------------------------------------------------------------------------------------ places

    def spot(self, place: Place) -> Spot:
        """Return the place of a cell: its first character, or in a workbook its address."""
        sheet, line, column = place
        if not self.source:
            return Spot(line, column, sheet.address(line, column))
        span = self._span(line, column)
        if span is None:
            return Spot(line)
        text = self.source[line - 1][span[0] : span[1]]
        return Spot(line, span[0] + 1 + len(text) - len(text.lstrip(' "\u00a0')))

    def placed(self, finding: Finding) -> Finding:
        """Return a finding of the reader with the character of its cell instead of the number of its column."""
        if not self.source or "cell" not in finding.facts or not finding.line or not finding.column:
            return finding
        place = Place(self.sheets[0], finding.line, finding.column)
        return replace(finding, column=self.spot(place).column)

    def _span(self, line: int, column: int) -> tuple[int, int] | None:
        """Return where a cell of a CSV file begins and ends; at the end of the line if it is missing."""
        ends = self._ends(line)
        if not ends:
            return None
        if column > len(ends) // 2:
            return ends[-1], ends[-1]
        return ends[2 * column - 2], ends[2 * column - 1]

    def _ends(self, line: int) -> array[int]:
        """Return the beginning and the end of each cell of a line, one after the other; empty if they are not known.

        A line is taken apart once, however many of its cells have findings.
        """
        ends = self._known_ends.get(line)
        if ends is None:
            spans = cell_spans(self.source[line - 1], self.delimiter) or ()
            ends = self._known_ends[line] = array("L", chain.from_iterable(spans))
        return ends

    @cached_property
    def _known_ends(self) -> dict[int, array[int]]:
        return {}

    def player(self, entrant: Entrant, field: str) -> Spot | None:
        """Return the place of a field of an entrant."""
        place = self._player(entrant, field)
        return self.spot(place) if place else super().player(entrant, field)

    def game(self, entrant: Entrant, round_number: int, field: str) -> Spot | None:
        """Return the place of the result of an entrant in a round."""
        place = self._game(entrant, round_number)
        return self.spot(place) if place else super().game(entrant, round_number, field)

    def header(self, *tags: str) -> Spot | None:
        """Return the place of the first fact about the event that one of the tags of a TRF names."""
        names = (TAG_FIELDS.get(tag, "") for tag in tags)
        place = next((self.facts[name] for name in names if name in self.facts), None)
        return self.spot(place) if place else None

    def round_day(self, round_number: int) -> Spot | None:
        """Return the place of the day of a round."""
        place = self.round_days.get(round_number)
        return self.spot(place) if place else None

    def _row(self, entrant: Entrant) -> tuple[Table, SheetRow] | None:
        """Return the row of an entrant in the table of players."""
        table = self.contents.players
        row = self._rows.get(entrant.line or 0) if table else None
        if table is None or row is None:
            return None
        number = table.heading.fields.get("number")
        same = number is None or digits(row.cells.get(number, "").rstrip(".")) == entrant.number
        return (table, row) if same else None

    @cached_property
    def _rows(self) -> Mapping[int, SheetRow]:
        table = self.contents.players
        return {row.line: row for row in table.rows} if table else {}

    def _player(self, entrant: Entrant, name: str) -> Place | None:
        named = self._row(entrant)
        if named is None:
            return None
        table, row = named
        fields = table.heading.fields
        names = {"half_points": ("points",), "name": ("name", "surname")}.get(name, (name,))
        column = next((fields[heading] for heading in names if heading in fields), None)
        return Place(table.sheet, row.line, column) if column else None

    def _game(self, entrant: Entrant, round_number: int) -> Place | None:
        table, line = self.contents.games, self.games.get((entrant.number, round_number))
        column = table.heading.fields.get("result") if table else None
        if table is None and (named := self._row(entrant)):
            table, line = named[0], named[1].line
            column = table.heading.rounds.get(round_number)
        return Place(table.sheet, line, column) if table and line and column else None

    # ------------------------------------------------------------------------------------------- edits

    def write_player(self, entrant: Entrant, field: str) -> list[TextEdit]:
        """Return the edits that write the points or the number of an entrant; nothing else is corrected in a sheet."""
        place = self._player(entrant, field) if field in ("half_points", "id") else None
        text = entrant.id if field == "id" else self._points_text(entrant.half_points or 0)
        return self._edit(place, text) if place else []

    def write_game(self, entrant: Entrant, round_number: int, old: Cell, new: Cell) -> list[TextEdit]:  # noqa: ARG002  the cell itself is rewritten
        """Return the edits that write the cell of an entrant in a round; a list of games has each game once."""
        place = self._game(entrant, round_number) if self.contents.games is None else None
        if place is None or self._habits is None:
            return []
        text = rewrite_cell(self._text(place), ParsedCell(*new), self._habits)
        return self._edit(place, text) if text else []

    def write_header(self, tag: str, value: int | str | date) -> list[TextEdit]:
        """Return the edits that write a fact about the event; a day as the cell has it, a number or a text."""
        place = self.facts.get(TAG_FIELDS.get(tag, ""))
        if place is None:
            return []
        text = value.isoformat() if isinstance(value, date) else str(value)
        if isinstance(value, date) and SERIAL_DAY.fullmatch(self._text(place)):
            text = str((value - place[0].day_zero).days)
        return self._edit(place, text)

    def _text(self, place: Place) -> str:
        sheet, line, column = place
        row = self._rows_of_sheets[id(sheet)].get(line)
        return row.cells.get(column, "") if row else ""

    @cached_property
    def _rows_of_sheets(self) -> Mapping[int, Mapping[int, SheetRow]]:
        return {id(sheet): {row.line: row for row in sheet.rows} for sheet in self.sheets}

    @cached_property
    def _habits(self) -> Habits | None:
        table = self.contents.players
        if table is None:
            return None
        columns = table.heading.rounds.values()
        return habits_of(row.cells[column] for row in table.rows for column in columns if column in row.cells)

    def _points_text(self, halves: int) -> str:
        """Return points as the column writes them."""
        whole, half, comma = self._points_written
        text = decimal_text(points(halves))
        if "." not in text and whole:
            text += ".0"
        if half:
            return text.replace("0.5", "½") if halves == 1 else text.replace(".5", "½")
        return text.replace(".", ",") if comma else text

    @cached_property
    def _points_written(self) -> tuple[bool, bool, bool]:
        """Whether the column of points has whole points with a zero, halves as a sign, and commas."""
        table = self.contents.players
        column = table.heading.fields.get("points", 0) if table else 0
        written = [row.cells.get(column, "") for row in table.rows] if table else []
        return (
            any(cell.endswith((".0", ",0")) for cell in written),
            any("½" in cell for cell in written),
            any("," in cell for cell in written),
        )

    def _edit(self, place: Place, text: str) -> list[TextEdit]:
        sheet, line, column = place
        old = self._text(place)
        if old == text or (line, column) in sheet.formulas:
            return []
        if not self.source:
            return [TextEdit(line, column, old, text, sheet.address(line, column))]
        span = self._span(line, column)
        if span is None:
            return []
        raw = self.source[line - 1][span[0] : span[1]]
        missing = self.delimiter * (column - len(self._ends(line)) // 2)
        return [TextEdit(line, span[0] + 1, raw, missing + self._quoted(escape(text), raw))]

    def _quoted(self, text: str, raw: str) -> str:
        if raw.startswith('"') or self.delimiter in text or '"' in text:
            return '"' + text.replace('"', '""') + '"'
        return text
