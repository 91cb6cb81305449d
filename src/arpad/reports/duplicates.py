"""Whether two reports tell the same event: by who played whom with what result, whatever the bytes or numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from arpad.model import names
from arpad.model.rules import Fact, Finding, Severity
from arpad.reports.report import PLAYED, Report

OVERLAP_PERCENT = 80
"""Two reports that share this part of the smaller one's games are taken for the same event."""

LEAST_GAMES = 3


def played_games(report: Report) -> Counter[tuple[str, str, str]]:
    """Every game that was played, as its players and the result; ids where given, else names."""
    keys = [entrant.id or names.key(entrant.name) for entrant in report.entrants]
    games: Counter[tuple[str, str, str]] = Counter()
    for cells in report.rounds:
        for place, (opponent, result) in enumerate(zip(cells.opponents, cells.results, strict=True)):
            other = report.places.get(opponent)
            if other is None or result not in PLAYED:
                continue
            if keys[place] < keys[other]:
                games[keys[place], keys[other], result] += 1
    return games


def repeated_events(reports: Sequence[tuple[str, Report]]) -> dict[int, Finding]:
    """Of several named reports, those that repeat an earlier one, by place, each with its finding."""
    found: dict[int, Finding] = {}
    counted = [played_games(report) for _, report in reports]
    players = [
        {entrant.id or names.key(entrant.name) for entrant in report.entrants} for _, report in reports
    ]
    for later in range(1, len(reports)):
        for earlier in range(later):
            if not players[later] & players[earlier]:
                continue
            fewest = min(counted[earlier].total(), counted[later].total())
            both = (counted[earlier] & counted[later]).total()
            if fewest >= LEAST_GAMES and 100 * both >= OVERLAP_PERCENT * fewest:
                about: dict[str, Fact] = {
                    "other": reports[earlier][0],
                    "games": both,
                    "of": counted[later].total(),
                }
                found[later] = Finding(Severity.ERROR, "same-event", facts=about)
                break
    return found
