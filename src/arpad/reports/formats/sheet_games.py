"""Sheet of games: one row per game, with White, Black and the result; byes have no Black.

Results: ``1-0 ½-½ 0-1`` played; ``1-0f 0-1f 0-0f`` by forfeit; ``W-L D-D L-W`` decided before both had moved; for a
bye ``U H F Z``; empty for a game without result. Also read: ``1/2``, ``=``, ``2-0 1-1 0-2`` (draughts), ``1:0``,
``+/-``, ``+:-``, ``+--``, ``1-0 ff`` and similar. White and Black are named by start number, id or name.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any

from arpad.model.exact import read_number
from arpad.model.rules import Severity
from arpad.reports.formats.findings import Notes
from arpad.reports.formats.pairings import EntrantIndex, Pairing, shown_game
from arpad.reports.formats.sheet_grid import Sheet, SheetRow, Value
from arpad.reports.formats.sheet_tables import SERIAL_DAY, Cells, Place, Table, read_cell_day
from arpad.reports.formats.sheet_words import EVENT_KEYS, field_of, heading
from arpad.reports.formats.written_values import digits
from arpad.reports.report import BYES, Entrant, Header, Report, Result, Round, Team

MOST_ROUNDS = 999
_DAYS = frozenset({"first_day", "last_day", "one_day"})
_COUNTS = frozenset({"players", "rated_players", "teams", "rounds"})
_WORTHS = frozenset({"points", "match_points"})


class SheetFacts:
    """The facts read so far."""

    def __init__(self, notes: Notes) -> None:
        self.notes = notes
        self.values: dict[str, Any] = {}
        self.deputies: list[str] = []
        self.days: dict[int, date] = {}
        self.teams: list[Team] = []
        self.places: dict[str, Place] = {}
        """The place of the value of each fact, by its name."""

        self.day_places: dict[int, Place] = {}

    def header(self, rounds: int) -> Header:
        """Return the header; days beyond the played rounds are days to come."""
        coming = range(rounds + 1, max(self.days, default=0) + 1)
        days = tuple(self.days.get(number) for number in coming)
        if (day := self.values.pop("one_day", None)) is not None:
            self.values = {"first_day": day, "last_day": day} | self.values
        return Header(**self.values, deputies=tuple(self.deputies), days_to_come=days)

    def take(self, sheet: Sheet, row: SheetRow) -> None:
        """Read one line."""
        (start, key), *cells = sorted(row.cells.items())
        name = field_of("event", key)
        if name is None:
            Place(sheet, row.line, start).note(self.notes, Severity.INFO, "sheet-key-unknown", key)
        elif cells:
            self._value(name, cells, Place(sheet, row.line, cells[0][0]), start)

    def _value(self, name: str, cells: Sequence[tuple[int, str]], place: Place, start: int) -> None:
        text = cells[0][1]
        value: object = text
        for fact in ("first_day", "last_day") if name == "one_day" else (name,):
            self.places.setdefault(fact, place)
        if name in _DAYS:
            value = read_cell_day(text, place, self.notes)
        elif name in _COUNTS:
            value = digits(text)
        elif name == "round_day":
            value = self._round_day(cells, place)
        elif name in _WORTHS:
            value = self._worth(name, cells)
        elif name == "team":
            value = self._team(cells, start)
        elif name == "deputies":
            self.deputies.append(text)
        else:
            value = self.values.setdefault(name, text)
        if value is None and name not in _DAYS:
            place.note(self.notes, Severity.WARNING, "sheet-value", text)
        elif name in _DAYS | _COUNTS:
            self.values.setdefault(name, value)

    def _round_day(self, cells: Sequence[tuple[int, str]], place: Place) -> object:
        number = digits(cells[0][1])
        if number is None or not 1 <= number <= MOST_ROUNDS or len(cells) == 1:
            return None
        place = place._replace(column=cells[1][0])
        day = read_cell_day(cells[1][1], place, self.notes)
        if day:
            self.days.setdefault(number, day)
            self.day_places.setdefault(number, place)
        return number

    def _worth(self, name: str, cells: Sequence[tuple[int, str]]) -> object:
        worth = read_number(cells[1][1]) if len(cells) > 1 else None
        if worth is not None:
            self.values.setdefault(name, {}).setdefault(cells[0][1], worth)
        return worth

    def _team(self, cells: Sequence[tuple[int, str]], start: int) -> object:
        """Read a team: name, members as numbers, and its number if it has one; each may be empty."""
        by_place = {column - start: text for column, text in cells}
        members = tuple(digits(text) for text in by_place.get(2, "").split())
        number = digits(by_place.get(3, ""))
        if None in members or (number is None and 3 in by_place):  # noqa: PLR2004  the third value
            return None
        known_members = tuple(member for member in members if member is not None)
        self.teams.append(Team(by_place.get(1, ""), known_members, number))
        return self.teams[-1]


def dated(rounds: Sequence[Round], days: Mapping[int, date]) -> tuple[Round, ...]:
    """Return the rounds with the days of the lines, which override the days of single games."""
    return tuple(
        Round(cells.opponents, cells.colours, cells.results, days.get(number, cells.day))
        for number, cells in enumerate(rounds, start=1)
    )


def event_rows(report: Report, language: str, *, blank: bool = False) -> Iterator[Sequence[Value]]:
    """Return the lines of a report; with ``blank`` also the common keys without value."""
    header = report.header
    for name in EVENT_KEYS:
        label = heading("event", name, language)
        if name == "team":
            yield from (
                [label, team.name, " ".join(map(str, team.members)), team.number] for team in report.teams
            )
        elif name == "round_day":
            days: list[date | None] = [*(cells.day for cells in report.rounds), *header.days_to_come]
            for number, day in enumerate(days, start=1):
                if day:
                    yield [label, number, day]
        elif name in _WORTHS:
            yield from ([label, code, str(worth)] for code, worth in getattr(header, name).items())
        elif name == "deputies":
            yield from ([label, deputy] for deputy in header.deputies)
        elif getattr(header, name) not in ("", None) or (blank and name in _COMMON):
            yield [label, getattr(header, name)]


_COMMON = frozenset({"name", "city", "federation", "first_day", "last_day", "chief_arbiter", "time_control"})


WRITTEN = ("round", "date", "white", "result", "black")
MOST_NUMBER = 9999
"""Numbers up to this are start numbers; a higher one that no player has is an id."""

_RESULTS = {
    "10": "1-0 1:0 1/0 1–0 2-0 2:0 2/0 1 10",
    "==": "½-½ ½:½ ½ 1/2 1/2-1/2 1/2:1/2 0.5-0.5 0,5-0,5 = =-= 1-1 1:1 1/1 remis patta draw x",
    "01": "0-1 0:1 0/1 0–1 0-2 0:2 0/2 0 01",
    "+-": "1-0f 1-0ff +/- +:- +-- +- 2-0f 2-0ff 1-0forfait 1-0forfeit 1-0forfeited",
    "-+": "0-1f 0-1ff -/+ -:+ --+ -+ 0-2f 0-2ff 0-1forfait 0-1forfeit 0-1forfeited",
    "--": "0-0f 0-0ff -/- -:- --- -- 0-0 0:0",
    "WL": "w-l", "DD": "d-d", "LW": "l-w",
    "  ": "* ?",
}  # fmt: skip
_READ = {text: letters for letters, texts in _RESULTS.items() for text in texts.split()}
_WRITTEN = {letters: texts.split()[0].upper() if letters.isalpha() else texts.split()[0]
            for letters, texts in _RESULTS.items()} | {"  ": ""}  # fmt: skip
_BYE_LETTERS = {
    **dict.fromkeys(("", "bye", "riposo", "1", "1-0"), "U"),
    **dict.fromkeys(("½", "1/2", "="), "H"),
    **dict.fromkeys(("0", "-"), "Z"),
}
_NOBODY = frozenset({"bye", "riposo", "riposa", "-", "–", "--", "x", "0", "nessuno", "none"})
_FORFEIT = re.compile(r"\(?(?:ff?|forf(?:ait|eit(?:ed)?)?)\.?\)?\Z")
"""The ending of a result decided by forfeit, blanks removed."""


def read_pairings(table: Table, roster: EntrantIndex, notes: Notes) -> list[Pairing]:
    """Return the games of the table; new players are added to the roster."""
    listed = bool(roster.entrants())
    pairings = (_pairing(Cells(table, row, notes), roster, listed=listed) for row in table.rows)
    return [pairing for pairing in pairings if pairing]


def _pairing(cells: Cells, roster: EntrantIndex, *, listed: bool) -> Pairing | None:
    number = _round(cells)
    if number is None:
        return None
    white = _player(cells, "white", roster, listed=listed)
    black = _player(cells, "black", roster, listed=listed)
    if not white and not black:
        name = "white" if cells.text("white") else "round" if cells.text("round") else "result"
        if cells.table.heading.fields.get(name):
            cells.complain("games-no-player", name, Severity.ERROR)
        return None
    letters = _bye(cells) if not (white and black) else _result(cells)
    column = cells.table.heading.fields["white"]
    return Pairing(
        number, white or black, black if white else 0, letters, cells.day("date"), cells.row.line, column
    )


def _round(cells: Cells) -> int | None:
    """Return the round; 1 in a sheet without rounds."""
    if "round" not in cells.table.heading.fields:
        return 1
    number = digits(cells.text("round"))
    if number is None or not 1 <= number <= MOST_ROUNDS:
        cells.complain("games-round", "round", Severity.ERROR)
        return None
    return number


def _player(cells: Cells, side: str, roster: EntrantIndex, *, listed: bool) -> int:
    """Return the start number of White or Black; 0 for no player."""
    text, given_id = cells.text(side), cells.text(f"{side}_id")
    if not given_id and (not text or text.casefold() in _NOBODY):
        return 0
    number = digits(text)
    name = text if number is None else ""
    start_number = None if number is None else roster.by_number(number)
    if start_number is None:
        start_number = roster.find(name, given_id or (text if number is not None else ""))
    mentioned = Entrant(0, name, cells.whole(f"{side}_rating"), id=given_id, line=cells.row.line)
    if start_number is not None:
        roster.complete(start_number, mentioned)
        return start_number
    if listed:
        cells.complain("games-player-unknown", side if text else f"{side}_id")
    return roster.add(_newcomer(mentioned, number, roster))


def _newcomer(mentioned: Entrant, number: int | None, roster: EntrantIndex) -> Entrant:
    is_number = number is not None and 0 < number <= MOST_NUMBER and not mentioned.id
    player_id = mentioned.id or (str(number) if number is not None and not is_number else "")
    start = number if is_number and number is not None else roster.free_number()
    return Entrant(start, mentioned.name, mentioned.rating, id=player_id, line=mentioned.line)


def _result(cells: Cells) -> str:
    text = _FORFEIT.sub("f", "".join(cells.text("result").casefold().split()))
    letters = _READ.get(text) if text else "  "
    if letters is None:
        code = "sheet-cell-is-a-day" if SERIAL_DAY.fullmatch(text) else "games-result"
        cells.complain(code, "result", Severity.ERROR)
    elif letters == "  ":
        cells.complain("games-unfinished", "result" if "result" in cells.table.heading.fields else "white")
    return letters or "  "


def _bye(cells: Cells) -> str:
    text = cells.text("result")
    letter = text.upper() if text.upper() in BYES else _BYE_LETTERS.get(text.casefold())
    if letter is None:
        cells.complain("games-bye", "result", Severity.ERROR)
    return letter or "Z"


# --------------------------------------------------------------------------------------------- writing


def game_rows(report: Report, language: str, notes: Notes) -> Iterator[Sequence[Value]]:
    """Return the heading and one row for each game and bye."""
    yield [heading("game", name, language) for name in WRITTEN]
    for number, cells in enumerate(report.rounds, start=1):
        if not any(cells.opponents) and not cells.results.strip() and number == len(report.rounds):
            notes.add(Severity.WARNING, "lost-round", round=number, in_round=number)
        for index, entrant in enumerate(report.entrants):
            own, opponent, result = entrant.number, cells.opponents[index], cells.results[index]
            if opponent:
                if game := shown_game(report, number, index, _WRITTEN, notes):
                    yield [number, cells.day, own, _WRITTEN[game[1]], opponent]
            elif result in BYES:
                yield [number, cells.day, own, result, None]
            elif result != Result.NONE:
                notes.add(Severity.WARNING, "lost-cell", player=own, round=number, number=own, in_round=number,
                          text=f"0 {cells.colours[index]} {result}")  # fmt: skip
