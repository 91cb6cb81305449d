"""The games of the reports on file, to find those of the same event among thousands of reports.

A mark is a digest, so its last bits are a place in a table that says whether any report has a game there. If less than
half of a report's games are perhaps known, only a report with few games can be of the same event: hardly any has to be
compared, and the dictionary of ``GameIndex`` is not needed.
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

_games = itemgetter(0)


class FiledGames:
    """The games of reports on file; days are ISO text, empty if unknown."""

    def __init__(self, *, many: bool = False) -> None:
        """Begin without reports; the table of ``many`` reports takes longer to make than a few are compared."""
        self._index = GameIndex()
        self._not_in_index: list[tuple[int, bytes, str, str]] = []
        self._by_size: list[tuple[int, int, bytes, str, str]] = []
        """The reports with games: number of games, number of the report, marks, days; in order."""

        self._known: NDArray[Any] | None = _empty_table() if many else None

    def add(self, report: int, marks: bytes, first_day: str, last_day: str) -> None:
        """Add a report with the joined marks of its games."""
        self._not_in_index.append((report, marks, first_day, last_day))
        if self._known is not None and marks:
            insort(self._by_size, (len(marks) // MARK_BYTES, report, marks, first_day, last_day))
            self._known[_places(marks)] = True

    def overlapping(self, marks: bytes, first_day: str, last_day: str) -> dict[int, Overlap]:
        """Return the reports of the same event: on the same days, with half of the games or more in common."""
        games = len(marks) // MARK_BYTES
        known = games if self._known is None else int(self._known[_places(marks)].sum())
        largest = 100 * known // OVERLAP_PERCENT
        if largest < games:
            smaller = self._by_size[: bisect_right(self._by_size, largest, key=_games)]
            stored = (row[1:] for row in smaller)
            return overlapping_reports(stored, marks, first_day, last_day) if smaller else {}
        for report, own, *days in self._not_in_index:
            self._index.add(report, split_marks(own), *days)
        self._not_in_index.clear()
        return self._index.overlapping(split_marks(marks), first_day, last_day)


def _empty_table() -> NDArray[Any]:
    import numpy as np

    return np.zeros(1 << _BITS, np.bool_)


def _places(marks: bytes) -> NDArray[Any]:
    """Return where the marks are in the table."""
    import numpy as np

    last_bits = np.frombuffer(marks, ">u4")[1::2]
    return last_bits & np.uint32((1 << _BITS) - 1)
