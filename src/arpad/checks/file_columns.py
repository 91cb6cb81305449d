"""Find the reports of a table that contradict themselves: the checks of a file, on columns.

What is found is not said here: ``check_file`` looks again at each report of which something may be wrong.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from arpad.checks import check_file
from arpad.checks.header import bounds, online, round_days, rounds_played
from arpad.checks.participants import SIGN_OF_NICKNAME, persons
from arpad.model.rules import Finding
from arpad.reports.report import HALF_POINTS, MIRROR
from arpad.reports.report_table import Array, ReportTable, TableReport

_OTHER_CHECKS = (persons, bounds, round_days, rounds_played, online)
"""The checks that are not done on columns, in the order of ``check_file``."""

_LETTERS = np.arange(256, dtype=np.uint8)
_MIRRORED, _OTHER_COLOUR = _LETTERS.copy(), _LETTERS.copy()
for _letter, _opposite in MIRROR.items():
    _MIRRORED[ord(_letter)] = ord(_opposite)
_OTHER_COLOUR[list(b"wb")] = list(b"bw")
_COLOURED = np.isin(_LETTERS, list(b"wb"))
_HALF_POINTS = np.zeros(256, np.int16)
for _letter, _halves in HALF_POINTS.items():
    _HALF_POINTS[ord(_letter)] = _halves


def check_files(reports: Sequence[TableReport]) -> list[tuple[Finding, ...]]:
    """Return the findings of ``check_file`` for each of some reports."""
    in_doubt = {
        id(table): contradictory(table) for table in {id(it.table): it.table for it in reports}.values()
    }
    return [
        check_file(report)
        if in_doubt[id(report.table)][report.index] or _is_unusual(report)
        else tuple([finding for check in _OTHER_CHECKS for finding in check(report)])
        for report in reports
    ]


def contradictory(table: ReportTable) -> list[bool]:
    """Return for each report whether its pairings, points or ranks may contradict each other."""
    rounds = table.opponents.shape[1]
    own = np.arange(len(table.names), dtype=np.int32)[:, None]
    opponents = table.opponent_rows
    cells = opponents * rounds + np.arange(rounds, dtype=np.int32)
    paired = table.opponents > 0
    wrong: Array = (opponents == own) == paired
    wrong |= opponents.ravel()[cells] != own
    wrong |= table.results.ravel()[cells] != _MIRRORED[table.results]
    wrong |= table.colours.ravel()[cells] != _OTHER_COLOUR[table.colours]
    wrong |= _COLOURED[table.colours] != paired
    byes = table.results == ord("U")
    of_row = wrong.any(axis=1) | (byes.sum(axis=1) > 1)
    of_row |= _HALF_POINTS[table.results].sum(axis=1) != table.half_points
    of_report = np.logical_or.reduceat(of_row, table.first)
    of_report |= (np.add.reduceat(byes, table.first, axis=0, dtype=np.int32) > 1).any(axis=1)
    of_report |= repeats(table, table.ranks)
    in_doubt: list[bool] = of_report.tolist()
    return in_doubt


def repeats(table: ReportTable, values: Array) -> Array:
    """Return for each report whether two entrants have the same value other than 0."""
    rows = np.flatnonzero(values)
    reports, values = table.report_of_row[rows], values[rows]
    order = np.lexsort((values, reports))
    reports, values = reports[order], values[order]
    repeated = np.zeros(len(table.size), np.bool_)
    repeated[reports[1:][(reports[1:] == reports[:-1]) & (values[1:] == values[:-1])]] = True
    return repeated


def _is_unusual(report: TableReport) -> bool:
    """Return whether the counts, the numbers or the names of a report have to be looked at."""
    header, table = report.header, report.table
    rows = table.rows(report.index)
    rated = int(np.count_nonzero(table.ratings[rows]))
    if (
        header.points
        or header.players not in (None, report.size)
        or header.rated_players not in (None, rated)
    ):
        return True
    if header.teams not in (None, len(report.teams)):
        return True
    ids = [number for number in table.ids[rows] if number]
    return len({*ids}) < len(ids) or SIGN_OF_NICKNAME.search("".join(table.names[rows])) is not None
