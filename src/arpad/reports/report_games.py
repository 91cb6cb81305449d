"""The games of a report in columns: all that a list is computed from, apart from who the entrants are."""

from array import array
from collections.abc import Iterable
from datetime import date
from itertools import chain
from sys import byteorder
from typing import NamedTuple

from arpad.reports.report import Report


class ReportGames(NamedTuple):
    """Start numbers, opponents and results of a report, with the facts of its header that a list needs."""

    name: str
    first_day: date | None
    last_day: date | None
    time_control: str
    """As free text."""

    coded_time_control: str
    rounds: int
    numbers: bytes
    """The start number of each entrant, as little-endian integers of four bytes."""

    opponents: bytes
    """Round by round, by entrant: the start number of the opponent, 0 for none; as many bytes each."""

    results: bytes
    """Round by round, by entrant: the letter of the result."""

    @property
    def size(self) -> int:
        """Return the number of entrants."""
        return len(self.numbers) // _BYTES


def games_in_columns(report: Report) -> ReportGames | None:
    """Return the games of a report; None if its rounds differ in length, or a number has more than four bytes."""
    size = report.size
    if any(len(cells.opponents) != size or len(cells.results) != size for cells in report.rounds):
        return None
    header = report.header
    try:
        return ReportGames(
            header.name,
            header.first_day,
            header.last_day,
            header.time_control,
            header.coded_time_control,
            len(report.rounds),
            _four_bytes(entrant.number for entrant in report.entrants),
            _four_bytes(chain.from_iterable(cells.opponents for cells in report.rounds)),
            "".join([cells.results for cells in report.rounds]).encode("ascii", "replace"),
        )
    except OverflowError:
        return None


_BYTES = 4


def _four_bytes(numbers: Iterable[int]) -> bytes:
    values = array("i", numbers)
    if byteorder == "big":
        values.byteswap()
    return values.tobytes()
