"""Detect duplicate reports by comparing games (players and results), whatever the format, numbers or file name.

``game_marks`` turns the games of a report into short digests, which the office stores with the report. ``GameIndex``
knows which report has which game and returns the reports that overlap another one. The command line compares the
files of one command with each other, the office compares a report with those on file.
``results_digest`` is the digest of all that a report says about games.
"""

import struct
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b, sha256
from typing import NamedTuple

from arpad.model import names
from arpad.model.canonical_json import dump
from arpad.model.rules import Fact, Finding, Severity
from arpad.reports.report import MIRROR, PLAYED, Report

MARK_BYTES = 8
"""Length of the mark of one game."""

OVERLAP_PERCENT = 50
"""Two reports are of the same event if they share this part of the smaller one's games.

On the same days the same two players hardly ever get the same result in two events, so a false alarm needs many
coincidences. A group, an interim report or a corrected version shares far more than half of its games.
"""

MINIMUM_UNDATED = 3
"""Games that must agree if one of the reports has no dates: two players may repeat a short match."""


# ----------------------------------------------------------------------------------------- marks of the games


def game_marks(report: Report, keys: Sequence[str]) -> bytes:
    """Return the marks of all games played, sorted and joined; ``keys`` identify the entrants in their order.

    A mark depends on the two players and the result, not on round, colour, start numbers or order: it is the sum of a
    digest of the one player with their result and a digest of the other with theirs. A second game of the same players
    with the same result has a mark of its own.
    """
    digests = list(map(_digests, keys))
    numbers = report.column("number")
    opponents = {number: digests[place] for number, place in report.places.items()}
    games = [
        (own[_DIGEST[result]] + opponents[opponent][_OPPOSITE[result]]) & _LARGEST
        for cells in report.rounds
        for number, own, opponent, result in zip(
            numbers, digests, cells.opponents, cells.results, strict=True
        )
        if number < opponent and result in PLAYED and opponent in opponents
    ]
    marks = set(games)
    if len(marks) < len(games):
        marks = {
            (mark + repeat * REPEATED) & _LARGEST
            for mark, count in Counter(games).items()
            for repeat in range(count)
        }
    return struct.pack(f">{len(marks)}Q", *sorted(marks))


def _digests(key: str) -> tuple[int, ...]:
    """Return the digests of an entrant who won, drew and lost."""
    return _DIGESTS.unpack(blake2b(key.encode(), digest_size=_DIGESTS.size).digest())


RESULTS = "1=0"
"""The results of games that were played, the opposite one as far from the end."""

_DIGESTS = struct.Struct(f">{len(RESULTS)}Q")
_DIGEST: Mapping[str, int] = {result: place for place, result in enumerate(RESULTS)}
_OPPOSITE = {result: _DIGEST[MIRROR[result]] for result in _DIGEST}
"""Which digest of a player, and of the opponent, belongs to a result."""

_LARGEST = 256**MARK_BYTES - 1
REPEATED = 0x9E3779B97F4A7C15
"""The number that a repeated game adds to its mark: any odd number far from 0 and from the largest mark."""


def split_marks(marks: bytes) -> set[int]:
    """Return the joined marks as a set."""
    return set(struct.unpack(f">{len(marks) // MARK_BYTES}Q", marks))


# ------------------------------------------------------------------------------------------ reports with the same games


class Overlap(NamedTuple):
    """The games that two reports have in common."""

    shared: int
    smaller: int
    """Number of games of the smaller report."""

    @property
    def contained(self) -> bool:
        """Whether one report has all games of the other."""
        return self.shared == self.smaller

    @property
    def is_same_event(self) -> bool:
        """Whether the reports share enough games to be of the same event."""
        return self.shared > 0 and 100 * self.shared >= OVERLAP_PERCENT * self.smaller


@dataclass(slots=True)
class GameIndex:
    """Index of the games of several reports: find the reports that overlap another one.

    Days are ISO text, empty if unknown. Reports of different days do not overlap.
    """

    holders: dict[int, int | tuple[int, ...]] = field(default_factory=dict)
    """Mark of a game → the report or reports that have it; nearly always one."""

    sizes: dict[int, int] = field(default_factory=dict)
    """Number of games of each report."""

    days: dict[int, tuple[str, str]] = field(default_factory=dict)
    """First and last day of each report."""

    def add(self, report: int, marks: set[int], first_day: str, last_day: str) -> None:
        """Add a report with the marks of its games."""
        self.sizes[report], self.days[report] = len(marks), (first_day, last_day)
        if self.holders.keys().isdisjoint(marks):
            self.holders |= dict.fromkeys(marks, report)
            return
        for mark in marks:
            holder = self.holders.setdefault(mark, report)
            if holder != report:
                self.holders[mark] = (*(holder if isinstance(holder, tuple) else (holder,)), report)

    def overlapping(self, marks: set[int], first_day: str, last_day: str) -> dict[int, Overlap]:
        """Return the reports of the same event: on the same days, with half of the games or more in common."""
        if self.holders.keys().isdisjoint(marks):
            return {}
        shared: dict[int, int] = {}
        for holder, count in Counter(map(self.holders.get, marks)).items():
            for report in holder if isinstance(holder, tuple) else () if holder is None else (holder,):
                shared[report] = shared.get(report, 0) + count
        overlaps = {report: Overlap(n, min(len(marks), self.sizes[report])) for report, n in shared.items()}
        return {
            report: overlap
            for report, overlap in overlaps.items()
            if overlap.is_same_event and self._may_be_same(report, overlap.shared, first_day, last_day)
        }

    def _may_be_same(self, report: int, shared: int, first_day: str, last_day: str) -> bool:
        """Return whether the days overlap, or enough games agree if days are unknown."""
        began, ended = self.days[report]
        if began and ended and first_day and last_day:
            return ended >= first_day and began <= last_day
        return shared >= MINIMUM_UNDATED


def overlapping_reports(
    stored: Iterable[tuple[int, bytes, str, str]], marks: bytes, first_day: str, last_day: str
) -> dict[int, Overlap]:
    """Return the stored reports (number, marks, first and last day) that overlap one report."""
    index = GameIndex()
    for number, stored_marks, began, ended in stored:
        index.add(number, split_marks(stored_marks), began, ended)
    return index.overlapping(split_marks(marks), first_day, last_day)


# ----------------------------------------------------------------------------------------- the files of one command


def repeated_events(reports: Sequence[tuple[str, Report]]) -> dict[int, Finding]:
    """Return a finding for each named report that repeats an earlier one, by index among the reports."""
    findings: dict[int, Finding] = {}
    index = GameIndex()
    for later, (_, report) in enumerate(reports):
        keys = [entrant.id or names.key(entrant.name) for entrant in report.entrants]
        marks = split_marks(game_marks(report, keys))
        header = report.header
        days = (str(header.first_day or ""), str(header.last_day or header.first_day or ""))
        if overlaps := index.overlapping(marks, *days):
            earlier = min(overlaps)
            facts: dict[str, Fact] = {
                "other": reports[earlier][0],
                "games": overlaps[earlier].shared,
                "of": len(marks),
            }
            findings[later] = Finding(Severity.ERROR, "same-event", facts=facts)
        index.add(later, marks, *days)
    return findings


def results_digest(report: Report) -> str:
    """Return the digest of days, start numbers, ratings, opponents and results; an erased name leaves it as it is."""
    header = report.header
    games = [(played.opponents, played.results) for played in report.rounds]
    entrants = [(entrant.number, entrant.rating) for entrant in report.entrants]
    return sha256(dump([str(header.first_day), str(header.last_day), entrants, games]).encode()).hexdigest()
