"""Reports as columns of games: every game that was played, once, with the entrants of all events in one long column.

Some events take the readable way, since their kind decides what counts and they are few: matches, round robins with
unrated players under an edition that has a procedure for them, events from which single games are taken out, and
reports that contradict themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from arpad.lists.engine.columns import Column, PlayerColumns, Ratings, Roster, ordinal
from arpad.lists.period import Event
from arpad.lists.period_inputs import Frame
from arpad.model.chess import EventKind
from arpad.model.rules import Edition
from arpad.regulations.chess.change import cap_every_game, cap_one_game_per_event
from arpad.regulations.chess.games import minutes_judged
from arpad.regulations.chess.rules import ChessRules
from arpad.reports.event_facts import EventFacts
from arpad.reports.time_control import TimeControl
from arpad.reports.time_control_text import read_time_control

KNOWN_SCOPES = (cap_every_game, cap_one_game_per_event)
"""The rules for large gaps that the engine has on columns."""

_LIKE_A_SWISS = (None, EventKind.SWISS, EventKind.TEAM)
"""The kinds without a procedure of their own; None: no kind is stated."""

_HALF_POINTS = np.full(256, -1, np.int8)
_HALF_POINTS[[ord("0"), ord("="), ord("1")]] = (0, 1, 2)


@dataclass(frozen=True, slots=True)
class Games:
    """The games of some events under one edition."""

    edition: str
    first: Column
    """Index of the entrant who comes first in the report."""

    second: Column
    score: Column
    """Half-points of the first entrant."""

    entrants: Entrants
    event: Column | None = None
    """The event of each game, if it decides whether the game counts."""


@dataclass(frozen=True, slots=True)
class Entrants:
    """The entrants of some events, one line for each player and event."""

    row: Column | None
    """The player's row on the roster; None: the lines are the rows of the roster."""

    event: Column | None
    """The index of the event; None: there is only one."""

    rating_for_opponents: Column
    """The rating with which the player counts for the opponents; 0: unrated."""

    own_rating: Column
    """The rating from which the player's own change starts; 0: the games go into the pool."""

    rated_since: Column | None
    """Whether the player was unrated when the event began and is rated since (8.4, 8.2.4); None: no player."""

    uses_standard: Column | None
    """Whether the player takes part with the standard rating; None: no player."""

    guest: Column | None = None
    """Whether the player counts only for the opponents; None: no player."""

    def __len__(self) -> int:
        return len(self.rating_for_opponents)


class EventLabel(NamedTuple):
    """The order, name and kind of an event."""

    key: tuple[int, int, str]
    """Last day, first day, id: the order in which events ended, as ``in_order`` has it."""

    name: str
    team: bool = False
    """Whether it is a team championship."""


@dataclass(frozen=True, slots=True)
class EventColumns:
    """One event as an input of the engine: its header, its players, and its results as columns."""

    id: str
    name: str
    first_day: date | None
    last_day: date | None
    edition: Edition[ChessRules]
    facts: EventFacts
    players: Column
    """The register's number of each entrant."""

    numbers: Column
    """The start number of each entrant."""

    opponents: Column
    """Round by round, by entrant: the start number of the opponent; 0 for none."""

    results: Column
    """Round by round, by entrant: the letter of the result."""

    time_control: tuple[str, str]
    """The two texts of the time control in a report."""

    readable: Callable[[], Event]
    """Returns the event for the readable way."""

    irregular: bool = False
    """Whether it has no columns, since its rounds differ in length: only the readable way is left."""

    @property
    def label(self) -> EventLabel:
        """Its order, name and kind."""
        key = ordinal(self.last_day), ordinal(self.first_day), self.id
        return EventLabel(key, self.name, bool(self.facts.team_championship))


def columns_of_event(event: Event) -> EventColumns:
    """Return an event as columns."""
    report = event.report
    size = len(report.entrants)
    irregular = any(len(cells.opponents) != size or len(cells.results) != size for cells in report.rounds)
    rounds = () if irregular else report.rounds
    letters = "".join(cells.results for cells in rounds).encode("ascii", "replace")
    return EventColumns(
        event.id, report.header.name, report.header.first_day, report.header.last_day, event.edition, event.facts,
        np.array(event.players, np.int64),
        np.array([entrant.number for entrant in report.entrants], np.int64),
        np.array([cells.opponents for cells in rounds], np.int64).reshape(len(rounds), size),
        np.frombuffer(letters, np.uint8).reshape(len(rounds), size),
        (report.header.time_control, report.header.coded_time_control), lambda: event, irregular,
    )  # fmt: skip


class EventGames(NamedTuple):
    """The games of some events: the index of both entrants among those of all events, and the score of the first."""

    first: Column
    second: Column
    score: Column
    event: Column
    """The index of the event."""


def games_of(events: Sequence[EventColumns]) -> EventGames:
    """Return the games of some events that were played and whose two results agree.

    The cells of all events are in one column, round by round: arrays are slow for the few cells of one event.
    """
    sizes = np.array([len(event.numbers) for event in events])
    cells_of = np.array([event.opponents.size for event in events])
    event = np.repeat(np.arange(len(events), dtype=np.int32), cells_of)
    cell = np.arange(len(event), dtype=np.int32)
    entrant = (cell - (np.cumsum(cells_of) - cells_of).astype(np.int32)[event]) % sizes.astype(np.int32)[
        event
    ]
    opponent = np.concatenate([np.zeros(0, np.int32), *map(_opponents_by_index, events)])
    score = _HALF_POINTS[np.concatenate([np.zeros(0, np.uint8), *(it.results.ravel() for it in events)])]
    (cells,) = np.nonzero((score >= 0) & (opponent > entrant))
    others = cells - entrant[cells] + opponent[cells]  # the cells of the opponents in the same round
    mutual = opponent[others] == entrant[cells]
    agreed = mutual & (score[others] >= 0) & (score[cells] + score[others] == 2)  # noqa: PLR2004  two half-points
    cells = cells[agreed]
    event = event[cells]
    before = (np.cumsum(sizes) - sizes).astype(np.int32)[event]
    return EventGames(before + entrant[cells], before + opponent[cells], score[cells], event)


def _opponents_by_index(event: EventColumns) -> Column:
    """Return the index of the opponent in each cell of an event; negative for none."""
    opponents, numbers = event.opponents.ravel(), event.numbers
    size = len(numbers)
    if (numbers == np.arange(1, size + 1)).all():  # the usual case: start numbers 1 to N
        return np.where(opponents <= size, opponents, 0).astype(np.int32) - 1
    order = np.argsort(numbers)
    index = order[np.minimum(np.searchsorted(numbers, opponents, sorter=order), size - 1)]
    return np.where((opponents != 0) & (numbers[index] == opponents), index, -1).astype(np.int32)


def needs_readable_path(event: EventColumns, rules: ChessRules, ratings: Column) -> bool:
    """Whether an event must be counted the readable way."""
    size, rounds = (
        int((event.opponents != 0).any(axis=0).sum()),
        len(event.opponents),
    )  # players paired at least once
    is_match = size <= 2  # noqa: PLR2004  two players
    if event.irregular or event.facts.taken_out or is_match:
        return True
    if _has_repeats(event.numbers) or _has_repeats(event.players):
        return True
    if not _gap_rule_known(rules) or event.facts.kind not in _LIKE_A_SWISS:
        return True
    may_be_round_robin = rules.round_robin_entry is not None and rounds >= size - 1 + size % 2
    return may_be_round_robin and not ratings.all()


def _has_repeats(column: Column) -> bool:
    return len(set(column.tolist())) != len(column)


def _gap_rule_known(rules: ChessRules) -> bool:
    """Whether the engine has the edition's rules for large gaps on columns."""
    scope = rules.cap_rule.value
    return scope in KNOWN_SCOPES and not (rules.unrated_gap and scope is cap_one_game_per_event)


# ------------------------------------------------------------------------------------------- several events


@dataclass(frozen=True, slots=True)
class Context:
    """The context of the sums: the list, facts about players, the ratings in force, the frame."""

    roster: Roster
    players: PlayerColumns
    in_force: Ratings
    frame: Frame


def participation_columns(rows: Column, day: date, rules: ChessRules, context: Context) -> tuple[Column, ...]:
    """Return how players take part in an event (``participation`` for many): the last five columns of ``Entrants``."""
    for_opponents = context.in_force(rows, day)
    rated = context.roster.rating[rows] > 0
    guest, for_opponents = _with_guests(rows, for_opponents, context, day)
    rated &= ~guest
    own = np.where(rated, for_opponents, 0).astype(np.int16)
    uses_standard = np.zeros(len(rows), np.bool_)
    if rules.entry_takes_standard:
        standard = context.players.standard_on(rows, day)
        uses_standard = (for_opponents == 0) & (standard > 0) & ~guest
        own = np.where(uses_standard, standard, own)
        for_opponents = np.where(uses_standard, standard, for_opponents)
    rated_since = rated & (for_opponents == 0)
    roster, computed = context.roster, rules.rated_meanwhile.value
    for index in np.flatnonzero(rated_since).tolist():
        row = rows[index]
        rating, entry, games = int(roster.rating[row]), int(roster.entry[row]), int(roster.games[row])
        own[index] = computed(rating, entry or None, games).own
    return for_opponents, own, rated_since, uses_standard, guest


def _with_guests(rows: Column, listed: Column, context: Context, day: date) -> tuple[Column, Column]:
    """Return which players are guests on a day, and all ratings with those of the guests."""
    guests = context.players.guests.get(day)
    if not guests:
        return np.zeros(len(rows), np.bool_), listed
    players = context.roster.player[rows]
    guest = np.isin(players, np.fromiter(guests, np.int64, len(guests)))
    ratings = listed.copy()
    for index in np.flatnonzero(guest).tolist():
        ratings[index] = guests[int(players[index])] or listed[index]
    return guest, ratings


def game_columns(events: Sequence[EventColumns], context: Context) -> tuple[list[Games], list[EventColumns]]:
    """Return the games of some events by edition, and the events of the readable path."""
    by_day: dict[tuple[str, date], list[int]] = {}
    for number, event in enumerate(events):
        by_day.setdefault((event.edition.id, event.first_day or date.min), []).append(number)
    readable: list[EventColumns] = []
    by_edition: dict[str, list[tuple[int, EventColumns, tuple[Column, ...]]]] = {}
    for (edition, day), numbers in by_day.items():
        rules = events[numbers[0]].edition.on(context.frame.on_list)
        rows = context.roster.rows(np.concatenate([events[number].players for number in numbers]))
        parts = (rows, *participation_columns(rows, day, rules, context))
        begins = 0
        for number in numbers:
            event = events[number]
            ends = begins + len(event.players)
            own_parts = tuple(part[begins:ends] for part in parts)
            begins = ends
            if needs_readable_path(event, rules, own_parts[1]):
                readable.append(event)
            else:
                by_edition.setdefault(edition, []).append((number, event, own_parts))
    return [_games(edition, members, context) for edition, members in by_edition.items()], readable


def _games(
    edition: str, members: Sequence[tuple[int, EventColumns, tuple[Column, ...]]], context: Context
) -> Games:
    games = games_of([event for _, event, _ in members])
    row, *participation = (np.concatenate([parts[index] for _, _, parts in members]) for index in range(6))
    numbers = np.array([number for number, _, _ in members], np.int32)
    event_of = np.repeat(numbers, [len(event.players) for _, event, _ in members])
    entrants = Entrants(row, event_of, *participation)
    all_games = Games(edition, games.first, games.second, games.score, entrants, numbers[games.event])
    rules = members[0][1].edition.on(context.frame.on_list)
    return _drop_unrated_times(all_games, [(number, event) for number, event, _ in members], rules)


def _drop_unrated_times(
    games: Games, members: Iterable[tuple[int, EventColumns]], rules: ChessRules
) -> Games:
    """Return the games without those too fast for the stronger player, if the edition judges each game.

    Games in which the players had different times are also left out, if the edition requires equal times.
    """
    by_game = rules.time_bands_per_game and rules.time_bands
    if not (by_game or rules.equal_times) or games.event is None:
        return games
    bands = by_game.value if by_game else ((0, 0),)
    events = dict(members)
    too_fast = np.zeros((max(events) + 1, len(bands)), np.bool_)
    for number, event in events.items():
        control = _time_control(event.time_control, event.facts.time_control)
        minutes = minutes_judged(control, event.facts, rules)
        unequal = bool(rules.equal_times and control.black)
        too_fast[number] = [unequal or (minutes is not None and minutes < least) for _, least in bands]
    rating = games.entrants.rating_for_opponents
    stronger = np.maximum(rating[games.first], rating[games.second])
    band = np.zeros(len(stronger), np.intp)
    for index, (low, _) in reversed(list(enumerate(bands))):
        band[stronger >= low] = index
    rated = ~too_fast[games.event, band]
    return Games(
        games.edition,
        games.first[rated],
        games.second[rated],
        games.score[rated],
        games.entrants,
        games.event[rated],
    )


@lru_cache(maxsize=4096)
def _time_control(texts: tuple[str, str], decided: str | None) -> TimeControl:
    """Return the time control: an officer's, or else the report's; cached, since most events have one of a few."""
    return read_time_control(decided) if decided is not None else read_time_control(*texts)
