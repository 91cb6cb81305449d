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

_OTHER_CHECKS = (bounds, round_days, rounds_played, online)
"""The checks that are not done on columns, in the order of ``check_file``; ``persons`` comes before them."""

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
    tables = {id(it.table): it.table for it in reports}
    in_doubt = {key: contradictory(table) for key, table in tables.items()}
    alike = {key: _alike_persons(table) for key, table in tables.items()}
    rated = {
        key: np.add.reduceat(table.ratings > 0, table.first, dtype=np.int32).tolist()
        for key, table in tables.items()
    }
    findings: list[tuple[Finding, ...]] = []
    for report in reports:
        key, index = id(report.table), report.index
        if in_doubt[key][index] or _counts_differ(report, rated[key][index]):
            findings.append(check_file(report))
            continue
        of_persons = persons(report) if alike[key][index] else ()
        others = [finding for check in _OTHER_CHECKS for finding in check(report)]
        findings.append((*of_persons, *others))
    return findings


def contradictory(table: ReportTable) -> list[bool]:
    """Return for each report whether its pairings, points, ranks or numbers may contradict each other.

    Or whether a name in it may be a nickname.
    """
    own = np.arange(len(table.names), dtype=np.int32)[:, None]
    cells = table.opponent_cells
    paired = table.opponents > 0
    wrong: Array = (table.opponent_rows == own) == paired
    wrong |= ~table.named_back
    wrong |= table.results.ravel()[cells] != _MIRRORED[table.results]
    wrong |= table.colours.ravel()[cells] != _OTHER_COLOUR[table.colours]
    wrong |= _COLOURED[table.colours] != paired
    byes = table.results == ord("U")
    of_row = wrong.any(axis=1) | (byes.sum(axis=1) > 1)
    of_row |= _HALF_POINTS[table.results].sum(axis=1) != table.half_points
    of_report = np.logical_or.reduceat(of_row, table.first)
    of_report |= (np.add.reduceat(byes, table.first, axis=0, dtype=np.int32) > 1).any(axis=1)
    of_report |= repeats(table, table.ranks) | repeats(table, table.numbers)
    by_rank = np.lexsort((table.ranks, table.report_of_row))
    points, of_rank = table.half_points[by_rank], table.report_of_row[by_rank]
    of_report[of_rank[1:][(points[1:] > points[:-1]) & (of_rank[1:] == of_rank[:-1])]] = True
    if SIGN_OF_NICKNAME.search("".join(table.names)):
        nicknames = [SIGN_OF_NICKNAME.search(name) is not None for name in table.names]
        of_report |= np.logical_or.reduceat(nicknames, table.first)
    in_doubt: list[bool] = of_report.tolist()
    return in_doubt


def repeats(table: ReportTable, values: Array) -> Array:
    """Return for each report whether two entrants have the same value other than 0."""
    keys = (table.report_of_row << _VALUE_BITS) + values
    keys = np.sort(keys[values != 0])
    repeated = np.zeros(len(table.size), np.bool_)
    again = keys[1:][keys[1:] == keys[:-1]]
    repeated[(again + (1 << _VALUE_BITS - 1)) >> _VALUE_BITS] = True
    return repeated


_VALUE_BITS = 40
"""A number has eleven digits at most, and may be negative: one bit less."""


def _alike_persons(table: ReportTable) -> list[bool]:
    """Return for each report whether two entrants have the same name or the same day of birth."""
    days = np.where(table.birth_days % 10_000, table.birth_days, 0)
    names = "\n".join(table.names).casefold().split("\n")
    return [
        repeated or len({*names[first : first + size]}) < size
        for repeated, first, size in zip(repeats(table, days).tolist(), table.first, table.size, strict=True)
    ]


def _counts_differ(report: TableReport, rated: int) -> bool:
    """Return whether the counts of a header are not those of the entrants, or points are counted in another way."""
    header = report.header
    return (
        bool(header.points)
        or header.players not in (None, report.size)
        or header.rated_players not in (None, rated)
        or header.teams not in (None, len(report.teams))
    )
