"""Whole numbers and points as files write them."""

from __future__ import annotations

import re

from arpad.model.exact import HalfPoints

_LONGEST = 15
_THOUSANDS = re.compile(r"[1-9][0-9]{0,2}(?:\.[0-9]{3})+")
_HALVES = {"": 0, "0": 0, "5": 1, "00": 0, "50": 1}


def digits(text: str) -> int | None:
    """Return a number of plain digits without sign; None for anything else or more than 15 digits."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _LONGEST else None


def whole_number(text: str) -> int | None:
    """Return a whole number in a sheet, where 3.479 may have a point at the thousands."""
    return digits(text.replace(".", "") if _THOUSANDS.fullmatch(text) else text)


def half_points(text: str) -> HalfPoints | None:
    """Return decimal points as half-points; None if they are no multiple of a half."""
    whole, _, rest = text.strip().replace(",", ".").partition(".")
    halves = _HALVES.get(rest)
    number = digits(whole or "0")
    return None if number is None or halves is None else 2 * number + halves
