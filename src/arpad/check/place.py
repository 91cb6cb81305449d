"""Where things stand in the file that a report came from, so that a finding can point at them.

Findings are made for what is wrong only, so the lines of the header are looked for when one is needed.
"""

from __future__ import annotations

from arpad.model import Fact
from arpad.report import Report

_FIELDS = {"number": 5, "name": 15, "rating": 49, "federation": 54, "id": 58, "half_points": 81, "rank": 86}
_FIRST_CELL, _CELL_STEP = 92, 10
_IN_CELL = {"opponent": 0, "colour": 5, "result": 7}
_HEADER_TEXT = 5


def of_player(report: Report, place: int, field: str = "") -> dict[str, Fact]:
    """The place of a participant, at one of the columns that Entrant names."""
    entrant = report.entrants[place]
    column = _FIELDS.get(field) if _in_columns(report) else None
    return {"line": entrant.line, "column": column, "player": entrant.number}


def of_cell(report: Report, place: int, round_number: int, field: str) -> dict[str, Fact]:
    """The place of a participant's cell in a round: its ``opponent``, ``colour`` or ``result``."""
    start = _FIRST_CELL + _CELL_STEP * (round_number - 1)
    column = start + _IN_CELL[field] if _in_columns(report) else None
    return {**of_player(report, place), "column": column, "round": round_number}


def of_round(report: Report, round_number: int) -> dict[str, Fact]:
    """The place where the day of a round stands."""
    column = _FIRST_CELL + _CELL_STEP * (round_number - 1)
    return {**of_header(report, "132", column=column), "round": round_number}


def of_header(report: Report, *tags: str, column: int = _HEADER_TEXT) -> dict[str, Fact]:
    """The place of the first line with one of these tags."""
    if not _in_columns(report):
        return {}
    for line, text in enumerate(report.source, start=1):
        if text.lstrip("\ufeff")[:3] in tags:
            return {"line": line, "column": column}
    return {}


def _in_columns(report: Report) -> bool:
    return report.format.startswith("trf")
