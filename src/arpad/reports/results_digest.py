"""The digest of what a report says about games: it stays the same if a name is erased from the report."""

from __future__ import annotations

from hashlib import sha256

from arpad.model.canonical_json import dump
from arpad.reports.report import Report


def results_digest(report: Report) -> str:
    """Return the digest of days, start numbers, ratings, opponents and results."""
    header = report.header
    games = [(played.opponents, played.results) for played in report.rounds]
    entrants = [(entrant.number, entrant.rating) for entrant in report.entrants]
    return sha256(dump([str(header.first_day), str(header.last_day), entrants, games]).encode()).hexdigest()
