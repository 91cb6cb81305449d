"""Spreadsheets with a report."""

from dataclasses import replace

from arpad.reports.formats import write_report
from arpad.reports.formats.sheet import EXAMPLE


def workbook(layout: str = "crosstable") -> bytes:
    """The example with a wrong sum, a result that contradicts the opponent's, and a wrong count."""
    rounds = list(EXAMPLE.rounds)
    rounds[2] = replace(rounds[2], results="10" + rounds[2].results[2:])
    points = (5, 4, 3, 1, 0)
    entrants = tuple(
        replace(entrant, half_points=halves) for entrant, halves in zip(EXAMPLE.entrants, points, strict=True)
    )
    cells = tuple(rounds) if layout == "crosstable" else EXAMPLE.rounds
    header = replace(EXAMPLE.header, players=7)
    return write_report(replace(EXAMPLE, header=header, entrants=entrants, rounds=cells), f"{layout}-xlsx")[0]
