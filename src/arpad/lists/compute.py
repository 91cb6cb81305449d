"""Compute a list from its inputs: a pure function, the same with a database and with a bundle."""

from importlib import import_module

from arpad.lists.compute_chess import compute_chess_list
from arpad.lists.inputs import ON_COLUMNS, Inputs
from arpad.lists.result import ListResult
from arpad.regulations.systems import system_of


def compute_list(inputs: Inputs) -> ListResult:
    """Compute a list from its inputs, as its system declares; the modules of other systems are not loaded."""
    module, _, function = system_of(inputs.on_list).computed_by.rpartition(".")
    result: ListResult = getattr(import_module(module), function)(inputs)
    return result


def compute_fide_list(inputs: Inputs) -> ListResult:
    """Compute a chess list on columns; without NumPy and Polars in the readable way. Both return the same bytes.

    Federation lists are without the inactive if the edition says so (7.23b).
    """
    if not ON_COLUMNS:
        return compute_chess_list(inputs)
    from arpad.lists.compute_fast import compute_list_fast  # NumPy is an extra

    return compute_list_fast(inputs)
