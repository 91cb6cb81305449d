"""Compute a list from its inputs: a pure function, the same with a database and with a bundle."""

from __future__ import annotations

from arpad.lists.compute_chess import compute_chess_list
from arpad.lists.inputs import ON_COLUMNS, Inputs
from arpad.lists.result import ListResult
from arpad.model.disciplines import DRAUGHTS, discipline_of


def compute_list(inputs: Inputs) -> ListResult:
    """Compute a list from its inputs, federation lists without the inactive if the edition says so (7.23b).

    A chess list is computed on columns; without NumPy and Polars it is computed in the readable way. Both return the
    same bytes.
    """
    if inputs.system is not None:
        from arpad.lists.system_table import compute_own_list  # as below

        return compute_own_list(inputs, inputs.system)
    if discipline_of(inputs.on_list) is DRAUGHTS:
        from arpad.lists.compute_draughts import compute_draughts_list  # a chess list needs nothing of it

        return compute_draughts_list(inputs)
    if ON_COLUMNS:
        from arpad.lists.compute_fast import compute_list_fast  # NumPy is an extra

        return compute_list_fast(inputs)
    return compute_chess_list(inputs)
