"""The code of TRF record 222 and of a PGN tag, in seconds."""

from __future__ import annotations

import re

from arpad.reports.time_control_value import LONGEST_TEXT, ControlPeriod, TimeControl, checked

_CODE = re.compile(r"(?:([0-9]{1,3})/)?([0-9]{1,6})(?:\+([0-9]{1,4}))?")


def parse_code(code: str) -> TimeControl:
    """``40/6000+30:900+30``: moves/seconds+increment, periods separated by colons."""
    text = code.strip()
    if text in ("", "-", "?"):
        return TimeControl(code, problem="time-control-empty")
    if len(text) > LONGEST_TEXT:
        return TimeControl(code, problem="time-control-not-understood")
    periods: list[ControlPeriod] = []
    for part in re.split(r"\s*:\s*", text):
        match = _CODE.fullmatch(part)
        if match is None:
            return TimeControl(code, problem="time-control-not-understood", word=part)
        moves, seconds, increment = match.groups()
        periods.append(ControlPeriod(int(moves) if moves else None, int(seconds), int(increment or 0)))
    return checked(TimeControl(code, tuple(periods)))
