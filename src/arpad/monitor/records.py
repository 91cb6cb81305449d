"""Screens of records: days, places, games a day, closed circles, twin identities, reports that changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date, timedelta

from arpad import names
from arpad.monitor.history import Board, Tournament
from arpad.monitor.integrity import Evidence, Signal

CIRCLE = 0.7
"""The share of an event's players who are seen nowhere else."""

LEAST_CIRCLE = 6
MONTHS_KNOWN = 9
"""Shorter histories cannot tell who plays nowhere else."""


def screens(evidence: Evidence) -> list[Signal]:
    """All screens of records."""
    history = evidence.history
    return [
        *_days(history.tournaments, evidence.games_a_day),
        *_circles(evidence),
        *_twins(evidence),
        *_changed(history.tournaments, history.earlier),
    ]


def _days(tournaments: Sequence[Tournament], limit: int) -> Iterator[Signal]:
    """Games of one day in two places, too many games of a day, more rounds than the days hold."""
    played: dict[tuple[int, date], Counter[str]] = {}
    where = {tournament.id: (tournament.city, tournament.federation) for tournament in tournaments}
    for tournament in tournaments:
        rounds = len({board.round for board in tournament.boards})
        days = (tournament.last_day - tournament.first_day).days + 1
        if rounds > limit * days:
            yield Signal(
                "rounds-in-days", (), tournament.id, {"rounds": rounds, "days": days, "limit": limit}
            )
        for board in tournament.boards:
            if board.day is not None:
                for player in (board.white, board.black):
                    played.setdefault((player, board.day), Counter())[tournament.id] += 1
    for (player, day), events in sorted(played.items()):
        if len({where[event] for event in events}) > 1:
            yield Signal("two-places", (player,), min(events), {"day": day, "other": max(events)})
        if events.total() > limit:
            yield Signal(
                "games-a-day", (player,), min(events), {"day": day, "games": events.total(), "limit": limit}
            )


def _circles(evidence: Evidence) -> Iterator[Signal]:
    """An event whose players are hardly seen anywhere else: no opposition that others could vouch for."""
    tournaments = evidence.history.tournaments
    if not tournaments:
        return
    days = [tournament.last_day for tournament in tournaments]
    if max(days) - min(days) < timedelta(days=30 * MONTHS_KNOWN):
        return
    seen = Counter(player for tournament in tournaments for player in tournament.players)
    for tournament in tournaments:
        players = [player for player in tournament.players if player in evidence.history.start]
        alone = [player for player in players if seen[player] == 1]
        if len(players) >= LEAST_CIRCLE and len(alone) >= CIRCLE * len(players):
            figures = {"players": len(players), "alone": len(alone)}
            yield Signal("closed-circle", tuple(alone), tournament.id, figures)


def _twins(evidence: Evidence) -> Iterator[Signal]:
    """Two numbers under one name and year of birth that never meet."""
    same: dict[tuple[str, int | None], list[int]] = {}
    for person in evidence.history.people.values():
        if person.name:
            same.setdefault((names.key(person.name), person.born), []).append(person.id)
    together = {
        (one, other)
        for tournament in evidence.history.tournaments
        for group in same.values()
        if len(group) > 1 and len(members := set(group) & set(tournament.players)) > 1
        for one in members
        for other in members
    }
    for group in same.values():
        for index, one in enumerate(group):
            for other in group[index + 1 :]:
                if (one, other) not in together:
                    name = evidence.history.people[one].name
                    yield Signal("twins", (one, other), "", {"name": name})


def _changed(tournaments: Sequence[Tournament], earlier: Sequence[Tournament]) -> Iterator[Signal]:
    """A report that tells other results than an earlier version of it."""
    now = {tournament.id: tournament for tournament in tournaments}
    for former in earlier:
        latest = now.get(former.id)
        if latest is None:
            continue
        before, after = _games(former), _games(latest)
        changed = [game for game in before if game in after and before[game] != after[game]]
        added, gone = after.keys() - before.keys(), before.keys() - after.keys()
        if changed or added or gone:
            players = sorted({player for _, *pair in (*changed, *added, *gone) for player in pair})
            figures = {"changed": len(changed), "added": len(added), "gone": len(gone)}
            yield Signal("differs-from-earlier", tuple(players), former.id, figures)


def _games(tournament: Tournament) -> dict[tuple[int, int, int], str]:
    def key(board: Board) -> tuple[int, int, int]:
        return board.round, board.white, board.black

    return {key(board): board.result for board in tournament.boards}
