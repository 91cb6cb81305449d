"""The two disciplines: one value for chess and one for draughts, which answer the questions that depend on the game.

How a list is computed, and what it shows, says its rating system (``regulations.rating_system.System``).
"""

from collections.abc import Mapping
from dataclasses import dataclass

from arpad.model.rules import ListName


@dataclass(frozen=True, slots=True, eq=False)
class Discipline:
    """Chess or draughts: how their reports differ."""

    name: str
    schemes: tuple[str, ...]
    """The bodies whose numbers identify players in reports, the first one first."""

    by_time_control: bool
    """Whether the time control of an event decides on which list it is rated; else an officer names the list."""

    signs: Mapping[str, str]
    """How a cross-table writes the result that a report has as this letter."""


CHESS = Discipline(
    "chess",
    schemes=("fide", "fsi"),
    by_time_control=True,
    signs=dict(zip("1=0+-WDLHFU", "1½0+−1½0½11", strict=True)),
)
DRAUGHTS = Discipline(
    "draughts",
    schemes=("fid", "fmjd"),
    by_time_control=False,
    signs=dict(zip("1=0+-WDLHFU", "210+−+=−122", strict=True)),
)
DISCIPLINES = (CHESS, DRAUGHTS)


def discipline_of(on_list: ListName) -> Discipline:
    """Return the discipline of a list."""
    return next(it for it in DISCIPLINES if it.name == on_list.game)
