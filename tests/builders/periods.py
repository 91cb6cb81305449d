"""Periods of our own making: events from lists of games, lists in force, and the closing of one list."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date

from arpad.lists import engine
from arpad.lists.period import ClosedPeriod, Event, InForce, RegisterFacts, close
from arpad.model.chess import Performance, PlayerState
from arpad.model.rules import Edition, ListName
from arpad.regulations.editions import CHESS_EDITIONS, in_force
from arpad.regulations.fide.entry_rating import swiss_performance
from arpad.regulations.fide.rules import ChessRules, add_months
from arpad.reports.event_facts import EventFacts
from tests.builders.chess import Game, report_from_games

STANDARD, RAPID = ListName.STANDARD, ListName.RAPID
WON, DREW, LOST = "1", "=", "0"

BYSTANDER = 999


def edition_on(day: date, on_list: ListName = STANDARD) -> Edition[ChessRules]:
    return in_force(CHESS_EDITIONS, on_list, day)


def event(
    name: str,
    games: Iterable[Game],
    first_day: date,
    last_day: date | None = None,
    *,
    on_list: ListName = STANDARD,
    facts: EventFacts | None = None,
) -> Event:
    """An event whose games are laid into the first rounds that have room for them.

    Two players alone would be a match, so a bystander joins them.
    """
    games = list(games)
    players = list(dict.fromkeys(player for one, _, other in games for player in (one, other)))
    if len(players) == 2:
        players.append(BYSTANDER)
    control = "90+30" if on_list == STANDARD else "15+10"
    report = report_from_games(name, players, games, (first_day, last_day or first_day), control)
    return Event(name, report, tuple(players), edition_on(first_day, on_list), facts or EventFacts())


def all_play_all(scores: Mapping[tuple[int, int], str]) -> list[Game]:
    """The games of a round robin of four, in rounds without gaps."""
    a, b, c, d = sorted({player for pair in scores for player in pair})
    rounds = [(a, b), (c, d), (a, c), (b, d), (a, d), (b, c)]
    return [(one, scores[one, other], other) for one, other in rounds]


def lists(published: Mapping[date, Mapping[int, int]]) -> InForce:
    """Lists in force, each until the next."""

    def rating(player: int, day: date) -> int | None:
        before = [since for since in published if since <= day]
        return published[max(before)].get(player) if before else None

    return rating


def ratings_of(standings: Iterable[PlayerState]) -> dict[int, int]:
    return {standing.player: standing.rating for standing in standings if standing.rating is not None}


def closed(
    day: date,
    standings: Sequence[PlayerState],
    events: Sequence[Event],
    *,
    ratings: InForce | None = None,
    on_list: ListName = STANDARD,
    known: RegisterFacts | None = None,
) -> ClosedPeriod:
    """The list of a day; without lists in force, the standings are the ones in force all the time.

    Every scenario is closed twice: the engine must say the same.
    """
    months = edition_on(day, on_list).on(on_list).list_months.value
    opened = add_months(day, -1)
    while opened.month not in months:
        opened = add_months(opened, -1)
    everybody = {standing.player: standing for standing in standings}
    ratings = ratings or lists({date.min: ratings_of(standings)})
    edition = edition_on(day, on_list)
    period = close(on_list, day, opened, everybody, events, ratings, edition, register=known)
    columns = engine.close(
        engine.period_context(on_list, day, opened, everybody, events, ratings, edition, register=known),
        everybody,
        events,
    )
    assert columns == period.standings
    return period


def tranche(name: str, ratings: Sequence[int], half_points: int, last_day: date, edition: str) -> Performance:
    """An earlier event of an unrated player, a Swiss."""
    return replace(swiss_performance(name, ratings, half_points, last_day=last_day), edition=edition)


def regular(player: int, rating: int, *, games: int = 100, last: date = date(2030, 1, 1)) -> PlayerState:
    """A player past his first thirty games who has played lately."""
    return PlayerState(player, rating, games, peak=rating, last_list=last)
