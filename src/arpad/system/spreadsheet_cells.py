"""Escape texts for spreadsheet cells, so that none is taken for a formula, and restore them when reading."""

from __future__ import annotations

import re

FORMULA = r"^'*[=+\-@\t\r]"
"""The beginning of a text that is escaped."""

_FORMULA = re.compile(FORMULA)
_ESCAPED = re.compile(r"'+[=+\-@\t\r]")


def escape(text: str) -> str:
    """Return a text that no spreadsheet program takes for a formula, if needed with an apostrophe before it."""
    return "'" + text if _FORMULA.match(text) else text


def restore(text: str) -> str:
    """Return the text before it was escaped."""
    return text[1:] if _ESCAPED.match(text) else text
