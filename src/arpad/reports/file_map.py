"""Map each value of a report to its place in the file, and write another value there.

Every format has such a map: the findings of the checks take their place from it, and the proposed corrections their
edits. A format that keeps nothing returns no place and no edit.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import NamedTuple

from arpad.reports.report import Entrant
from arpad.reports.text_edits import TextEdit

Cell = tuple[int, str, str]
"""Opponent, colour and result."""

TAG_FIELDS: Mapping[str, str] = {
    "012": "name", "022": "city", "032": "federation", "042": "first_day", "052": "last_day", "062": "players",
    "072": "rated_players", "082": "teams", "092": "kind", "102": "chief_arbiter", "112": "deputies",
    "122": "time_control", "132": "round_day", "142": "rounds", "XXR": "rounds", "192": "coded_kind",
    "222": "coded_time_control",
}  # fmt: skip
"""The field of the header for each tag of a TRF, by which the checks name it."""


class Spot(NamedTuple):
    """A place in a file, counted from one; of a workbook also its cell, ``Games!C7``."""

    line: int
    column: int | None = None
    cell: str = ""


class FileMap:
    """The map of a format of which nothing is known."""

    delimiter = ""
    """The character that ends a value besides a blank: the delimiter of cells, the quotation mark of tags."""

    def player(self, entrant: Entrant, field: str) -> Spot | None:  # noqa: ARG002  nothing is known
        """Return the place of a field of an entrant."""
        return Spot(entrant.line) if entrant.line else None

    def game(self, entrant: Entrant, round_number: int, field: str) -> Spot | None:  # noqa: ARG002  nothing is known
        """Return the place of the ``opponent``, ``colour`` or ``result`` of an entrant in a round."""
        return Spot(entrant.line) if entrant.line else None

    def header(self, *tags: str) -> Spot | None:  # noqa: ARG002  nothing is known
        """Return the place of the first fact about the event that one of the tags of a TRF names."""
        return None

    def round_day(self, round_number: int) -> Spot | None:  # noqa: ARG002  nothing is known
        """Return the place of the day of a round."""
        return None

    def write_player(self, entrant: Entrant, field: str) -> list[TextEdit]:  # noqa: ARG002  nothing is known
        """Return the edits that write a field of an entrant as it is given."""
        return []

    def write_game(self, entrant: Entrant, round_number: int, old: Cell, new: Cell) -> list[TextEdit]:  # noqa: ARG002  nothing is known
        """Return the edits that write the cell of an entrant in a round."""
        return []

    def write_header(self, tag: str, value: int | str | date) -> list[TextEdit]:  # noqa: ARG002  nothing is known
        """Return the edits that write a fact about the event."""
        return []

    def write_result(self, line: int) -> list[TextEdit]:  # noqa: ARG002  nothing is known
        """Return the edits that write the result of the game on a line as the file itself shows it elsewhere."""
        return []
