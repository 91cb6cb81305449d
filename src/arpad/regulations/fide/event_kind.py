"""The kind of a tournament: as an officer states, else as the file declares, else as the pairings show.

What the file declares counts unless the pairings contradict it.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache, partial
from itertools import combinations
from typing import TypeAlias

from arpad.model.chess import ALL_PLAY_ALL, EventKind
from arpad.regulations.fide.rules import ChessRules
from arpad.reports.report import PLAYED, Header, Report

Pairs: TypeAlias = Mapping[tuple[int, int], int]
"""Places of two entrants (the lower first) → how often."""

_ROUND_ROBINS = (EventKind.ROUND_ROBIN, EventKind.DOUBLE_ROUND_ROBIN, EventKind.MULTIPLE_ROUND_ROBIN)
"""By how often all meet all; the last from three times on."""


@dataclass(frozen=True)
class Meetings:
    """The pairings of a tournament, the games that were played, and the kind that follows (6.2, 6.4, 6.43)."""

    players: int
    """Players who were paired at least once."""

    rounds: int
    """Rounds with at least one pairing."""

    count: Callable[[], tuple[Pairs, Pairs]] = field(compare=False, repr=False)
    """Counts the pairings, and the games; called only if needed, since a few rounds show a large Swiss."""

    paired: tuple[int, ...] = field(default=(), repr=False)
    """The places of the players who were paired at least once; without it, the first ``players``."""

    absent: int = field(default=0, repr=False)
    """Entrants who were never paired."""

    count_first: Callable[[int], Pairs] | None = field(default=None, compare=False, repr=False)
    """Counts the pairings of the first few rounds with pairings."""

    teams: bool = field(default=False, repr=False)
    """Whether the file has teams."""

    declared: EventKind | None = field(default=None, repr=False)
    stated: EventKind | None = field(default=None, repr=False)
    """As an officer or the sender states; this has precedence."""

    most_pairs: int | None = field(default=None, repr=False)
    """How many different pairs there are at most; without it, as many in a round as players."""

    @property
    def places(self) -> tuple[int, ...]:
        """Return the places of the players who were paired at least once."""
        return self.paired or tuple(range(self.players))

    @cached_property
    def _counted(self) -> tuple[Pairs, Pairs]:
        return self.count()

    @property
    def pairs(self) -> Pairs:
        """Return how often two were paired."""
        return self._counted[0]

    @property
    def played(self) -> Pairs:
        """Return how often two played."""
        return self._counted[1]

    @cached_property
    def kind(self) -> EventKind:
        """Return the kind: as stated, else as declared unless the pairings contradict it, else as shown."""
        if self.stated is not None:
            return self.stated
        return self.shown if self.declared is None or self.contradicted else self.declared

    @cached_property
    def shown(self) -> EventKind:
        """Return the kind that teams and pairings show."""
        if self.teams:
            return EventKind.TEAM
        if self.players + self.absent == 2:  # noqa: PLR2004  a match is two players, whether they came or not
            return EventKind.MATCH
        if self._cycles_shown:
            return _ROUND_ROBINS[min(self._cycles_shown, len(_ROUND_ROBINS)) - 1]
        return EventKind.TEAM if self.scheveningen else EventKind.SWISS

    @property
    def contradicted(self) -> bool:
        """Return whether teams and pairings contradict the kind that the file declares.

        A small Swiss may end with all having met all once, without a pair that met twice. Members of a team do not
        meet.
        """
        match self.declared:
            case None:
                return False
            case EventKind.SWISS:
                never = (EventKind.DOUBLE_ROUND_ROBIN, EventKind.MULTIPLE_ROUND_ROBIN, EventKind.MATCH)
                return self.teams or self.shown in never
            case EventKind.TEAM:
                return self.shown in ALL_PLAY_ALL or self.shown == EventKind.MATCH
            case EventKind.MATCH:
                return self.players != 2  # noqa: PLR2004  as above; others may have entered and never come
            case _:
                return self.shown != self.declared

    @cached_property
    def _cycles_shown(self) -> int:
        """Return how often all met all, by the pairings; 0 if they did not."""
        needed = self.players - 1 + self.players % 2
        if self.players <= 2 or self.rounds < needed:  # noqa: PLR2004  too few to meet all in turn
            return 0
        most = max(self.pairs.values())
        return self._cycles_before_play_offs(needed) or (most if self.rounds >= most * needed else 0)

    def _cycles_before_play_offs(self, needed: int) -> int:
        """Return how often all met all before play-offs; 0 if there is no such moment.

        The first rounds pair everybody with everybody equally often; in the rest fewer than half of the pairs meet.
        """
        everybody = self.players * (self.players - 1) // 2
        cycles = min([*self.pairs.values(), self.rounds // needed])
        again = sum(times > cycles for times in self.pairs.values())
        before = self.count_first(cycles * needed) if self.count_first else self.pairs
        in_turn = len(before) == everybody and set(before.values()) == {cycles}
        return cycles if in_turn and 2 * again < everybody else 0

    @cached_property
    def cycles(self) -> int:
        """Return how often all meet all in a tournament of this kind."""
        if self.kind == EventKind.MULTIPLE_ROUND_ROBIN:
            return max(self._cycles_shown, 3)
        return 2 if self.kind == EventKind.DOUBLE_ROUND_ROBIN else 1

    @property
    def complete(self) -> bool:
        """Return whether all players met all others as often as the kind requires: no unplayed game (6.4).

        A player who was never paired took no part; a play-off is an additional game.
        """
        pairs = self.players * (self.players - 1) // 2
        return pairs > 0 and sum(times >= self.cycles for times in self.played.values()) == pairs

    @cached_property
    def scheveningen(self) -> bool:
        """Return whether two sides of equal size met: each player all of the other side and none of their own."""
        most = self.players * self.rounds if self.most_pairs is None else self.most_pairs
        if self.players == 2 or 4 * most < self.players**2:  # noqa: PLR2004  a match, or too few pairs
            return False
        # with this number of pairs two sides must be equal, and all must have met all of the other side
        return bool(self.pairs) and 4 * len(self.pairs) == self.players**2 and self._two_sides()

    def _two_sides(self) -> bool:
        """Return whether the players form two connected sides without a game inside a side."""
        met: dict[int, set[int]] = {index: set() for index in self.places}
        for player, opponent in self.pairs:
            met[player].add(opponent)
            met[opponent].add(player)
        start = next(iter(met))
        near, far = {start}, set[int]()
        waiting = [start]
        while waiting:
            current = waiting.pop()
            own, opposite = (near, far) if current in near else (far, near)
            if met[current] & own:
                return False
            waiting.extend(met[current] - opposite)
            opposite |= met[current]
        return len(near) + len(far) == self.players


def meetings(report: Report, stated: EventKind | None = None) -> Meetings:
    """Return the pairings of a report and the kind of the tournament, with what an officer states (6.3, 6.4).

    A pairing counts if either side names the other.
    """
    paired = _paired(report)
    return Meetings(
        len(paired),
        report.rounds_with_pairs,
        partial(_count, report),
        paired,
        report.size - len(paired),
        partial(_count_first, report),
        sum(bool(team.members) for team in report.teams) > 1,
        declared_kind(report.header),
        stated,
        report.most_pairs,
    )


def _paired(report: Report) -> tuple[int, ...]:
    """Return the places of the players who name an opponent in a round, or are named by one."""
    if report.all_paired:
        return tuple(range(report.size))
    columns = [cells.opponents for cells in report.rounds]
    named = {index for number in set().union(*columns) if (index := report.places.get(number)) is not None}
    naming = {index for index, row in enumerate(zip(*columns, strict=True)) if any(row)}
    return tuple(sorted(named | naming))


def _count_first(report: Report, rounds: int) -> Pairs:
    """Return how often two players were paired in the first few rounds with pairings."""
    pairs: Counter[tuple[int, int]] = Counter()
    for cells in report.rounds:
        met = set(report.pairs(cells))
        if met and rounds > 0:
            pairs.update(met)
            rounds -= 1
    return pairs


def _count(report: Report) -> tuple[Pairs, Pairs]:
    pairs: Counter[tuple[int, int]] = Counter()
    played: Counter[tuple[int, int]] = Counter()
    for cells in report.rounds:
        results = cells.results
        met = set(report.pairs(cells))
        pairs.update(met)
        played.update(pair for pair in met if results[pair[0]] in PLAYED and results[pair[1]] in PLAYED)
    return pairs, played


# In the languages people write record 092 in; the first that fits decides.
_DECLARED: tuple[tuple[EventKind, str], ...] = (
    (EventKind.TEAM, r"team|squadr|mannschaft|[ée]quipe|equipos|league|lega\b"),
    (
        EventKind.MULTIPLE_ROUND_ROBIN,
        r"(tripl|quadrupl|multipl)\w{0,3}[- ]{0,3}(round|giron)|(robin|girone|italiana)\W+(tripl|quadrupl|multipl)",
    ),
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
    """Return the kind that the file declares, in words or coded, or None."""
    return _spoken_of(header.coded_kind.replace("_", " ")) or _spoken_of(header.kind)


@lru_cache(maxsize=1024)
def _spoken_of(text: str) -> EventKind | None:
    """Return the kind that a text names; cached, since many reports have the same text."""
    return next((kind for kind, pattern in _DECLARED if re.search(pattern, text, re.IGNORECASE)), None)


def unplayed_games(met: Meetings) -> Iterator[tuple[int, int]]:
    """Return the pairs of a round robin that did not play as often as they should, as places."""
    if met.kind not in ALL_PLAY_ALL:
        return
    for pair in combinations(met.places, 2):
        if met.played.get(pair, 0) < met.cycles:
            yield pair


def treated_as(met: Meetings, rules: ChessRules) -> EventKind:
    """Return the kind whose articles apply: Swiss for teams and incomplete round robins, or without procedure."""
    if met.kind == EventKind.TEAM:
        return EventKind.SWISS
    if met.kind in ALL_PLAY_ALL and (
        rules.round_robin_entry is None or (rules.unplayed_makes_swiss and not met.complete)
    ):
        return EventKind.SWISS
    return met.kind
