"""Histories of games in Parquet and Arrow files, read in batches.

Columns: ``date`` (the day that decides the list), ``white`` and ``black`` (whole numbers above nought), ``score``
(White's half-points, 0 to 2) or ``result`` (``1-0``, ``0-1``, ``1/2-1/2``), and ``event`` where tournaments are told
apart (a whole number). Rows stand in the order of their dates.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from arpad.engine.columns import Column
from arpad.engine.replay import Played
from arpad.errors import BadInput, Unreadable

if find_spec("pyarrow") is None:
    raise BadInput("extra-missing", extra="scale", package="pyarrow")

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

BATCH = 1 << 20
NEEDED = ("date", "white", "black")
RESULTS = {"1-0": 2, "1/2-1/2": 1, "½-½": 1, "0-1": 0}
EPOCH = date(1970, 1, 1).toordinal()


def read_games(path: Path, first: date | None = None, last: date | None = None) -> Iterator[Played]:
    """The games of a file from one day to another, both included, a million or so at a time."""
    row = 0
    for batch in _batches(path):
        played = _played(batch, path, row)
        row += batch.num_rows
        start = int(np.searchsorted(played.day, first.toordinal())) if first else 0
        end = int(np.searchsorted(played.day, last.toordinal(), "right")) if last else len(played)
        if start or end < len(played):
            _sorted(played)
            played = played.part(start, end)
        yield played
        if last and end < batch.num_rows:
            return


def count_games(path: Path) -> int | None:
    """How many games a Parquet file has; nothing where only reading would tell."""
    try:
        return int(pq.ParquetFile(path).metadata.num_rows)
    except (pa.ArrowException, OSError):
        return None


def _batches(path: Path) -> Iterator[Any]:
    try:
        with path.open("rb") as stream:
            head = stream.read(6)
        if head[:4] == b"PAR1":
            file = pq.ParquetFile(path)
            columns = _columns(file.schema_arrow, path)
            yield from file.iter_batches(BATCH, columns=columns)
        elif head == b"ARROW1":
            with pa.memory_map(str(path)) as source, pa.ipc.open_file(source) as file:
                columns = _columns(file.schema, path)
                for number in range(file.num_record_batches):
                    yield file.get_batch(number).select(columns)
        else:
            raise Unreadable("games-not-columns", path=str(path))
    except (pa.ArrowException, OSError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise Unreadable("file-not-opened", path=str(path), reason=reason) from error


def _columns(schema: Any, path: Path) -> list[str]:
    names = set(schema.names)
    score = "score" if "score" in names else "result"
    for column in (*NEEDED, score):
        if column not in names:
            accepted = "date, white, black, score, result, event"
            raise Unreadable("games-column-missing", path=str(path), column=column, accepted=accepted)
    return [*NEEDED, score, *(["event"] if "event" in names else [])]


def _played(batch: Any, path: Path, row: int) -> Played:
    columns = dict(zip(batch.schema.names, batch.columns, strict=True))
    for name, column in columns.items():
        if column.null_count:
            empty = int(np.flatnonzero(column.is_null().to_numpy(zero_copy_only=False))[0])
            raise Unreadable("games-value", path=str(path), column=name, row=row + empty + 1, value="")
    white, black = (_numbers(columns[name], name, path, row) for name in ("white", "black"))
    for name, players in (("white", white), ("black", black)):
        _refuse(players < 1, players, name, path, row)
    _refuse(white == black, black, "black", path, row)
    days = columns["date"]
    if not pa.types.is_date32(days.type):
        days = _cast(days, pa.date32(), "date", path)
    day = days.cast(pa.int32()).to_numpy(zero_copy_only=False) + np.int32(EPOCH)
    if "score" in columns:
        score = _numbers(columns["score"], "score", path, row)
        _refuse((score < 0) | (score > 2), score, "score", path, row)  # noqa: PLR2004  half-points
    else:
        score = _scores(columns["result"], path, row)
    event = _numbers(columns["event"], "event", path, row) if "event" in columns else None
    return Played(day, white, black, score.astype(np.int8), event)


def _numbers(column: Any, name: str, path: Path, row: int) -> Column:
    if not pa.types.is_integer(column.type):
        value = str(column[0]) if len(column) else ""
        raise Unreadable("games-value", path=str(path), column=name, row=row + 1, value=value)
    return np.asarray(column.to_numpy(zero_copy_only=False))


def _cast(column: Any, kind: Any, name: str, path: Path) -> Any:
    try:
        return column.cast(kind)
    except pa.ArrowException:
        value = str(column[0]) if len(column) else ""
        raise Unreadable("games-value", path=str(path), column=name, row=1, value=value) from None


def _scores(column: Any, path: Path, row: int) -> Column:
    texts = pc.dictionary_encode(column) if not pa.types.is_dictionary(column.type) else column
    words = [str(text) for text in texts.dictionary.to_pylist()]
    worth = np.array([RESULTS.get(text, -1) for text in words], np.int8)
    score = worth[texts.indices.to_numpy(zero_copy_only=False)]
    _refuse(score < 0, column, "result", path, row)
    return np.asarray(score)


def _refuse(wrong: Column, values: Any, name: str, path: Path, row: int) -> None:
    if wrong.any():
        place = int(np.flatnonzero(wrong)[0])
        raise Unreadable(
            "games-value", path=str(path), column=name, row=row + place + 1, value=str(values[place])
        )


def _sorted(played: Played) -> None:
    if bool((np.diff(played.day) < 0).any()):
        raise BadInput("games-not-in-order", column="date")
