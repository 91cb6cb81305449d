"""Line and column of a finding in the file of a report.

The lines of the header are searched only when a finding needs one.
"""

from __future__ import annotations

from arpad.model.rules import Fact
from arpad.reports.formats.trf_columns import CELL, HEADER_TEXT, PLAYER, cell_column
from arpad.reports.report import Report


def of_player(report: Report, index: int, field: str = "") -> dict[str, Fact]:
    """Return the position of a participant, or of a column named as in ``Entrant``."""
    entrant = report.entrants[index]
    column = PLAYER.by_name[field].first if field and _in_columns(report) else None
    return {"line": entrant.line, "column": column, "player": entrant.number}


def of_cell(report: Report, index: int, round_number: int, field: str) -> dict[str, Fact]:
    """Return the position of the ``opponent``, ``colour`` or ``result`` of a participant in a round."""
    column = cell_column(round_number) + CELL.by_name[field].first - 1 if _in_columns(report) else None
    return {**of_player(report, index), "column": column, "round": round_number}


def of_round(report: Report, round_number: int) -> dict[str, Fact]:
    """Return the position of the day of a round."""
    return {**of_header(report, "132", column=cell_column(round_number)), "round": round_number}


def of_header(report: Report, *tags: str, column: int = HEADER_TEXT) -> dict[str, Fact]:
    """Return the position of the first line with one of the tags."""
    if not _in_columns(report):
        return {}
    for line, text in enumerate(report.source, start=1):
        if text.lstrip("\ufeff")[:3] in tags:
            return {"line": line, "column": column}
    return {}


def _in_columns(report: Report) -> bool:
    return report.format.startswith("trf")
