"""Many reports as one table of columns, and a report of it whose entrants are created when somebody asks for them.

A month of the world has a quarter of a million entrants, and nearly all of them are only compared, column by column.
To everybody else a report of a table is a report like any other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from arpad.model.people import Birth
from arpad.reports.report import BYES, UNPLAYED_GAMES, Entrant, Header, Report, Round, Team

Array = npt.NDArray[Any]


def letters_among(letters: Iterable[str]) -> Array:
    """Return by the code of a letter whether it is one of these."""
    among = np.zeros(256, np.bool_)
    among[list(map(ord, letters))] = True
    return among


_BYES, _UNPLAYED = letters_among(BYES), letters_among(UNPLAYED_GAMES)


class EntrantTexts(NamedTuple):
    """Short texts about an entrant, as they are in ``Entrant``."""

    sex: str
    title: str
    federation: str
    id: str


@dataclass(frozen=True)
class ReportTable:
    """Reports with the same number of rounds; all their entrants follow each other in every column."""

    first: Sequence[int]
    """The row of the first entrant of each report; the start numbers of a report are 1, 2, 3 …"""

    size: Sequence[int]
    """The number of entrants of each report."""

    lines: Sequence[int]
    """The lines of the entrants in their files."""

    names: Sequence[str]
    read_texts: Callable[[int], EntrantTexts]
    """Returns the texts of a row; few are asked for."""

    numbers: Array
    """The ids as integers, negative if zeros are written before them, 0 for none."""

    birth_days: Array
    """Births as integers: year, month and day in eight digits, the last four 0 if only the year is known; or 0."""

    ratings: Array
    """0 for none."""

    highest: Sequence[int]
    """The highest rating of each report, 0 for none."""

    without_federation: Sequence[bool]
    """Whether an entrant of each report has none."""

    half_points: Array
    ranks: Array
    opponents: Array
    """By row and round: a start number, 0 for none."""

    colours: Array
    results: Array
    """By row and round: letters as bytes."""

    _entrants: dict[int, Entrant] = field(default_factory=dict)
    """Those that were asked for, by row."""

    @cached_property
    def report_of_row(self) -> Array:
        """Return the index of the report of each row."""
        return np.repeat(np.arange(len(self.size)), self.size)

    @cached_property
    def opponent_rows(self) -> Array:
        """Return by row and round the row of the opponent; the own row without one, or if the file has none such."""
        first, sizes = (
            np.repeat(np.array(column, np.int32), self.size)[:, None] for column in (self.first, self.size)
        )
        paired = (self.opponents > 0) & (self.opponents <= sizes)
        return np.where(paired, first + self.opponents - 1, self._own_rows)

    @cached_property
    def paired_rounds(self) -> list[list[int]]:
        """Return for each report the numbers of the rounds in which somebody names an opponent."""
        paired: Array = np.logical_or.reduceat(self.opponents > 0, self.first, axis=0)
        every = list(range(1, paired.shape[1] + 1))
        return [every if row.all() else (np.flatnonzero(row) + 1).tolist() for row in paired]

    @cached_property
    def opponent_cells(self) -> Array:
        """Return by row and round the index of the opponent's cell among all cells."""
        rounds = self.opponents.shape[1]
        cells: Array = self.opponent_rows * rounds + np.arange(rounds, dtype=np.int32)
        return cells

    @cached_property
    def named_back(self) -> Array:
        """Return by row and round whether the opponent names the entrant; also if there is no opponent."""
        named: Array = self.opponent_rows.ravel()[self.opponent_cells] == self._own_rows
        return named

    @property
    def _own_rows(self) -> Array:
        return np.arange(len(self.names), dtype=np.int32)[:, None]

    @cached_property
    def _pairs(self) -> Array:
        """Return by row and round whether the entrant is paired."""
        pairs: Array = (self.opponent_rows != self._own_rows) & ~_BYES[self.results]
        return pairs

    @cached_property
    def rounds_with_pairs(self) -> list[int]:
        """Return for each report the number of rounds in which two entrants are paired."""
        counts: list[int] = np.logical_or.reduceat(self._pairs, self.first, axis=0).sum(axis=1).tolist()
        return counts

    @cached_property
    def most_pairs(self) -> list[int]:
        """Return for each report how many different pairs there are at most: those of each round together."""
        again = (
            self.named_back & self._pairs.ravel()[self.opponent_cells] & (self.opponent_rows < self._own_rows)
        )
        of_rows = (self._pairs & ~again).sum(axis=1)
        counts: list[int] = np.add.reduceat(of_rows, self.first).tolist()
        return counts

    @cached_property
    def all_paired(self) -> list[bool]:
        """Return for each report whether every entrant names an opponent in some round."""
        every: list[bool] = np.logical_and.reduceat((self.opponents > 0).any(axis=1), self.first).tolist()
        return every

    @cached_property
    def unplayed_cells(self) -> list[int]:
        """Return for each report how often an entrant names an opponent with whom there was no game."""
        unplayed = (_UNPLAYED[self.results] & (self.opponents > 0)).sum(axis=1)
        counts: list[int] = np.add.reduceat(unplayed, self.first).tolist()
        return counts

    def rows(self, report: int) -> slice:
        """Return the rows of the entrants of a report."""
        return slice(self.first[report], self.first[report] + self.size[report])

    def column(self, field: str, rows: slice) -> Sequence[Any]:
        """Return a field of the entrants in some rows, named as in ``Entrant``."""
        match field:
            case "number":
                return range(1, rows.stop - rows.start + 1)
            case "rating":
                return [rating or None for rating in self.ratings[rows].tolist()]
            case "half_points" | "rank":
                values: list[int] = (self.half_points if field == "half_points" else self.ranks)[
                    rows
                ].tolist()
                return values
            case "born":
                return list(map(_birth, self.birth_days[rows].tolist()))
            case "k":
                return [None] * (rows.stop - rows.start)
            case "name":
                return self.names[rows]
            case "line":
                return self.lines[rows]
            case _:
                return [getattr(self.read_texts(row), field) for row in range(rows.start, rows.stop)]

    def entrant(self, first: int, place: int) -> Entrant:
        """Return the entrant at a place of the report that begins at a row."""
        row = first + place
        if row not in self._entrants:
            self._entrants[row] = self._read_entrant(row, place + 1)
        return self._entrants[row]

    def _read_entrant(self, row: int, number: int) -> Entrant:
        return Entrant(
            number, self.names[row], int(self.ratings[row]) or None, *self.read_texts(row),
            _birth(int(self.birth_days[row])), int(self.half_points[row]), int(self.ranks[row]), None,
            self.lines[row],
        )  # fmt: skip


@lru_cache(maxsize=50_000)  # few days for many players
def _birth(figure: int) -> Birth:
    """Return a birth of ``birth_days``."""
    year, day = divmod(figure, 10_000)
    return date(year, *divmod(day, 100)) if day else year or None


class TableReport(Report):
    """A report of a table: entrants, rounds and the lines of its file are made when somebody asks for them."""

    __slots__ = ("index", "read_source", "round_days", "table")
    table: ReportTable
    index: int
    """The index of the report in its table."""

    round_days: Sequence[date | None]
    read_source: Callable[[], tuple[str, ...]]

    def __new__(cls, **values: Any) -> Any:
        """Return a plain report: ``dataclasses.replace`` calls this, and what it changes is no longer in the table."""
        return Report(**values)

    def __getattr__(self, name: str) -> Any:
        """Make a part that was not asked for yet; Python calls this only for a slot without a value."""
        if name == "entrants":
            value: Any = tuple(map(self.entrant, range(self.size)))
        elif name == "rounds":
            value = self._make_rounds()
        elif name == "source":
            value = self.read_source()
        else:
            raise AttributeError(name)
        object.__setattr__(self, name, value)
        return value

    @property
    def size(self) -> int:
        """Return the number of entrants."""
        return self.table.size[self.index]

    def _make_rounds(self) -> tuple[Round, ...]:
        table, size, rows = self.table, self.size, self.table.rows(self.index)
        opponents = table.opponents[rows].T.tolist()
        colours, results = (it[rows].T.tobytes().decode("ascii") for it in (table.colours, table.results))
        starts = range(0, len(opponents) * size, size)
        return tuple(
            [
                Round(tuple(numbers), colours[start : start + size], results[start : start + size], day)
                for numbers, start, day in zip(opponents, starts, self.round_days, strict=True)
            ]
        )

    @property
    def round_numbers(self) -> range:
        """Return the numbers of the rounds."""
        return range(1, len(self.round_days) + 1)

    @property
    def paired_rounds(self) -> list[int]:
        """Return the numbers of the rounds in which somebody names an opponent."""
        return self.table.paired_rounds[self.index]

    @property
    def rounds_with_pairs(self) -> int:
        """Return the number of rounds in which two entrants are paired."""
        return self.table.rounds_with_pairs[self.index]

    @property
    def most_pairs(self) -> int:
        """Return how many different pairs there are at most."""
        return self.table.most_pairs[self.index]

    @property
    def all_paired(self) -> bool:
        """Return whether every entrant names an opponent in some round."""
        return self.table.all_paired[self.index]

    @property
    def unplayed_cells(self) -> int:
        """Return how often an entrant names an opponent with whom there was no game."""
        return self.table.unplayed_cells[self.index]

    @property
    def without_federation(self) -> bool:
        """Return whether an entrant has no federation."""
        return self.table.without_federation[self.index]

    @property
    def highest_rating(self) -> int | None:
        """Return the highest rating, None if nobody is rated."""
        return self.table.highest[self.index] or None

    @property
    def first(self) -> int:
        """Return the row of the first entrant."""
        return self.table.first[self.index]

    def column(self, field: str) -> Sequence[Any]:
        """Return a field of all entrants, without creating them."""
        return self.table.column(field, self.table.rows(self.index))

    def entrant(self, place: int) -> Entrant:
        """Return the entrant at a place, without creating the others."""
        return self.table.entrant(self.first, place)


def report_of_table(
    table: ReportTable,
    index: int,
    header: Header,
    days: Sequence[Any],
    format: str,  # noqa: A002  as in Report
    teams: tuple[Team, ...],
    read_source: Callable[[], tuple[str, ...]],
) -> TableReport:
    """Return a report of a table, without other records and findings of a reader; ``days`` are those of its rounds."""
    report = object.__new__(TableReport)
    values = {
        **_NOTHING, "table": table, "index": index, "header": header, "round_days": days, "format": format,
        "teams": teams, "read_source": read_source, "places": _places(table.size[index]),
    }  # fmt: skip
    for name, value in values.items():
        object.__setattr__(report, name, value)
    return report


_NOTHING: Mapping[str, Any] = {
    "findings": (), "national": (), "records": (), "encoding": "utf-8", "first_round": 1,
    "file_map": None,
}  # fmt: skip


@lru_cache(maxsize=512)
def _places(size: int) -> Mapping[int, int]:
    """Return start number → place for the start numbers 1, 2, 3 …; shared by all reports of that size."""
    return {place + 1: place for place in range(size)}
