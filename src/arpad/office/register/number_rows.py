"""The players of the register by FIDE number, as columns: thousands of entrants are compared without a query.

The columns are those of players as they were registered, in parts of ``store.column_parts``; the process that forks
others loads them once. Players of later acts, and numbers that are no plain integers, are not in them and are looked up
in the tables. The reader of the columns asks which facts and numbers have changed since.
"""

from __future__ import annotations

from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
import polars as pl
from numpy.typing import NDArray
from sqlalchemy import Connection, Engine

from arpad.office.register.name_rows import NameRows, erased_since
from arpad.reports.duplicates import RESULTS
from arpad.reports.letter_arrays import EIGHT, same_texts
from arpad.reports.mark_columns import player_digests
from arpad.store.column_parts import parts_of

NUMBERS = "numbers"
"""The name of the parts."""

SCHEME = "fide"

Array = NDArray[Any]


class NumberColumns(NamedTuple):
    """Players by number, in the order of the numbers."""

    numbers: Array
    players: Array
    years: Array
    """Years of birth, 0 if unknown."""

    digests: Array
    """By row: the digests of a player with each result, from which the marks of games are made."""

    sizes: Array
    """The length of each name, in bytes of UTF-8."""

    names: Array
    """The bytes of all names, one after the other."""

    def packed(self) -> bytes:
        """Return the columns as the data of a part, which begin with the number of rows."""
        return b"".join((len(self.numbers).to_bytes(8, "little"), *(column.tobytes() for column in self)))

    @classmethod
    def unpacked(cls, data: bytes) -> NumberColumns:
        """Return the columns of a part."""
        count, begin = int.from_bytes(data[:8], "little"), 8
        columns: list[Array] = []
        for kind, width in _KINDS:
            column = np.frombuffer(data, kind, count * width, begin)
            begin += column.nbytes
            columns.append(column.reshape(-1, width) if width > 1 else column)
        numbers, player_ids, years, digests, sizes = columns
        return cls(numbers, player_ids, years, digests, sizes, np.frombuffer(data, np.uint8, offset=begin))


_KINDS = ((np.int64, 1), (np.int64, 1), (np.int16, 1), (np.uint64, len(RESULTS)), (np.uint16, 1))
"""The types of the columns before the names, and how many values each row has."""


class RegisterNumbers:
    """The columns of all parts, ready to be searched."""

    def __init__(self, parts: list[NumberColumns], last_act: int) -> None:
        """Put the rows of the parts into one order."""
        self.last_act = last_act
        """The last act that the columns know of."""

        *columns, names = zip(*parts, strict=True)
        numbers, self.players, self.years, self.digests, sizes = (
            np.concatenate(column) if len(parts) > 1 else column[0] for column in columns
        )
        self._names = np.concatenate([*names, np.zeros(EIGHT, np.uint8)])
        ends = np.cumsum(sizes, dtype=np.int64)
        self._begins, self._sizes = ends - sizes, sizes
        self._order = np.argsort(numbers, kind="stable") if len(parts) > 1 else None
        self._numbers = numbers if self._order is None else numbers[self._order]

    def rows(self, numbers: Array) -> Array:
        """Return the row of each number, -1 for a number that is not there."""
        places = np.minimum(np.searchsorted(self._numbers, numbers), len(self._numbers) - 1)
        rows = places if self._order is None else self._order[places]
        return np.where(self._numbers[places] == numbers, rows, -1)

    def have_names(self, rows: Array, names: bytes) -> Array:
        """Return for each of some rows whether its name is the next of ``names``, each of which ends with a line."""
        letters = np.frombuffer(names + bytes(EIGHT), np.uint8)
        ends = np.flatnonzero(letters == ord("\n"))
        begins = np.append(0, ends[:-1] + 1)
        sizes = ends - begins
        same: Array = self._sizes[rows] == sizes
        places = np.flatnonzero(same)
        same[places] = same_texts(
            letters, begins[places], self._names, self._begins[rows[places]], sizes[places]
        )
        return same


_LOADED: WeakKeyDictionary[Engine, RegisterNumbers] = WeakKeyDictionary()


def load_numbers(connection: Connection) -> RegisterNumbers | None:
    """Return the columns for processes that are copied from this one, None if the parts have no numbers."""
    parts = parts_of(connection, NUMBERS)
    if not parts or not all(part.is_intact() for part in parts):
        return None
    columns = [NumberColumns.unpacked(part.data) for part in parts]
    return RegisterNumbers(columns, parts[-1].act) if any(len(it.numbers) for it in columns) else None


def adopt_numbers(engine: Engine, numbers: RegisterNumbers | None) -> None:
    """Keep columns that were loaded from the same database."""
    if numbers is not None:
        _LOADED[engine] = numbers


def kept_numbers(connection: Connection) -> RegisterNumbers | None:
    """Return the columns that this process keeps, None if there are none or if a name was erased since."""
    numbers = _LOADED.get(connection.engine)
    return None if numbers is None or erased_since(connection, numbers.last_act) else numbers


# --------------------------------------------------------------------------------------------------------- parts


def number_columns(people: pl.DataFrame, numbers: pl.DataFrame, names: NameRows) -> NumberColumns:
    """Return the numbers of players of the register, whose names are ``names``, in the order of the numbers."""
    plain = (pl.col("scheme") == SCHEME) & pl.col("value").str.contains(_PLAIN_NUMBER)
    short = people.select("player", "name", pl.int_range(pl.len()).alias("row")).filter(
        pl.col("name").str.len_bytes() <= _LONGEST
    )
    rows = numbers.filter(plain).select(pl.col("value").cast(pl.Int64), "player").join(short, on="player")
    rows = rows.sort("value")
    places = rows["row"].to_numpy()
    lines = names.lines.decode().split("\n")
    return NumberColumns(
        rows["value"].to_numpy(),
        rows["player"].to_numpy(),
        np.frombuffer(names.years, np.int16)[places],
        player_digests([" ".join(sorted(lines[place].split())) for place in places.tolist()]),
        rows["name"].str.len_bytes().cast(pl.UInt16).to_numpy(),
        np.frombuffer("".join(rows["name"].to_list()).encode(), np.uint8),
    )


_LONGEST = 1000
"""Bytes of a name that is in the columns."""

_PLAIN_NUMBER = "^[1-9][0-9]{0,17}$"
"""Numbers that are written as their integers are."""
