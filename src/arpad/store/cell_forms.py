"""The forms of cells: each function raises an exception for a value that is not so."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date

from arpad.model.rules import ListName


def day(value: str) -> date:
    """Return a day."""
    if len(value) != len("2018-01-01"):
        raise ValueError(value)
    return date.fromisoformat(value)


def day_or_nothing(value: str | None) -> object:
    """Return a day, or nothing."""
    return day(value) if value else value


def list_or_nothing(value: str | None) -> object:
    """Return the name of a list, or nothing."""
    return ListName(value) if value is not None else None


def json_object(value: str) -> None:
    """Read a JSON object."""
    if not isinstance(json.loads(value), dict):
        raise TypeError(value)


def among(*accepted: str) -> Callable[[str], object]:
    """Return the check for one of some texts."""
    return accepted.index


def birth(value: str) -> object:
    """Return a day or a year of birth."""
    from arpad.model.json_values import to_birth  # only ``verify`` asks for it

    return to_birth(value)
