"""Compute a list from its inputs: a pure function, the same with a database and with a bundle."""

from __future__ import annotations

from arpad.lists.compute_chess import compute_chess_list
from arpad.lists.inputs import ON_COLUMNS, Inputs
from arpad.lists.result import ListResult
from arpad.model.disciplines import DRAUGHTS, discipline_of

FAST_FROM = 2_000
"""Players and entrants from which on a chess list is computed on columns, if NumPy is installed."""


def compute_list(inputs: Inputs, *, fast_from: int | None = None) -> ListResult:
    """Compute a list from its inputs, federation lists without the inactive if the edition says so (7.23b).

    A chess list is computed on columns from ``fast_from`` players and entrants on, by default ``FAST_FROM``; both paths
    return the same bytes.
    """
    if discipline_of(inputs.on_list) is DRAUGHTS:
        from arpad.lists.compute_draughts import compute_draughts_list  # a chess list needs nothing of it

        return compute_draughts_list(inputs)
    size = len(inputs.states) + sum(len(event.players) for event in inputs.events)
    if ON_COLUMNS and size >= (FAST_FROM if fast_from is None else fast_from):
        from arpad.lists.compute_fast import compute_list_fast  # NumPy is an extra

        return compute_list_fast(inputs)
    return compute_chess_list(inputs)
