"""The games of the reports on file, to find those of the same event among thousands of reports.

The marks of all games are sorted, so those that more than one report has are next to each other. If less than half of a
report's games are among them, only a report with few games can be of the same event: hardly any has to be compared, and
the dictionary of ``GameIndex`` is not needed.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Iterable
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

_games = itemgetter(0)


class FiledGames:
    """The games of reports on file; days are ISO text, empty if unknown."""

    def __init__(self, *, many: bool = False) -> None:
        """Begin without reports; the games of ``many`` reports are sorted, a few are compared at once."""
        self._index = GameIndex()
        self._not_in_index: list[tuple[int, bytes, str, str]] = []
        self._by_size: list[tuple[int, int, bytes, str, str]] = []
        """The reports with games: number of games, number of the report, marks, days; in order."""

        self._reports: dict[bytes, list[int]] = {}
        """Joined marks → the reports that have just these games."""

        self._sorted_games = _SortedGames() if many else None

    def expect(self, games: Iterable[bytes]) -> None:
        """Sort the games of reports that will be asked about or added: together they take less time than one by one."""
        if self._sorted_games is not None:
            self._sorted_games.add(games)

    def add(self, report: int, marks: bytes, first_day: str, last_day: str) -> None:
        """Add a report with the joined marks of its games."""
        self._not_in_index.append((report, marks, first_day, last_day))
        if self._sorted_games is not None and marks:
            insort(self._by_size, (len(marks) // MARK_BYTES, report, marks, first_day, last_day))
            self._reports.setdefault(marks, []).append(report)
            self._sorted_games.add([marks])

    def overlapping(
        self, marks: bytes, first_day: str, last_day: str, *, own: int | None = None
    ) -> dict[int, Overlap]:
        """Return the reports of the same event: on the same days, with half of the games or more in common.

        ``own`` is the number of the report if it is among those added; it is not returned.
        """
        games = known = len(marks) // MARK_BYTES
        if self._sorted_games is not None and not {*self._reports.get(marks, ())} - {own}:
            known = self._sorted_games.repeated(marks)
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


class _SortedGames:
    """The marks of the games of reports in order; reports with the same games count as one."""

    def __init__(self) -> None:
        import numpy as np

        self._reports: set[bytes] = set()
        self._unsorted: list[bytes] = []
        self._marks: NDArray[Any] = np.empty(0, np.uint64)
        self._repeated: set[int] = set()
        """The marks that more than one report has."""

    def add(self, games: Iterable[bytes]) -> None:
        """Add the games of reports, the joined marks of each."""
        new = {*games} - self._reports
        self._unsorted += new
        self._reports |= new

    def repeated(self, marks: bytes) -> int:
        """Return how many games of a report other reports have too."""
        import numpy as np

        self.add([marks])
        if self._unsorted:
            added = np.sort(np.frombuffer(b"".join(self._unsorted), np.uint64))
            self._unsorted.clear()
            self._marks = np.concatenate((self._marks, added))
            self._marks.sort(kind="stable")  # merges the two
            self._repeated = {*self._marks[1:][self._marks[1:] == self._marks[:-1]].tolist()}
        return len(self._repeated.intersection(memoryview(marks).cast("Q")))
