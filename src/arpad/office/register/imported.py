"""The result of importing the rows of a list, of chess or draughts, into register and list."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

from arpad.model.people import Birth

if TYPE_CHECKING:
    import polars as pl

Progress = Callable[[int], None]
"""Called with the number of rows read so far."""


@dataclass(frozen=True, slots=True)
class ImportedRows:
    """The rows of a list as they were read into the register."""

    table: pl.DataFrame
    """The players of the list."""

    edition: str
    rows: int
    newcomers: int
    changed: int
    undated: int = 0
    """Draughts: players without a known last event."""

    no_federations: tuple[str, ...] = ()
    """The codes in the column of federations that are no federations' and were left out."""

    month: date | None = None
    """The first day of the month that the header of a chess list names, if it names one."""

    added: Sequence[pl.DataFrame] = ()
    """The rows that were added to the register, if they are columns."""


def is_new_birth(listed: Birth, known: Birth) -> bool:
    """Return whether a listed birth is news: different, and not only the year of a known day."""
    return listed != known and not (isinstance(known, date) and listed == known.year)
