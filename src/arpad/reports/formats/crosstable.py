"""Cross-table in a sheet: one row per player, one column per round with cells as ``12w1``; or a table of players.

    12w1   with White against number 12, won       12b½   with Black, drawn        12w0   lost
    12w+   won by forfeit      12w-   lost by forfeit      12wW 12wD 12wL   decided before both had moved
    12x+   no colour           12?1   colour not known     12w   no result yet
    U  pairing-allocated bye   H  half-point bye   F  full-point bye   Z  zero-point bye, absent   (empty)  nothing

Also read: blanks between the parts and large letters; ``=`` or ``0.5`` for the half; ``+12 =12 -12`` (won, drawn,
lost; colour not known); ``bye``, ``½bye``, ``-``, ``-½``, ``-0`` and similar words. The whole table decides three
things: with an ``n`` for Black anywhere (nero), ``b`` is White (bianco); with a ``2`` among the results, a win counts
two points and ``1`` is a draw, as in draughts; if games have colours and none has a sign before it, ``-1`` is a bye.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from arpad.model.errors import Unreadable
from arpad.model.rules import Severity
from arpad.reports.formats.findings import Notes
from arpad.reports.formats.pairings import refuse_too_many
from arpad.reports.formats.sheet_grid import Points, Value, plain
from arpad.reports.formats.sheet_tables import SERIAL_DAY, Cells, Place, Table
from arpad.reports.formats.sheet_words import heading
from arpad.reports.formats.written_values import half_points
from arpad.reports.report import Entrant, Report, Result, Round, Team

WRITTEN = ("number", "title", "name", "sex", "federation", "born", "id", "rating", "k", "points", "rank")
"""The columns of a table of players, in the order in which they are written."""

_SEXES = {
    **dict.fromkeys("m u male maschio".split(), "m"),
    **dict.fromkeys("w f d female femmina".split(), "w"),
}


class ParsedCell(NamedTuple):
    """A cell; opponent 0 for none, colour and result in the letters of the report."""

    opponent: int
    colour: str
    result: str


class Habits(NamedTuple):
    """How a table writes what has two spellings."""

    italian_colours: bool = False
    two_points: bool = False
    dash_byes: bool = False


EMPTY = ParsedCell(0, " ", " ")
_GAME = re.compile(r"([0-9]{1,6})\s*+([wbnx?]?)\s*+(½|1/2|0[.,]5|[^\s0-9]|[012])?", re.IGNORECASE)
_SIGNED = re.compile(r"([+=½-])\s*([0-9]{1,6})")
_COLOURS = {"w": "w", "b": "b", "n": "b", "x": "-", "?": " ", "": " "}
_WRITTEN_COLOURS = {"w": "w", "b": "b", "-": "x", " ": "?"}
_HALVES = frozenset({"½", "1/2", "0.5", "0,5", "="})
_SIGNS = {"+": "1", "=": "=", "½": "=", "-": "0"}
_BYES = {
    "U": "u bye pab riposo riposa 1bye bye1 exempt",
    "H": "h ½bye bye½ halfbye half-bye 0.5bye hpb mezzopunto ½ -½ -0.5 -0,5 -1/2",
    "F": "f fullbye full-bye fpb",
    "Z": "z - -- – -0 0bye bye0 zpb absent assente ass out 0 zero",
}
_DASH_BYE = "-1"
_BYE_WORDS = {word: letter for letter, words in _BYES.items() for word in words.split()}
_LETTERS = frozenset(Result) - {Result.NONE}
_DIGITS = frozenset("0123456789")


def habits_of(texts: Iterable[str]) -> Habits | None:
    """Return how a table writes its cells; None if White is written in both languages."""
    colours, results, signed = set(), set(), set()
    for text in texts:
        match = _GAME.fullmatch(text)
        if match:
            colours.add(match[2].lower())
            results.add(match[3])
        elif _SIGNED.fullmatch(text):
            signed.add("".join(text.split()))
    if {"n", "w"} <= colours:
        return None
    dash_byes = bool(colours & set("wbn")) and signed <= {_DASH_BYE, "-0"} and _DASH_BYE in signed
    return Habits("n" in colours, "2" in results, dash_byes)


def read_cell(text: str, habits: Habits) -> ParsedCell | None:
    """Return a cell; None if it cannot be read."""
    text = text.strip()
    if not text:
        return EMPTY
    joined = "".join(text.casefold().split())
    word = "U" if habits.dash_byes and joined == _DASH_BYE else _BYE_WORDS.get(joined)
    if word:
        return ParsedCell(0, "-", word)
    signed = _SIGNED.fullmatch(text)
    if signed:
        return ParsedCell(int(signed[2]), " ", _SIGNS[signed[1]])
    match = _GAME.fullmatch(text)
    if match is None or not (match[2] or match[3] is None):
        return None
    colour = _COLOURS[match[2].lower()]
    if habits.italian_colours and match[2] in ("b", "B"):
        colour = "w"
    return ParsedCell(int(match[1]), colour, _result(match[3], habits))


def _result(text: str | None, habits: Habits) -> str:
    if text is None:
        return Result.NONE
    if habits.two_points and text in ("1", "2"):
        return Result.WIN if text == "2" else Result.DRAW
    if text in _HALVES:
        return Result.DRAW
    return text.upper() if text.upper() in _LETTERS else text


def known(cell: ParsedCell) -> bool:
    """Return whether the result is a letter of ``Result``; any other letter is kept unchanged."""
    return cell.result in _LETTERS or cell.result == Result.NONE


def write_cell(cell: ParsedCell) -> str | None:
    """Return a text that reads back as the same cell; None if there is none."""
    opponent, colour, result = cell
    if cell == EMPTY:
        return ""
    if not opponent and colour == "-" and result in ("U", "H", "F", "Z"):
        return result
    if colour not in _WRITTEN_COLOURS:
        return None
    if result == Result.NONE:
        text = f"{opponent}{_WRITTEN_COLOURS[colour]}"
    else:
        text = f"{opponent}{_WRITTEN_COLOURS[colour]}{'½' if result == Result.DRAW else result}"
    return text if read_cell(text, Habits()) == cell and (result not in _DIGITS or result in "01") else None


def rewrite_cell(text: str, cell: ParsedCell, habits: Habits) -> str | None:
    """Return a text for a cell as its table writes them: of the old text what still holds; None if there is none."""
    candidates = _rewritings(text.strip(), cell, habits)
    return next((candidate for candidate in candidates if read_cell(candidate, habits) == cell), None)


def _rewritings(text: str, cell: ParsedCell, habits: Habits) -> Iterator[str]:
    """Yield texts that may mean a cell, the one nearest to the old text first."""
    result = _written_result(cell.result, habits)
    match, signed = _GAME.fullmatch(text), _SIGNED.fullmatch(text)
    if match:
        end = match.start(3) if match[3] is not None else len(text)
        yield text[:end] + result
    if signed and cell.result in _SIGNS.values():
        yield next(sign for sign, letter in _SIGNS.items() if letter == cell.result) + text[1:]
    colour = _WRITTEN_COLOURS.get(cell.colour, "")
    if habits.italian_colours:
        colour = {"w": "b", "b": "n"}.get(colour, colour)
    yield f"{cell.opponent}{colour}{result}"


def _written_result(result: str, habits: Habits) -> str:
    if habits.two_points:
        return (
            {Result.WIN: "2", Result.DRAW: "1"}.get(Result(result), result) if result in _LETTERS else result
        )
    return "½" if result == Result.DRAW else result


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
    raise cells.place("number").refused("sheet-start-number", text)


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
            severity = Severity.WARNING if code == "sheet-cell-no-result" else Severity.ERROR
            Place(table.sheet, row.line, column).note(notes, severity, code, text, number)
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
    letter = heading("sheet", "round", language)
    shown_rounds = report.rounds if rounds else ()
    yield [*headings, *(f"{letter}{number}" for number in range(1, len(shown_rounds) + 1))]
    for index, entrant in enumerate(report.entrants):
        cells = [
            _written(cells, index, entrant, number, notes)
            for number, cells in enumerate(shown_rounds, start=1)
        ]
        points = None if entrant.half_points is None else Points(entrant.half_points)
        yield [
            entrant.number, entrant.title, entrant.name, entrant.sex, entrant.federation, entrant.born, entrant.id,
            entrant.rating, entrant.k, points, entrant.rank, *cells,
        ]  # fmt: skip


def _written(cells: Round, index: int, entrant: Entrant, number: int, notes: Notes) -> str:
    cell = ParsedCell(cells.opponents[index], cells.colours[index], cells.results[index])
    text = write_cell(cell)
    if text is None:
        cell_text = f"{cell.opponent} {cell.colour} {plain(cell.result)}"
        notes.add(Severity.WARNING, "lost-cell", player=entrant.number, round=number, number=entrant.number,
                  in_round=number, text=cell_text)  # fmt: skip
        colour = cell.colour if cell.colour in "wb- " else " "
        text = write_cell(ParsedCell(cell.opponent, colour, Result.NONE))
    return text or ""
