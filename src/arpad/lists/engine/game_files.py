"""Read histories of games from Parquet and Arrow files, in batches, or as pieces that workers read themselves.

Columns: ``date`` (the day that decides the list), ``white`` and ``black`` (whole numbers above 0), ``score`` (White's
half-points, 0 to 2) or ``result`` (``1-0``, ``0-1``, ``1/2-1/2``), and optionally ``event`` (a whole number for each
tournament). Rows are in the order of their dates.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any, TypeVar, cast

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from arpad.lists.engine.columns import Column
from arpad.lists.engine.game_slices import GameSlice
from arpad.model.errors import BadInput, Unreadable
from arpad.model.people import YEARS

T = TypeVar("T")

BATCH = 1 << 17
"""Games at a time: they stay in the processor's cache, and more would not be faster."""

READ_AHEAD = 4
"""Batches that are read while others are summed up."""

KINDS = (".parquet", ".arrow")
NEEDED = ("date", "white", "black")
RESULTS = {"1-0": 2, "1/2-1/2": 1, "½-½": 1, "0-1": 0}
HIGHEST_ID = (1 << 63) - 1
EPOCH = date(1970, 1, 1).toordinal()
DAYS = date(YEARS[0], 1, 1).toordinal(), date(YEARS[-1], 12, 31).toordinal()


def read_games(path: Path, first: date | None = None, last: date | None = None) -> Iterator[GameSlice]:
    """Yield the games of a file or a folder from one day to another, both included, ``BATCH`` at a time."""
    for games in read_ahead(_read(path)):
        start = int(np.searchsorted(games.day, first.toordinal())) if first else 0
        end = int(np.searchsorted(games.day, last.toordinal(), "right")) if last else len(games)
        if start or end < len(games):
            yield games.games().part(start, end)
        else:
            yield games
        if end < len(games):
            return


def _read(path: Path) -> Iterator[GameSlice]:
    for file in files_of(path):
        row = 0
        for batch in _batches(file):
            yield _game_slice(batch, file, row)
            row += batch.num_rows


def files_of(path: Path) -> list[Path]:
    """Return a file, or all files of a folder in the order of their paths, as in 2019/07.parquet."""
    if not path.is_dir():
        return [path]
    files = sorted(it for kind in KINDS for it in path.rglob(f"*{kind}") if it.is_file())
    if not files:
        raise Unreadable("games-not-there", path=str(path), accepted=", ".join(KINDS))
    return files


def read_ahead(items: Iterable[T]) -> Iterator[T]:
    """Yield the items, computed in another thread ``READ_AHEAD`` items ahead."""
    source, end = iter(items), object()
    with ThreadPoolExecutor(1, "arpad-read-ahead") as thread:
        futures = deque(thread.submit(next, source, end) for _ in range(READ_AHEAD))
        while (item := futures.popleft().result()) is not end:
            futures.append(thread.submit(next, source, end))
            yield cast("T", item)


def count_games(path: Path) -> int | None:
    """Return how many games Parquet files have; None if they would have to be read for that."""
    try:
        return sum(int(pq.read_metadata(file).num_rows) for file in files_of(path))
    except (pa.ArrowException, OSError, ValueError):
        return None


@contextmanager
def _open(path: Path) -> Iterator[tuple[Any, list[str]]]:
    """Open a file of either kind; return it with the columns that are needed."""
    try:
        with path.open("rb") as stream:
            head = stream.read(6)
        if head[:4] == b"PAR1":
            with pq.ParquetFile(path, pre_buffer=False) as file:
                yield file, _columns(file.schema_arrow, path)
        elif head == b"ARROW1":
            with pa.memory_map(str(path)) as source, pa.ipc.open_file(source) as file:
                yield file, _columns(file.schema, path)
        else:
            raise Unreadable("games-not-columns", path=str(path))
    except (pa.ArrowException, OSError, ValueError) as error:
        message = str(error).splitlines()[0] if str(error) else type(error).__name__
        reason = getattr(error, "strerror", None) or message
        raise Unreadable("file-not-opened", path=str(path), reason=reason) from error


def _batches(path: Path) -> Iterator[Any]:
    with _open(path) as (file, columns):
        if isinstance(file, pq.ParquetFile):
            # one thread is enough to be ahead of the sums, and several cost twice the work
            yield from file.iter_batches(BATCH, columns=columns, use_threads=False)
        else:
            for number in range(file.num_record_batches):
                yield _read_group(file, number, columns)


def _read_group(file: Any, number: int, columns: list[str]) -> Any:
    """Return some columns of a row group of a Parquet file that is not empty, or of a batch of an Arrow file.

    Refuse a batch whose values lie outside of the file, which would end the process.
    """
    if isinstance(file, pq.ParquetFile):
        table = file.read_row_group(number, columns=columns, use_threads=False)
        return table.combine_chunks().to_batches()[0]
    batch = file.get_batch(number)
    batch.validate(full=True)
    return batch.select(columns)


# ------------------------------------------------------------------------------------------------------ pieces


@dataclass(frozen=True, slots=True)
class FilePiece:
    """Some rows of one row group of a Parquet file, or of one batch of an Arrow file, not read yet."""

    path: Path
    group: int
    begins: int
    """The row of the file at which the group begins."""

    start: int
    end: int
    """Rows inside the group."""

    first: int
    last: int

    def __len__(self) -> int:
        return self.end - self.start

    def cut(self, day: int) -> tuple[FilePiece, FilePiece]:
        """Return the games before a day, and the others; only the days are read."""
        if day <= self.first or day > self.last:
            whole, none = self, replace(self, end=self.start)
            return (none, whole) if day <= self.first else (whole, none)
        days = _group_days(self.path, self.group, self.begins)[self.start : self.end]
        index = int(np.searchsorted(days, day))
        before = replace(self, end=self.start + index, last=int(days[index - 1]))
        return before, replace(self, start=self.start + index, first=int(days[index]))

    def games(self) -> GameSlice:
        """Return the games; refuse them if they are not in the order that the file states."""
        with _open(self.path) as (file, columns):
            rows = _read_group(file, self.group, columns).slice(self.start, len(self))
            games = _game_slice(rows, self.path, self.begins + self.start).games()
        if len(games) != len(self) or (games.first, games.last) != (self.first, self.last):
            raise BadInput("games-not-in-order", column="date")
        return games


def file_pieces(path: Path, first: date | None = None, last: date | None = None) -> Iterator[FilePiece]:
    """Yield the row groups of a file or a folder from one day to another, both included."""
    for file in files_of(path):
        begins = 0
        for group, (rows, days) in enumerate(_groups(file)):
            if rows:
                piece = FilePiece(file, group, begins, 0, rows, *days)
                if first:
                    piece = piece.cut(first.toordinal())[1]
                if last:
                    piece = piece.cut(last.toordinal() + 1)[0]
                if len(piece):
                    yield piece
            begins += rows


def _groups(path: Path) -> list[tuple[int, tuple[int, int]]]:
    """Return the number of rows of each group, and its first and last day."""
    groups = []
    begins = 0
    with _open(path) as (file, _):
        if not isinstance(file, pq.ParquetFile):
            for number in range(file.num_record_batches):
                days = _days(_read_group(file, number, ["date"]).column(0), path, begins)
                groups.append((len(days), _first_and_last(days)))
                begins += len(days)
            return groups
        column = file.schema_arrow.get_field_index("date")
        for number in range(file.metadata.num_row_groups):
            group = file.metadata.row_group(number)
            stated = _stated_days(group.column(column)) if group.num_rows else (0, 0)
            groups.append((group.num_rows, stated or _first_and_last(_group_days(path, number, begins))))
            begins += group.num_rows
    return groups


def _stated_days(column: Any) -> tuple[int, int] | None:
    """Return the first and the last day of a group from the statistics of its file, if they are plausible."""
    statistics = column.statistics
    if statistics is None or not statistics.has_min_max or not isinstance(statistics.min, date):
        return None
    plausible = statistics.min.year in YEARS and statistics.max.year in YEARS
    return (statistics.min.toordinal(), statistics.max.toordinal()) if plausible else None


def _first_and_last(days: Column) -> tuple[int, int]:
    return (int(days[0]), int(days[-1])) if len(days) else (0, 0)


def _group_days(path: Path, group: int, begins: int) -> Column:
    """Return the days of one group, in order."""
    with _open(path) as (file, _):
        days = _days(_read_group(file, group, ["date"]).column(0), path, begins)
    if bool((days[1:] < days[:-1]).any()):
        raise BadInput("games-not-in-order", column="date")
    return days


def _columns(schema: Any, path: Path) -> list[str]:
    names = set(schema.names)
    score = "score" if "score" in names else "result"
    for column in (*NEEDED, score):
        if column not in names:
            accepted = "date, white, black, score, result, event"
            raise Unreadable("games-column-missing", path=str(path), column=column, accepted=accepted)
    return [*NEEDED, score, *(["event"] if "event" in names else [])]


def _game_slice(batch: Any, path: Path, row: int) -> GameSlice:
    columns = dict(zip(batch.schema.names, batch.columns, strict=True))
    for name, column in columns.items():
        _refuse_nulls(column, name, path, row)
    white, black = (_players(columns[name], name, path, row) for name in ("white", "black"))
    _refuse(white == black, black, "black", path, row)
    day = _days(columns["date"], path, row)
    if "score" in columns:
        score = _numbers(columns["score"], "score", path, row)
        if not 0 <= int(score.min(initial=0)) <= int(score.max(initial=0)) <= 2:  # noqa: PLR2004  half-points
            _refuse((score < 0) | (score > 2), score, "score", path, row)  # noqa: PLR2004  half-points of one game
    else:
        score = _scores(columns["result"], path, row)
    event = None
    if "event" in columns:
        # one type for all files: joined with signed numbers, unsigned ones would become floats
        event = _numbers(columns["event"], "event", path, row).astype(np.int64, copy=False)
    return GameSlice(day, white, black, score.astype(np.int8, copy=False), event)


def _refuse_nulls(column: Any, name: str, path: Path, row: int) -> None:
    if column.null_count:
        empty = int(np.flatnonzero(column.is_null().to_numpy(zero_copy_only=False))[0])
        raise Unreadable("games-value", path=str(path), column=name, row=row + empty + 1, value="")


def _days(column: Any, path: Path, row: int) -> Column:
    """Return days as ordinals."""
    _refuse_nulls(column, "date", path, row)
    if not pa.types.is_date32(column.type):
        column = _cast(column, pa.date32(), "date", path, row)
    days = np.asarray(column.cast(pa.int32()).to_numpy(zero_copy_only=False) + np.int32(EPOCH))
    first, last = DAYS
    if int(days.min(initial=first)) < first or int(days.max(initial=last)) > last:
        _refuse((days < first) | (days > last), column, "date", path, row)
    return days


def _numbers(column: Any, name: str, path: Path, row: int) -> Column:
    if not pa.types.is_integer(column.type):
        value = str(column[0]) if len(column) else ""
        raise Unreadable("games-value", path=str(path), column=name, row=row + 1, value=value)
    return np.asarray(column.to_numpy(zero_copy_only=False))


def _players(column: Any, name: str, path: Path, row: int) -> Column:
    """Return the ids of players, in a type that every index accepts."""
    players = _numbers(column, name, path, row)
    if int(players.min(initial=1)) < 1 or int(players.max(initial=1)) > HIGHEST_ID:
        _refuse((players < 1) | (players > HIGHEST_ID), players, name, path, row)
    return players if players.dtype in (np.int32, np.int64) else players.astype(np.int64)


def _cast(column: Any, kind: Any, name: str, path: Path, row: int) -> Any:
    try:
        return column.cast(kind)
    except pa.ArrowException:
        value = str(column[0]) if len(column) else ""
        raise Unreadable("games-value", path=str(path), column=name, row=row + 1, value=value) from None


def _scores(column: Any, path: Path, row: int) -> Column:
    texts = pc.dictionary_encode(column) if not pa.types.is_dictionary(column.type) else column
    words = [str(text) for text in texts.dictionary.to_pylist()]
    worth = np.array([RESULTS.get(text, -1) for text in words], np.int8)
    score = worth[texts.indices.to_numpy(zero_copy_only=False)]
    _refuse(score < 0, column, "result", path, row)
    return np.asarray(score)


def _refuse(wrong: Column, values: Any, name: str, path: Path, row: int) -> None:
    if wrong.any():
        index = int(np.flatnonzero(wrong)[0])
        raise Unreadable(
            "games-value", path=str(path), column=name, row=row + index + 1, value=str(values[index])
        )
