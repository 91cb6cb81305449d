"""The games of the reports on file, to find those of the same event among thousands of reports.

A mark is a digest, so its last bits are a place in a table that says whether no report has a game there, one, or more.
If less than half of a report's games are perhaps those of others, only a report with few games can be of the same
event: hardly any has to be compared, and the dictionary of ``GameIndex`` is not needed.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from arpad.reports.duplicates import (
    MARK_BYTES,
    OVERLAP_PERCENT,
    GameIndex,
    Overlap,
    overlapping_reports,
    split_marks,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

_BITS = 26
"""The table has 64 MiB: of a million games, one in 67 is taken for a known one."""

_ONE, _SEVERAL = 1, 2
"""How many reports have a game at a place of the table."""

_games = itemgetter(0)


class FiledGames:
    """The games of reports on file; days are ISO text, empty if unknown."""

    def __init__(self, *, many: bool = False) -> None:
        """Begin without reports; the table of ``many`` reports takes longer to make than a few are compared."""
        self._index = GameIndex()
        self._not_in_index: list[tuple[int, bytes, str, str]] = []
        self._by_size: list[tuple[int, int, bytes, str, str]] = []
        """The reports with games: number of games, number of the report, marks, days; in order."""

        self._marks: dict[int, bytes] = {}
        """The marks of each report in the table."""

        self._known: NDArray[Any] | None = _empty_table() if many else None

    def add(self, report: int, marks: bytes, first_day: str, last_day: str) -> None:
        """Add a report with the joined marks of its games."""
        self._not_in_index.append((report, marks, first_day, last_day))
        if self._known is not None and marks:
            insort(self._by_size, (len(marks) // MARK_BYTES, report, marks, first_day, last_day))
            self._marks[report] = marks
            places = _places(marks)
            self._known[places] = (self._known[places] > 0) + _ONE

    def overlapping(
        self, marks: bytes, first_day: str, last_day: str, *, own: int | None = None
    ) -> dict[int, Overlap]:
        """Return the reports of the same event: on the same days, with half of the games or more in common.

        ``own`` is the number of the report if it is among those added; it is not returned.
        """
        games = known = len(marks) // MARK_BYTES
        if self._known is not None:
            least = _SEVERAL if own is not None and self._marks.get(own) == marks else _ONE
            known = int((self._known[_places(marks)] >= least).sum())
        largest = 100 * known // OVERLAP_PERCENT
        if largest < games:
            smaller = self._by_size[: bisect_right(self._by_size, largest, key=_games)]
            stored = (row[1:] for row in smaller if row[1] != own)
            return overlapping_reports(stored, marks, first_day, last_day) if smaller else {}
        for report, filed, *days in self._not_in_index:
            self._index.add(report, split_marks(filed), *days)
        self._not_in_index.clear()
        overlaps = self._index.overlapping(split_marks(marks), first_day, last_day)
        return {report: overlap for report, overlap in overlaps.items() if report != own}


def _empty_table() -> NDArray[Any]:
    import numpy as np

    return np.zeros(1 << _BITS, np.uint8)


def _places(marks: bytes) -> NDArray[Any]:
    """Return where the marks are in the table."""
    import numpy as np

    last_bits = np.frombuffer(marks, ">u4")[1::2]
    return last_bits & np.uint32((1 << _BITS) - 1)
