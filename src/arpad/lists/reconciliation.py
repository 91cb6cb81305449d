"""Compare the list that FIDE published with the one computed from a federation's reports, player by player.

For a player whose two results differ, the period is computed again under each supposition that could explain the
difference: an event that was not rated, an event of another period, another K, another rating to start from, another
rating of an opponent, another rounding. A supposition explains the difference if it gives the published rating and, if
the list states them, the published number of games. Simple suppositions are tried before combined ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from datetime import date
from fractions import Fraction
from itertools import chain, combinations, product

from arpad.lists.period import ClosedPeriod, Event, InForce, RegisterFacts, close
from arpad.lists.reconciled import (
    Cause,
    DatedList,
    FideEntry,
    ReconciledPlayer,
    Reconciliation,
    agrees,
)
from arpad.model.chess import PlayerState
from arpad.model.rules import Edition, Fact, ListName
from arpad.regulations.calendar import is_in_time
from arpad.regulations.editions import CHESS_EDITIONS, in_force
from arpad.regulations.fide.rules import ChessRules

SETTLED_GAMES = 60
"""Taken for granted of a listed player; a K that the list states counts instead."""

MOST_SUBSETS = 6
"""Up to this number of events of a player, every subset may be missing; of more events, at most two."""

MOST_STEPS = 8
"""Attempts to find the rating from which a published one follows."""


def reconcile(
    on_list: ListName,
    before: DatedList,
    after: DatedList,
    events: Iterable[Event],
    *,
    earlier: Sequence[DatedList] = (),
    federation: str = "",
) -> Reconciliation:
    """Compare a period: the players of ``federation`` who play in the events, or whose published rating changed.

    Without a federation, all players of the events are compared. ``earlier`` are lists for events that began before
    the list of ``before``. The players of the events have FIDE IDs, or negative ones if they have none.
    """
    edition = in_force(CHESS_EDITIONS, on_list, after.day)
    world = _World(on_list, before, after, (*earlier, before), edition)
    period, others = world.split(events)
    closed = world.close(period)
    played = world.played([*period, *others])
    compared: dict[int, ReconciledPlayer] = {}
    for player in sorted(_compared(world, played, federation)):
        first, last = before.players.get(player), after.players.get(player)
        happened = closed.players.get(player)
        if world.is_unrated(player) and player in played:  # earlier events may still be in the pool
            happened = world.close(world.base_events(player, played), only={player}).players.get(player)
        computed = happened.after.rating if happened else first.rating if first else None
        games = happened.games if happened else 0
        compared[player] = ReconciledPlayer(player, first, last, happened, computed, games)
    differing = {number: player for number, player in compared.items() if not player.agrees}
    causes = _explain(world, differing, played)
    players = tuple(replace(player, causes=causes.get(number, ())) for number, player in compared.items())
    first_day = min(chosen.day for chosen in world.lists)
    begun = tuple(event for event in period if event.first_day < first_day)
    return Reconciliation(on_list, before.day, after.day, edition.id, players, tuple(others), begun)


def _compared(world: _World, played: Mapping[int, Sequence[Event]], federation: str) -> Iterator[int]:
    """Yield the players to compare: of the federation, with games in the reports or another rating than before."""
    before, after = world.before.players, world.after.players
    for player in {*before, *after, *played}:
        first, last = before.get(player), after.get(player)
        if player <= 0 or (first is None and last is None):
            continue
        if not federation:
            if player in played:
                yield player
        elif (last or first or FideEntry(None)).federation == federation and (
            player in played
            or (first.rating if first else None) != (last.rating if last else None)
            or (last and last.games)
        ):
            yield player


# ------------------------------------------------------------------------------------------------- the period


@dataclass(frozen=True, slots=True)
class _Supposed:
    """A supposition: other K and other ratings for some players."""

    k: Mapping[int, int] = field(default_factory=dict)
    ratings: Mapping[int, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _World:
    """The lists and the rules of the comparison."""

    on_list: ListName
    before: DatedList
    after: DatedList
    lists: Sequence[DatedList]
    edition: Edition[ChessRules]

    def split(self, events: Iterable[Event]) -> tuple[list[Event], list[Event]]:
        """Return the events of the period, and the others."""
        rules = self.edition.on(self.on_list)
        period: list[Event] = []
        others: list[Event] = []
        for event in events:
            inside = is_in_time(event.last_day, self.after.day, rules)
            already = is_in_time(event.last_day, self.before.day, rules)
            (period if inside and not already else others).append(event)
        return period, others

    def played(self, events: Iterable[Event]) -> dict[int, list[Event]]:
        """Return the events of each player."""
        played: dict[int, list[Event]] = {}
        for event in events:
            for player in event.players:
                played.setdefault(player, []).append(event)
        return played

    def is_unrated(self, player: int) -> bool:
        """Return whether a player has no rating as the period begins."""
        listed = self.before.players.get(player)
        return listed is None or listed.rating is None

    def base_events(self, player: int, played: Mapping[int, Sequence[Event]]) -> list[Event]:
        """Return the events that the list takes of a player: of an unrated one, also those of earlier periods."""
        period, others = self.split(played.get(player, ()))
        if not self.is_unrated(player):
            return period
        return [*period, *(event for event in others if event.last_day < self.before.day)]

    def close(
        self,
        events: Iterable[Event],
        supposed: _Supposed | None = None,
        only: AbstractSet[int] | None = None,
    ) -> ClosedPeriod:
        """Return the period computed from events, under a supposition."""
        supposed = supposed or _Supposed()
        events = list(events)
        playing = {player for event in events for player in event.players}
        standings = {
            player: self._standing(player, listed, supposed)
            for player in playing
            if (listed := self.before.players.get(player)) is not None and listed.rating is not None
        }
        born = {
            player: listed.born
            for player in playing
            if (listed := self.before.players.get(player) or self.after.players.get(player)) is not None
        }
        register = RegisterFacts(born=born, k=supposed.k, standard_then=self._standard)
        return close(
            self.on_list, self.after.day, self.before.day, standings, events, self._in_force(supposed),
            self.edition, register=register, only=only,
        )  # fmt: skip

    def _standing(self, player: int, listed: FideEntry, supposed: _Supposed) -> PlayerState:
        rating = supposed.ratings.get(player, listed.rating)
        return PlayerState(player, rating, SETTLED_GAMES, rating or 0, listed.k, last_list=self.before.day)

    def _list_on(self, day: date) -> DatedList:
        """Return the list in force on a day; before the first list given, that one."""
        out = [chosen for chosen in self.lists if chosen.day <= day]
        if not out:
            return min(self.lists, key=lambda chosen: chosen.day)
        return max(out, key=lambda chosen: chosen.day)

    def _in_force(self, supposed: _Supposed) -> InForce:
        def rating(player: int, day: date) -> int | None:
            listed = self._list_on(day).players.get(player)
            if listed is None or listed.rating is None:
                return None
            return supposed.ratings.get(player, listed.rating)

        return rating

    def _standard(self, player: int, day: date) -> int | None:
        listed = self._list_on(day).players.get(player)
        return listed.standard if listed else None

    def result(
        self, player: int, events: Iterable[Event], supposed: _Supposed | None = None
    ) -> tuple[int | None, int]:
        """Return a player's rating and games, computed from some events under a supposition."""
        happened = self.close(events, supposed, {player}).players.get(player)
        if happened is None:
            listed = self.before.players.get(player)
            rating = listed.rating if listed else None
            return (supposed.ratings.get(player, rating) if supposed and rating is not None else rating), 0
        return happened.after.rating, happened.games


# --------------------------------------------------------------------------------------------- suppositions


def _explain(
    world: _World, differing: Mapping[int, ReconciledPlayer], played: Mapping[int, Sequence[Event]]
) -> dict[int, tuple[Cause, ...]]:
    """Return the causes of each difference; ratings of opponents are supposed only where several players differ."""
    causes: dict[int, tuple[Cause, ...]] = {}
    started: dict[int, int] = {}
    for number, player in differing.items():
        events = world.base_events(number, played)
        if by_events := _by_own_events(world, player, events, played):
            causes[number] = by_events
        elif (start := _start_for(world, player, events)) is not None:
            started[number] = start
    by_opponents = _by_opponents(world, differing, started, played)
    causes |= by_opponents
    confirmed = {cause.facts["player"] for found in by_opponents.values() for cause in found}
    for number, player in differing.items():
        if number not in causes:
            start = started.get(number)
            causes[number] = (_last_resort(world, player, start, confirmed=number in confirmed),)
    return causes


def _by_own_events(
    world: _World, player: ReconciledPlayer, events: Sequence[Event], played: Mapping[int, Sequence[Event]]
) -> tuple[Cause, ...]:
    """Return the simplest suppositions about events, K and rounding that give the published result."""
    others = [event for event in played.get(player.player, ()) if event not in events]
    for suppositions in (
        _one_change(world, player, events, others),
        _two_changes(world, player, events, others),
    ):
        matching = tuple(
            cause
            for cause, chosen, supposed in suppositions
            if agrees(world.result(player.player, chosen, supposed), player.after)
        )
        if matching:
            return matching
        if _is_rounding(player):
            return (Cause("other-rounding", {"exact": _exact(player)}),)
    return ()


_Supposition = tuple[Cause, list[Event], _Supposed]


def _one_change(
    world: _World, player: ReconciledPlayer, events: Sequence[Event], others: Sequence[Event]
) -> Iterator[_Supposition]:
    """Yield suppositions of one change: an event less, an event more, another K."""
    for event in events:
        yield _without(events, (event,))
    for event in others:
        yield _with(events, (event,), world)
    for k in _other_ks(world, player):
        yield Cause("other-k", _k_facts(player, k)), [*events], _Supposed({player.player: k})


def _two_changes(
    world: _World, player: ReconciledPlayer, events: Sequence[Event], others: Sequence[Event]
) -> Iterator[_Supposition]:
    """Yield suppositions of several events less or more, or of an event less with another K."""
    most = len(events) if len(events) <= MOST_SUBSETS else 2
    for absent in chain.from_iterable(combinations(events, size) for size in range(2, most + 1)):
        yield _without(events, absent)
    for extra in combinations(others, 2):
        yield _with(events, extra, world)
    for event, k in product(events, _other_ks(world, player)):
        _, rest, _ = _without(events, (event,))
        facts = _k_facts(player, k) | {"events": _names((event,))}
        yield Cause("event-not-rated-and-k", facts), rest, _Supposed({player.player: k})


def _without(events: Sequence[Event], absent: Sequence[Event]) -> _Supposition:
    rest = [event for event in events if event not in absent]
    return Cause("event-not-rated", {"events": _names(absent)}), rest, _Supposed()


def _with(events: Sequence[Event], extra: Sequence[Event], world: _World) -> _Supposition:
    later = extra[0].last_day >= world.before.day
    code = "event-of-later-period" if later else "event-of-earlier-period"
    return Cause(code, {"events": _names(extra)}), [*events, *extra], _Supposed()


def _names(events: Sequence[Event]) -> tuple[str, ...]:
    return tuple(event.report.header.name or event.id for event in events)


def _k_facts(player: ReconciledPlayer, k: int) -> dict[str, Fact]:
    used = sorted({part.k for part in player.period.contributions}) if player.period else []
    return {"k": k, "used": tuple(map(str, used))}


def _other_ks(world: _World, player: ReconciledPlayer) -> list[int]:
    """Return each K of the edition that was not used for the player."""
    if player.period is None or not player.period.contributions:
        return []
    rules = world.edition.on(world.on_list)
    values = {rules.k_new.value, rules.k_usual.value, rules.k_top.value}
    values |= {rules.k_junior.value} if rules.k_junior else set()
    return sorted(values - {part.k for part in player.period.contributions})


def _exact(player: ReconciledPlayer) -> Fraction:
    """Return the computed rating before rounding."""
    parts = player.period.contributions if player.period else ()
    start = (player.before.rating if player.before else None) or 0
    return start + sum((part.points for part in parts), Fraction(0))


def _is_rounding(player: ReconciledPlayer) -> bool:
    """Return whether the published rating is the exact one, rounded another way."""
    same_games = player.after is not None and player.after.games in (None, player.games)
    if player.published is None or player.computed is None or not same_games or not player.games:
        return False
    return player.published != player.computed and abs(player.published - _exact(player)) < 1


def _start_for(world: _World, player: ReconciledPlayer, events: Sequence[Event]) -> int | None:
    """Return the rating from which the published one follows with the same games, if there is one."""
    published, first = player.published, player.before.rating if player.before else None
    if published is None or first is None or not player.games:
        return None
    start = published - ((player.computed or first) - first)
    for _ in range(MOST_STEPS):
        rating, games = world.result(player.player, events, _Supposed(ratings={player.player: start}))
        if agrees((rating, games), player.after):
            return start
        if rating is None:
            return None
        start += published - rating
    return None


def _by_opponents(
    world: _World,
    differing: Mapping[int, ReconciledPlayer],
    started: Mapping[int, int],
    played: Mapping[int, Sequence[Event]],
) -> dict[int, tuple[Cause, ...]]:
    """Return the players whose difference follows from another rating of one opponent who differs too."""
    explained_by: dict[int, dict[int, int]] = {}
    for opponent, start in started.items():
        for number in started.keys() - {opponent}:
            events = world.base_events(number, played)
            if not any(opponent in event.players for event in events):
                continue
            if agrees(
                world.result(number, events, _Supposed(ratings={opponent: start})), differing[number].after
            ):
                explained_by.setdefault(opponent, {})[number] = start
    causes: dict[int, tuple[Cause, ...]] = {}
    for opponent in sorted(explained_by, key=lambda number: (-len(explained_by[number]), number)):
        if opponent in causes:
            continue
        for number, start in explained_by[opponent].items():
            name = differing[opponent].listed.name
            causes.setdefault(
                number, (Cause("opponent-rating", {"player": opponent, "name": name, "rating": start}),)
            )
    return causes


def _last_resort(world: _World, player: ReconciledPlayer, start: int | None, *, confirmed: bool) -> Cause:
    """Return what can be said of a difference that no event and no K explains.

    Some rating to start from fits almost any difference. It is a cause only if the differences of opponents confirm
    it or another list of FIDE's has it: the list before contradicts it.
    """
    if player.after is None:
        return Cause("not-on-list")
    more = (player.after.games or 0) - player.games
    if more > 0:
        return Cause("games-not-in-reports", {"games": more})
    if start is not None:
        first = player.before.rating if player.before else None
        entries = (listed.players.get(player.player) for listed in world.lists)
        known = confirmed or any(entry is not None and entry.rating == start for entry in entries)
        return Cause("other-rating" if known else "would-fit", {"rating": start, "listed": first or 0})
    if not player.games and player.before is not None and player.published is not None:
        return Cause(
            "changed-without-games", {"before": player.before.rating or 0, "after": player.published}
        )
    if world.is_unrated(player.player):
        return Cause("other-entry")
    return Cause("unexplained")
