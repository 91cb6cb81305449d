"""What kind of tournament a report is about: found from who met whom, compared with what the file declares."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache, partial
from typing import TypeAlias

from arpad.model import ALL_PLAY_ALL, EventKind
from arpad.report import BYES, PLAYED, Header, Report, Round

Pairs: TypeAlias = Mapping[tuple[int, int], int]
"""Places of two entrants (the lower first) → how often."""


@dataclass(frozen=True)
class Meetings:
    """Who met whom, how often, and which of these games were played."""

    players: int
    rounds: int
    """Those in which anybody met."""

    count: Callable[[], tuple[Pairs, Pairs]] = field(compare=False, repr=False)
    """Counts the pairings, and the games; not before somebody asks, since few rounds alone show a large Swiss."""

    @cached_property
    def _counted(self) -> tuple[Pairs, Pairs]:
        return self.count()

    @property
    def pairs(self) -> Pairs:
        """How often two were paired."""
        return self._counted[0]

    @property
    def played(self) -> Pairs:
        """How often two played."""
        return self._counted[1]

    @cached_property
    def kind(self) -> EventKind:
        """The kind that the pairings show."""
        n = self.players
        if n == 2:  # noqa: PLR2004  a match is two players
            return EventKind.MATCH
        needed = n - 1 + n % 2
        most = max(self.pairs.values(), default=None) if self.rounds >= needed else None
        if most == 1:
            return EventKind.ROUND_ROBIN
        if most == 2 and self.rounds >= 2 * needed:  # noqa: PLR2004  twice
            return EventKind.DOUBLE_ROUND_ROBIN
        return EventKind.TEAM if self.scheveningen else EventKind.SWISS

    @cached_property
    def cycles(self) -> int:
        """How often all met all."""
        return 2 if self.kind == EventKind.DOUBLE_ROUND_ROBIN else 1

    @property
    def complete(self) -> bool:
        """Whether everybody played everybody as often as the kind asks: no unplayed game (6.4)."""
        n = self.players
        wanted = n * (n - 1) // 2
        return len(self.played) == wanted and set(self.played.values()) == {self.cycles}

    @cached_property
    def scheveningen(self) -> bool:
        """Two sides of equal size: everybody met all of the other side and none of the own."""
        if 4 * self.rounds < self.players:  # a round has no more pairs than players
            return False
        # so many pairs leave two sides no choice but to be equal, and all to have met all of the other
        return bool(self.pairs) and 4 * len(self.pairs) == self.players**2 and self._two_sides()

    def _two_sides(self) -> bool:
        """Whether the players fall into two sides that never met within themselves, and all hang together."""
        met: dict[int, set[int]] = {place: set() for place in range(self.players)}
        for one, other in self.pairs:
            met[one].add(other)
            met[other].add(one)
        near, far = {0}, set[int]()
        waiting = [0]
        while waiting:
            here = waiting.pop()
            own, opposite = (near, far) if here in near else (far, near)
            if met[here] & own:
                return False
            waiting.extend(met[here] - opposite)
            opposite |= met[here]
        return len(near) + len(far) == self.players


def meetings(report: Report) -> Meetings:
    """Who met whom in a report; a pairing counts where either side names the other."""
    rounds = sum(any(True for _ in _met(report, cells)) for cells in report.rounds)
    return Meetings(len(report.entrants), rounds, partial(_count, report))


def _count(report: Report) -> tuple[Pairs, Pairs]:
    pairs: Counter[tuple[int, int]] = Counter()
    played: Counter[tuple[int, int]] = Counter()
    for cells in report.rounds:
        results = cells.results
        met = set(_met(report, cells))
        pairs.update(met)
        played.update(pair for pair in met if results[pair[0]] in PLAYED and results[pair[1]] in PLAYED)
    return pairs, played


def _met(report: Report, cells: Round) -> Iterator[tuple[int, int]]:
    """The places of those paired in a round, the lower first; once for each of the two who says so."""
    place_of, results = report.places.get, cells.results
    for place, opponent in enumerate(cells.opponents):
        other = place_of(opponent) if opponent else None
        if other is not None and other != place and results[place] not in BYES:
            yield (place, other) if place < other else (other, place)


# In the languages people write record 092 in; the first that fits decides.
_DECLARED: tuple[tuple[EventKind, str], ...] = (
    (EventKind.TEAM, r"team|squadr|mannschaft|[ée]quipe|equipos|league|lega\b"),
    (
        EventKind.DOUBLE_ROUND_ROBIN,
        r"(double|doppio)[- ]*(round|girone)|(robin|girone|italiana)\W+(double|doppio|andata e ritorno)|doppel",
    ),
    (
        EventKind.ROUND_ROBIN,
        r"round[- ]?robin|italiana|girone|all[- ]?play[- ]?all|rundenturnier|berger|toutes rondes",
    ),
    (EventKind.MATCH, r"\bmatch\b|incontro individuale"),
    (EventKind.SWISS, r"swiss|svizzer|schweizer|suizo|suisse|dutch|dubov|burstein"),
)


def declared_kind(header: Header) -> EventKind | None:
    """The kind that the file declares, in words or coded, or nothing that can be read."""
    return _spoken_of(header.coded_kind.replace("_", " ")) or _spoken_of(header.kind)


@lru_cache(maxsize=1024)
def _spoken_of(text: str) -> EventKind | None:
    """The kind that a text speaks of; many reports say the same."""
    return next((kind for kind, pattern in _DECLARED if re.search(pattern, text, re.IGNORECASE)), None)


def found_kind(report: Report, met: Meetings) -> EventKind:
    """The kind of the tournament: teams make a team event, otherwise the pairings tell."""
    if sum(bool(team.members) for team in report.teams) > 1:
        return EventKind.TEAM
    return met.kind


def unplayed_games(met: Meetings) -> Iterator[tuple[int, int]]:
    """The pairs of a round robin that did not play as often as they should, as places."""
    if met.kind not in ALL_PLAY_ALL:
        return
    for one in range(met.players):
        for other in range(one + 1, met.players):
            if met.played.get((one, other), 0) < met.cycles:
                yield one, other
