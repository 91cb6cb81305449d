"""Where the values of a report are in a TRF, by the columns of the format, and how they are changed there."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from arpad.reports.file_edits import line_difference
from arpad.reports.formats.findings import Notes
from arpad.reports.formats.trf_columns import CELL, HEADER_TEXT, PLAYER, cell_column
from arpad.reports.formats.trf_write import put_cell, put_entrant
from arpad.reports.formats.written_values import format_day
from arpad.reports.report import Cell, Entrant, FileMap, Spot, TextEdit

_FIRST_NUMBER = re.compile(r"\d{1,9}(?!\d)", re.ASCII)
_SAME = {"142": ("142", "XXR"), "XXR": ("142", "XXR")}


@dataclass(frozen=True)
class TrfMap(FileMap):
    """The lines of a TRF with their columns."""

    source: Sequence[str]

    def line(self, number: int) -> str:
        """Return a line without its line end."""
        return self.source[number - 1].rstrip("\r\n")

    def player(self, entrant: Entrant, field: str) -> Spot | None:
        """Return the place of a field of an entrant."""
        return Spot(entrant.line, PLAYER.by_name[field].first if field else None) if entrant.line else None

    def game(self, entrant: Entrant, round_number: int, field: str) -> Spot | None:
        """Return the place of the ``opponent``, ``colour`` or ``result`` of an entrant in a round."""
        column = cell_column(round_number) + CELL.by_name[field].first - 1
        return Spot(entrant.line, column) if entrant.line else None

    def header(self, *tags: str) -> Spot | None:
        """Return the place of the text of the first line with one of the tags."""
        lines = enumerate(self.source, start=1)
        line = next((number for number, text in lines if text.lstrip("\ufeff")[:3] in tags), None)
        return None if line is None else Spot(line, HEADER_TEXT)

    def round_day(self, round_number: int) -> Spot | None:
        """Return the place of the day of a round."""
        spot = self.header("132")
        return spot and Spot(spot.line, cell_column(round_number))

    def write_player(self, entrant: Entrant, field: str) -> list[TextEdit]:
        """Return the edits that write a field of an entrant as it is given."""
        number, column = entrant.line or 0, PLAYER.by_name[field]
        line = self.line(number)
        new = put_entrant(line, entrant, [field], Notes())  # the fields that are corrected fit their columns
        edit = line_difference(number, line, new, column.first, column.last)
        return [edit] if edit else []

    def write_game(self, entrant: Entrant, round_number: int, old: Cell, new: Cell) -> list[TextEdit]:
        """Return the edits that write the cell of an entrant in a round; only the result, if nothing else differs."""
        number = entrant.line or 0
        line = self.line(number)
        if new[:2] == old[:2]:
            column = cell_column(round_number) + CELL.by_name["result"].first - 1
            padded = line.ljust(column)
            edit = line_difference(number, line, padded[: column - 1] + new[2] + padded[column:])
        else:
            edit = line_difference(number, line, put_cell(line, round_number - 1, new))
        return [edit] if edit else []

    def write_header(self, tag: str, value: int | str | date) -> list[TextEdit]:
        """Return the edits that write a fact about the event: a number in the text, or all of it."""
        spot = self.header(*_SAME.get(tag, (tag,)))
        if spot is None:
            return []
        line = self.line(spot.line)
        if isinstance(value, int):
            match = _FIRST_NUMBER.search(line, HEADER_TEXT - 1)
            return [TextEdit(spot.line, match.start() + 1, match[0], str(value))] if match else []
        text = format_day(value) if isinstance(value, date) else value
        old = line[HEADER_TEXT - 1 :].strip()  # blanks at the end stay
        start = line.index(old, HEADER_TEXT - 1) if old else min(HEADER_TEXT - 1, len(line))
        return [TextEdit(spot.line, start + 1, old, text)] if old and old != text else []
