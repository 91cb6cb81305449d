"""Reports in spreadsheets, CSV or XLSX: as a cross-table, or as a list of games.

The heading shows which of the two a file is. The facts about the event are in lines above the table (CSV) or on a
worksheet of their own (XLSX, where lines above are read too).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from itertools import zip_longest

from arpad.model.errors import BadInput, Unreadable
from arpad.model.rules import Finding, Severity
from arpad.reports.formats import crosstable, sheet_xlsx
from arpad.reports.formats import sheet_games as games_sheet
from arpad.reports.formats.encoding import read_text
from arpad.reports.formats.findings import Notes, record_losses
from arpad.reports.formats.pairings import EntrantIndex, rounds_of
from arpad.reports.formats.sheet_games import SheetFacts, dated, event_rows
from arpad.reports.formats.sheet_grid import Sheet, Value, plain, read_grid, write_grid
from arpad.reports.formats.sheet_map import SheetMap
from arpad.reports.formats.sheet_tables import SheetContents, find_tables, score
from arpad.reports.formats.sheet_words import heading
from arpad.reports.report import Entrant, Header, Report, Round

FORMATS = ("crosstable", "games", "crosstable-xlsx", "games-xlsx")
_SUFFIX = "-xlsx"
_MOST_WIDE = 40


def read(data: bytes, name: str = "") -> Report:  # noqa: ARG001  all readers are called alike
    """Return the report in a sheet."""
    if sheet_xlsx.is_zip(data):
        if not sheet_xlsx.is_xlsx(data):
            raise Unreadable("sheet-zip")
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
    spot = SheetMap((sheet,), SheetContents(), {}, {}, lines, delimiter=sheet.delimiter).spot(
        sheet, line, column
    )
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
