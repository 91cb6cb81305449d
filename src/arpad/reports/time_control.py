"""Time controls: what an arbiter writes, as periods that can be counted.

Two ways of writing are read: a ``code`` (``40/6000+30:900+30``) and free ``text`` ("90 min + 30 sec per move"). Nothing
raises: what cannot be read has no periods and names the ``problem``; what was supplied by a rule is listed in
``assumed``.
"""

from __future__ import annotations

from functools import lru_cache

from arpad.reports.time_control_code import parse_code
from arpad.reports.time_control_text import parse_text
from arpad.reports.time_control_value import ControlPeriod, TimeControl

__all__ = ["ControlPeriod", "TimeControl", "parse_code", "parse_text", "read"]


@lru_cache(maxsize=1024)
def read(text: str, code: str = "") -> TimeControl:
    """The time control of a report: its code where that can be read, otherwise its free text."""
    coded = parse_code(code)
    return coded if coded.readable or not text.strip() else parse_text(text)
