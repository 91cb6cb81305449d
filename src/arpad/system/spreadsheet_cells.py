"""Texts in the cells of a spreadsheet: none is taken for a formula, and reading gives back what was written."""

from __future__ import annotations

import re

_FORMULA = re.compile(r"'*[=+\-@\t\r]")
_ESCAPED = re.compile(r"'+[=+\-@\t\r]")


def escape(text: str) -> str:
    """Return a text that no spreadsheet program takes for a formula: one that might be gets an apostrophe."""
    return "'" + text if _FORMULA.match(text) else text


def restore(text: str) -> str:
    """Return the text before it was escaped."""
    return text[1:] if _ESCAPED.match(text) else text
