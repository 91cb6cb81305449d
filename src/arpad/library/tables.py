"""A result as rows and as a table of Polars, pandas or Arrow, where that library is installed."""

from __future__ import annotations

import os
from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from arpad.lists.rating_lookup import read_list_rows
from arpad.model.errors import BadInput
from arpad.reports.formats.lists.fide_rows import ListRow
from arpad.reports.number_schemes import find_player
from arpad.system.extras import are_installed

if TYPE_CHECKING:
    import polars as pl

Row = dict[str, Any]
"""One row: the name of a column → its value. Points and changes are exact fractions."""


class Rows:
    """A result with one row for each of its parts; in a table fractions become floating-point numbers."""

    __slots__ = ()

    COLUMNS: ClassVar[Mapping[str, type]] = {}
    """Name → type of its values: int, float, str or bool. Every column may have blanks."""

    @abstractmethod
    def rows(self) -> list[Row]:
        """Return the rows as dictionaries, with exact values."""

    def to_polars(self) -> pl.DataFrame:
        """Return the rows as a Polars DataFrame."""
        polars = _library("polars", "to_polars")
        return polars.DataFrame(self._columns(), schema=_schema(self.COLUMNS, polars, _POLARS))  # type: ignore[no-any-return]

    def to_pandas(self) -> Any:
        """Return the rows as a pandas DataFrame."""
        pandas = _library("pandas", "to_pandas")
        kinds = {name: _PANDAS[kind] for name, kind in self.COLUMNS.items()}
        return pandas.DataFrame(
            {name: pandas.array(values, dtype=kinds[name]) for name, values in self._columns().items()}
        )

    def to_arrow(self) -> Any:
        """Return the rows as an Arrow table (pyarrow)."""
        arrow = _library("pyarrow", "to_arrow")
        fields = [(name, getattr(arrow, _ARROW[kind])()) for name, kind in self.COLUMNS.items()]
        return arrow.table(self._columns(), schema=arrow.schema(fields))

    def _columns(self) -> dict[str, list[Any]]:
        rows = self.rows()
        return {name: [_plain(row[name]) for row in rows] for name in self.COLUMNS}


_POLARS = {int: "Int64", float: "Float64", str: "String", bool: "Boolean"}
_PANDAS = {int: "Int64", float: "Float64", str: "string", bool: "boolean"}
_ARROW = {int: "int64", float: "float64", str: "string", bool: "bool_"}


def _schema(columns: Mapping[str, type], library: Any, names: Mapping[type, str]) -> dict[str, Any]:
    return {name: getattr(library, names[kind]) for name, kind in columns.items()}


def _plain(value: Any) -> Any:
    return float(value) if isinstance(value, Fraction) else value


def _library(package: str, method: str) -> Any:
    """Return a library of tables, or refuse in one sentence if it is not installed."""
    if not are_installed(package):
        raise BadInput("table-library-missing", package=package, method=method)
    return import_module(package)


# ------------------------------------------------------------------------------------------------------ lists


def read_list(path: str | os.PathLike[str]) -> RatingList:
    """Read a rating list: FIDE's text or XML, a CSV, or a list that Arpad published.

    A combined list has standard, rapid and blitz ratings in each row.
    Raises ``Unreadable``.
    """
    return RatingList([row for row, _ in read_list_rows(Path(path))])


class RatingList(Rows):
    """A rating list, as ``arpad.read_list`` returns it, in the order of the file.

    players: the rows, each with id, name, federation, sex, title, rating, games, k, born and flag
    get(number): the player with a number, or None      find(player): by number or name
    rows(), to_polars(), to_pandas(), to_arrow(): one row for each player
    """

    __slots__ = ("_by_id", "players")
    COLUMNS: ClassVar[Mapping[str, type]] = {
        "id": int, "name": str, "federation": str, "sex": str, "title": str, "rating": int, "games": int, "k": int,
        "rapid_rating": int, "rapid_games": int, "rapid_k": int, "blitz_rating": int, "blitz_games": int,
        "blitz_k": int, "born": str, "flag": str,
    }  # fmt: skip

    def __init__(self, players: Sequence[ListRow]) -> None:
        self.players = tuple(players)
        self._by_id = {player.id: player for player in self.players}

    def __repr__(self) -> str:
        return f"<arpad.RatingList {len(self)} players>"

    def __len__(self) -> int:
        return len(self.players)

    def __iter__(self) -> Iterator[ListRow]:
        return iter(self.players)

    def get(self, identifier: int) -> ListRow | None:
        """Return the player with a number, None if the list has no such player."""
        return self._by_id.get(identifier)

    def find(self, player: int | str) -> ListRow:
        """Return the player with a number or a name."""
        return find_player(self.players, str(player), lambda row: (row.id, str(row.id), row.name))

    def rows(self) -> list[Row]:
        """Return one row for each player."""
        return [
            {name: getattr(row, name) for name in self.COLUMNS}
            | {"born": str(row.born) if row.born else None}
            for row in self.players
        ]
