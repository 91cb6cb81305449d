"""What kind of tournament a report is about: found from who met whom, compared with what the file declares."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from arpad.model import ALL_PLAY_ALL, EventKind
from arpad.report import BYES, PLAYED, Header, Report


@dataclass(frozen=True)
class Meetings:
    """Who met whom, how often, and which of these games were played."""

    players: int
    pairs: Mapping[tuple[int, int], int]
    """Places of two entrants (the lower first) → how often they were paired."""

    played: Mapping[tuple[int, int], int]
    rounds: int

    @cached_property
    def kind(self) -> EventKind:
        """The kind that the pairings show."""
        n = self.players
        if n == 2:  # noqa: PLR2004  a match is two players
            return EventKind.MATCH
        most = max(self.pairs.values(), default=None)
        needed = n - 1 + n % 2
        if most == 1 and self.rounds >= needed:
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
    pairs: Counter[tuple[int, int]] = Counter()
    played: Counter[tuple[int, int]] = Counter()
    rounds = 0
    place_of = report.places.get
    for cells in report.rounds:
        results = cells.results
        met = {
            (place, other) if place < other else (other, place)
            for place, opponent in enumerate(cells.opponents)
            if opponent
            and (other := place_of(opponent)) is not None
            and other != place
            and results[place] not in BYES
        }
        pairs.update(met)
        played.update(pair for pair in met if results[pair[0]] in PLAYED and results[pair[1]] in PLAYED)
        rounds += bool(met)
    return Meetings(len(report.entrants), pairs, played, rounds)


# In the languages people write record 092 in; the first that fits decides.
_DECLARED: tuple[tuple[EventKind, str], ...] = (
    (EventKind.TEAM, r"team|squadr|mannschaft|[ée]quipe|equipos|league|lega\b"),
    (EventKind.DOUBLE_ROUND_ROBIN, r"(double|doppio)[- ]*(round|girone)|doppel"),
    (
        EventKind.ROUND_ROBIN,
        r"round[- ]?robin|italiana|girone|all[- ]?play[- ]?all|rundenturnier|berger|toutes rondes",
    ),
    (EventKind.MATCH, r"\bmatch\b|incontro individuale"),
    (EventKind.SWISS, r"swiss|svizzer|schweizer|suizo|suisse|dutch|dubov|burstein"),
)


def declared_kind(header: Header) -> EventKind | None:
    """The kind that the file declares, in words or coded, or nothing that can be read."""
    for text in (header.coded_kind.replace("_", " "), header.kind):
        for kind, pattern in _DECLARED:
            if text and re.search(pattern, text, re.IGNORECASE):
                return kind
    return None


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
