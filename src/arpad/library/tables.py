"""A result as rows and as a table of Polars, pandas or Arrow, where that library is installed."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from fractions import Fraction
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar

from arpad.model.errors import BadInput
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
        schema = {name: getattr(polars, _POLARS[kind]) for name, kind in self.COLUMNS.items()}
        return polars.DataFrame(self._columns(), schema=schema)  # type: ignore[no-any-return]

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


def _plain(value: Any) -> Any:
    return float(value) if isinstance(value, Fraction) else value


def _library(package: str, method: str) -> Any:
    """Return a library of tables, or refuse in one sentence if it is not installed."""
    if not are_installed(package):
        raise BadInput("table-library-missing", package=package, method=method)
    return import_module(package)
