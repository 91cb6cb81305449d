"""Compute a list from its inputs: a pure function, the same with a database and with a bundle."""

from __future__ import annotations

from importlib import import_module

from arpad.lists.inputs import Inputs
from arpad.lists.result import ListResult
from arpad.regulations.systems import system_of


def compute_list(inputs: Inputs) -> ListResult:
    """Compute a list from its inputs, as its system declares; the modules of other systems are not loaded."""
    module, _, function = system_of(inputs.on_list).computed_by.rpartition(".")
    result: ListResult = getattr(import_module(module), function)(inputs)
    return result
