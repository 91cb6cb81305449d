"""The marks of the games of many reports, on columns; equal to ``duplicates.game_marks``."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b

import numpy as np

from arpad.reports.duplicates import DIGEST_BYTES, DIGEST_OF, OPPOSITE_DIGEST_OF, REPEATED
from arpad.reports.report_table import Array, ReportTable, TableReport

_OWN, _OTHER = (np.zeros(256, np.intp) for _ in range(2))
_PLAYED = np.zeros(256, np.bool_)
for _letter, _digest in DIGEST_OF.items():
    _OWN[ord(_letter)], _OTHER[ord(_letter)], _PLAYED[ord(_letter)] = (
        _digest,
        OPPOSITE_DIGEST_OF[_letter],
        True,
    )


def marks_of_tables(reports: Sequence[TableReport], keys: Sequence[Sequence[str]]) -> list[bytes]:
    """Return the marks of the games of each report; ``keys`` identify the entrants of each in their order."""
    by_table: dict[int, list[int]] = {}
    for number, report in enumerate(reports):
        by_table.setdefault(id(report.table), []).append(number)
    marks = [b""] * len(reports)
    for numbers in by_table.values():
        table = reports[numbers[0]].table
        keys_of = {reports[number].index: keys[number] for number in numbers}
        marks_of = _marks(table, keys_of)
        for number in numbers:
            marks[number] = marks_of[reports[number].index]
    return marks


def _marks(table: ReportTable, keys: dict[int, Sequence[str]]) -> dict[int, bytes]:
    """Return the marks of some reports of a table."""
    digests = np.zeros((len(table.names), len(DIGEST_OF)), np.uint64)
    for report, names in keys.items():
        joined = b"".join([blake2b(key.encode(), digest_size=DIGEST_BYTES).digest() for key in names])
        digests[table.rows(report)] = np.frombuffer(joined, ">u8").reshape(-1, len(DIGEST_OF))
    opponents = table.opponent_rows
    own = np.arange(len(table.names), dtype=np.int32)[:, None]
    # flatnonzero keeps the order of the rows, so that the games of a report follow each other
    games = np.flatnonzero(_PLAYED[table.results] & (own < opponents))
    first, second = games // opponents.shape[1], opponents.ravel()[games]
    results = table.results.ravel()[games]
    marks = digests[first, _OWN[results]] + digests[second, _OTHER[results]]
    ends = np.searchsorted(first, np.array(table.first) + np.array(table.size)).tolist()
    starts = [0, *ends[:-1]]
    joined_marks = {}
    for report in keys:
        of_report = np.sort(marks[starts[report] : ends[report]])
        if (of_report[1:] == of_report[:-1]).any():
            of_report = _told_apart(of_report)
        joined_marks[report] = of_report.astype(">u8").tobytes()
    return joined_marks


def _told_apart(marks: Array) -> Array:
    """Return marks in order, in which games of the same players with the same result are told apart."""
    first = np.flatnonzero(np.concatenate(([True], marks[1:] != marks[:-1])))
    repeat = np.arange(len(marks)) - np.repeat(first, np.diff(np.append(first, len(marks))))
    return np.unique(marks + repeat.astype(np.uint64) * np.uint64(REPEATED))
