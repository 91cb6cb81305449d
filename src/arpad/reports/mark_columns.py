"""The marks of the games of many reports at once: those of ``reports.duplicates``, on arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arpad.reports.duplicates import REPEATED, RESULTS, digest_of
from arpad.reports.report_table import ReportTable

Array = NDArray[Any]


def player_digests(keys: Sequence[str]) -> Array:
    """Return the digests of each player with each result, as rows of integers; ``keys`` identify the players."""
    digests: Array = np.frombuffer(b"".join(map(digest_of, keys)), ">u8").astype(np.uint64)
    return digests.reshape(-1, len(RESULTS))


_RESULT = np.full(256, len(RESULTS), np.uint8)
for _place, _letter in enumerate(RESULTS):
    _RESULT[ord(_letter)] = _place
"""By the letter of a result, which digest belongs to it; the opponent's is that many from the end."""


def marks_of_table(table: ReportTable, digests: Array) -> list[bytes]:
    """Return the marks of each report of a table, as ``game_marks`` does; ``digests`` are those of its entrants."""
    opponents = table.opponent_rows
    own = np.arange(len(opponents), dtype=np.int32)[:, None]
    results = _RESULT[table.results]
    rows, rounds = np.nonzero((own < opponents) & (results < len(RESULTS)))
    others, results = opponents[rows, rounds], results[rows, rounds]
    marks = digests[rows, results] + digests[others, len(RESULTS) - 1 - results]
    ends = np.searchsorted(rows, np.append(table.first[1:], len(opponents))).tolist()
    of_reports = []
    begin = 0
    for end in ends:
        of_report = np.sort(marks[begin:end])
        if (of_report[1:] == of_report[:-1]).any():
            of_report = _distinct(of_report)
        of_reports.append(of_report.astype(">u8").tobytes())
        begin = end
    return of_reports


def _distinct(marks: Array) -> Array:
    """Return the marks of games in order, as ``game_marks`` does: a repeated game gets a mark of its own."""
    games = np.arange(len(marks))
    firsts = np.flatnonzero(np.diff(marks, prepend=~marks[:1]))
    repeats = games - np.repeat(firsts, np.diff(firsts, append=len(marks)))
    # not by numpy.unique, which loads the package of masked arrays at its first call
    marks = np.sort(marks + repeats.astype(np.uint64) * np.uint64(REPEATED))
    distinct: Array = marks[np.flatnonzero(np.diff(marks, prepend=~marks[:1]))]
    return distinct
