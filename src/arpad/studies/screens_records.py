"""Screens of records and lists: days, cities, closed circles, twin identities, changed reports, thresholds."""

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from itertools import combinations, pairwise
from typing import TypeAlias

from arpad.model import names
from arpad.reports.report import PLAYED
from arpad.studies.history import HistoryList, Tournament
from arpad.studies.signals import Evidence, Signal, surviving
from arpad.studies.statistics import excess_p

CIRCLE = 0.7
"""The share of an event's players who play nowhere else."""

LEAST_CIRCLE = 6
MONTHS_KNOWN = 9
"""Shorter histories cannot show that a player plays nowhere else."""


def screens(evidence: Evidence) -> list[Signal]:
    """Return all screens of records."""
    history = evidence.history
    return [
        *_days(history.tournaments, evidence.games_a_day),
        *_places(history.tournaments),
        *_circles(evidence),
        *_twins(evidence),
        *_changed(history.tournaments, history.earlier),
        *_above_thresholds(evidence.lists),
    ]


def _days(tournaments: Sequence[Tournament], limit: int) -> Iterator[Signal]:
    """Report too many games in a day, too many rounds for the days, and impossible days."""
    played: dict[tuple[int, date], Counter[str]] = {}
    for tournament in tournaments:
        rounds = len({board.round for board in tournament.boards})
        days = (tournament.last_day - tournament.first_day).days + 1
        if rounds > limit * days:
            pace = {"rounds": rounds, "days": days, "limit": limit}
            yield Signal("rounds-in-days", (), tournament.id, pace)
        yield from _wrong_days(tournament)
        for board in tournament.boards:
            if board.day is not None and board.result in PLAYED:
                for player in (board.white, board.black):
                    played.setdefault((player, board.day), Counter())[tournament.id] += 1
    for (player, day), events in sorted(played.items()):
        if events.total() > limit:
            figures = {"day": day, "games": events.total(), "limit": limit}
            yield Signal("games-a-day", (player,), min(events), figures)


def _wrong_days(tournament: Tournament) -> Iterator[Signal]:
    """Return games dated before or after their event, or a round dated before the one before it."""
    dated = [(board.round, board.day) for board in tournament.boards if board.day is not None]
    outside = sum(not tournament.first_day <= day <= tournament.last_day for _, day in dated)
    first: dict[int, date] = {}
    for number, day in dated:
        first[number] = min(day, first.get(number, day))
    backwards = sum(first[later] < first[earlier] for earlier, later in pairwise(sorted(first)))
    if outside or backwards:
        yield Signal("implausible-dates", (), tournament.id, {"outside": outside, "backwards": backwards})


def _places(tournaments: Sequence[Tournament]) -> Iterator[Signal]:
    """Report players who played in two cities on one day; the distance is unknown here.

    If a report has no days for its rounds, the players count as present every day of an event with a round a day or
    more. An event without a city, and one that lasts longer than its rounds, is left out.
    """
    cities_by_day: dict[tuple[int, date], dict[str, str]] = {}
    for tournament in tournaments:
        city = names.key(tournament.city)
        for player, day in _presence(tournament) if city else ():
            cities_by_day.setdefault((player, day), {})[city] = tournament.id
    clashes: dict[tuple[int, str, str], date] = {}
    for (player, day), cities in sorted(cities_by_day.items()):
        if len(cities) > 1:
            event, other_event = sorted(cities.values())[:2]
            clashes.setdefault((player, event, other_event), day)
    for (player, event, other_event), day in clashes.items():
        yield Signal("two-places", (player,), event, {"day": day, "other": other_event})


def _presence(tournament: Tournament) -> set[tuple[int, date]]:
    boards = [board for board in tournament.boards if board.result in PLAYED]
    present = {
        (player, board.day)
        for board in boards
        if board.day is not None
        for player in (board.white, board.black)
    }
    days = (tournament.last_day - tournament.first_day).days + 1
    if any(board.day is not None for board in boards) or len({b.round for b in tournament.boards}) < days:
        return present
    every = [tournament.first_day + timedelta(days=index) for index in range(days)]
    return {(player, day) for board in boards for player in (board.white, board.black) for day in every}


def _circles(evidence: Evidence) -> Iterator[Signal]:
    """Report events whose players hardly play anywhere else: their opponents cannot confirm the ratings."""
    tournaments = evidence.history.tournaments
    if not tournaments:
        return
    days = [tournament.last_day for tournament in tournaments]
    if max(days) - min(days) < timedelta(days=30 * MONTHS_KNOWN):
        return
    events_of = Counter(player for tournament in tournaments for player in tournament.players)
    for tournament in tournaments:
        players = [player for player in tournament.players if player in evidence.history.start]
        alone = [player for player in players if events_of[player] == 1]
        if len(players) >= LEAST_CIRCLE and len(alone) >= CIRCLE * len(players):
            figures = {"players": len(players), "alone": len(alone)}
            yield Signal("closed-circle", tuple(alone), tournament.id, figures)


def _twins(evidence: Evidence) -> Iterator[Signal]:
    """Report two numbers with one name and year of birth that never meet."""
    same: dict[tuple[str, int | None], list[int]] = {}
    for person in evidence.history.people.values():
        if person.name:
            same.setdefault((names.key(person.name), person.born), []).append(person.id)
    groups = [group for group in same.values() if len(group) > 1]
    of = {player: index for index, group in enumerate(groups) for player in group}
    together: set[frozenset[int]] = set()
    for tournament in evidence.history.tournaments:
        members_by_group: dict[int, list[int]] = {}
        for player in tournament.players:
            if player in of:
                members_by_group.setdefault(of[player], []).append(player)
        together |= {
            frozenset(pair) for members in members_by_group.values() for pair in combinations(members, 2)
        }
    for player, other in (pair for group in groups for pair in combinations(group, 2)):
        if frozenset((player, other)) not in together:
            yield Signal("twins", (player, other), "", {"name": evidence.history.people[player].name})


def _changed(tournaments: Sequence[Tournament], earlier: Sequence[Tournament]) -> Iterator[Signal]:
    """Report reports whose results differ from an earlier version; a long event may be rated in parts."""
    now: dict[str, dict[Game, str]] = {}
    for tournament in tournaments:
        now.setdefault(tournament.id.partition("/")[0], {}).update(_games(tournament))
    for former in earlier:
        after = now.get(former.id)
        if after is None:
            continue
        before = _games(former)
        changed = [game for game in before if game in after and before[game] != after[game]]
        added, removed = after.keys() - before.keys(), before.keys() - after.keys()
        if changed or added or removed:
            players = sorted(
                {player for game in (*changed, *added, *removed) for player in game if player > 0}
            )
            figures = {"changed": len(changed), "added": len(added), "gone": len(removed)}
            yield Signal("differs-from-earlier", tuple(players), former.id, figures)


Game: TypeAlias = tuple[int, int]
"""White and black: rounds are numbered anew in the parts of a long event."""


def _games(tournament: Tournament) -> dict[Game, str]:
    """Return every game by its players; a second game with the same colours is added to the first."""
    results: dict[Game, str] = {}
    for board in sorted(tournament.boards, key=lambda game: (game.white, game.black, game.round)):
        results[board.white, board.black] = results.get((board.white, board.black), "") + board.result
    return results


THRESHOLDS = (2300, 2400, 2650)


THRESHOLD_WINDOW = 10


LEAST_NEAR_THRESHOLD = 10


def _above_thresholds(lists: Sequence[HistoryList]) -> list[Signal]:
    """Report thresholds with more ratings just above than just below, over all lists.

    A binomial form of McCrary's test of a density at a cut-off (2008). A player counts once, with the first rating
    near the threshold.
    """
    if not lists:
        return []
    floor = min((min(listed.ratings.values()) for listed in lists if listed.ratings), default=0)
    signals = []
    # no rating is below the floor: the first points above it are compared with the next
    for threshold, middle in (*((bound, bound) for bound in THRESHOLDS), (floor, floor + THRESHOLD_WINDOW)):
        near = _arrivals(lists, middle)
        if len(near) < LEAST_NEAR_THRESHOLD:
            continue
        above = tuple(
            player for player, rating in near.items() if threshold <= rating < threshold + THRESHOLD_WINDOW
        )
        p = excess_p(len(above), len(near))
        beside = len(near) - len(above)
        figures = {"threshold": threshold, "above": len(above), "beside": beside, "window": THRESHOLD_WINDOW}
        signals.append(Signal("above-threshold", above, "", figures, p))
    return surviving(signals)


def _arrivals(lists: Sequence[HistoryList], middle: int) -> dict[int, int]:
    near: dict[int, int] = {}
    for before, after in pairwise(lists):
        for player, rating in after.ratings.items():
            moved = before.ratings.get(player) != rating
            if (
                moved
                and player not in near
                and middle - THRESHOLD_WINDOW <= rating < middle + THRESHOLD_WINDOW
            ):
                near[player] = rating
    return near
