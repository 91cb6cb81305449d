"""Line and column of a finding in the file of a report; in a workbook the cell.

The lines of the header are searched only when a finding needs one.
"""

from __future__ import annotations

from arpad.model.rules import Fact
from arpad.reports.file_map import Spot
from arpad.reports.file_maps import file_map_of
from arpad.reports.report import Report


def of_player(report: Report, index: int, field: str = "") -> dict[str, Fact]:
    """Return the position of a participant, or of a field named as in ``Entrant``."""
    entrant = report.entrant(index)
    spot = file_map_of(report).player(entrant, field) if field else None
    return {**_position(spot or Spot(entrant.line or 0)), "player": entrant.number}


def of_cell(report: Report, index: int, round_number: int, field: str) -> dict[str, Fact]:
    """Return the position of the ``opponent``, ``colour`` or ``result`` of a participant in a round."""
    entrant = report.entrant(index)
    spot = file_map_of(report).game(entrant, round_number, field)
    return {**_position(spot or Spot(entrant.line or 0)), "player": entrant.number, "round": round_number}


def of_round(report: Report, round_number: int) -> dict[str, Fact]:
    """Return the position of the day of a round."""
    return {**_position(file_map_of(report).round_day(round_number)), "round": round_number}


def of_header(report: Report, *tags: str) -> dict[str, Fact]:
    """Return the position of the first fact about the event that one of the tags of a TRF names."""
    return _position(file_map_of(report).header(*tags))


def _position(spot: Spot | None) -> dict[str, Fact]:
    if spot is None:
        return {}
    position: dict[str, Fact] = {"line": spot.line or None, "column": spot.column}
    return {**position, "cell": spot.cell} if spot.cell else position
