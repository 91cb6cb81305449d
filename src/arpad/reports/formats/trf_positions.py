"""Where everything stands in a line of FIDE's report file: readers cut by it, findings point at it.

Columns are counted from one and include both ends, as the regulations print them.
"""

from __future__ import annotations

from collections.abc import Mapping

PLAYER: Mapping[str, tuple[int, int]] = {
    "number": (5, 8),
    "sex": (10, 10),
    "title": (11, 13),
    "name": (15, 47),
    "rating": (49, 52),
    "federation": (54, 56),
    "id": (58, 68),
    "born": (70, 79),
    "half_points": (81, 84),
    "rank": (86, 89),
}
"""First and last column of each field of a player, named as in ``Entrant``."""

FIRST_CELL = 92
CELL_STEP = 10
CELL: Mapping[str, tuple[int, int]] = {"opponent": (1, 4), "colour": (6, 6), "result": (8, 8)}
"""One round, counted from its own first column."""

HEADER_TEXT = 5
"""Where the text of a line about the tournament begins."""


def cell_column(round_number: int) -> int:
    """The column at which the cell of a round begins."""
    return FIRST_CELL + CELL_STEP * (round_number - 1)
