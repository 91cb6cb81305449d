"""Reports as columns of games: every game that was played, once, with the entrants of all events in one long column.

Some events take the readable way, since their kind decides what counts and they are few: matches, round robins with
unrated players under an edition that has a procedure for them, events from which single games are taken out, and
reports that contradict themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import compress
from typing import NamedTuple, TypeAlias

import numpy as np

from arpad.lists.engine.columns import Column, PlayerColumns, Ratings, Roster, ordinal
from arpad.lists.period import Event
from arpad.lists.period_inputs import Frame
from arpad.model.chess import EventKind
from arpad.model.rules import Edition
from arpad.regulations.fide.change import cap_every_game, cap_one_game_per_event
from arpad.regulations.fide.games import minutes_judged
from arpad.regulations.fide.rules import ChessRules
from arpad.reports.event_facts import EventFacts
from arpad.reports.report_games import ReportGames, games_in_columns
from arpad.reports.time_control import read_time_control

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

    def where(self, mask: Column) -> Games:
        """Return some of the games."""
        at = np.flatnonzero(mask)
        return Games(self.edition, self.first[at], self.second[at], self.score[at], self.entrants)


@dataclass(frozen=True, slots=True)
class Entrants:
    """The entrants of some events, one line for each player and event."""

    row: Column
    """The player's row on the roster."""

    event: Column
    """The index of the event."""

    rating_for_opponents: Column
    """The rating with which the player counts for the opponents; 0: unrated."""

    own_rating: Column
    """The rating from which the player's own change starts; 0: the games go into the pool."""

    rated_since: Column
    """Whether the player was unrated when the event began and is rated since (8.4, 8.2.4)."""

    uses_standard: Column
    """Whether the player takes part with the standard rating."""

    guest: Column
    """Whether the player counts only for the opponents."""

    def __len__(self) -> int:
        return len(self.rating_for_opponents)


EventKey: TypeAlias = tuple[int, int, str]
"""Last day, first day, id: the order in which events ended, as ``in_order`` has it."""


class EventLabel(NamedTuple):
    """The order, name and kind of an event."""

    key: EventKey
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


def event_columns(
    event: str,
    games: ReportGames | None,
    players: Sequence[int],
    edition: Edition[ChessRules],
    facts: EventFacts,
    readable: Callable[[], Event],
) -> EventColumns:
    """Return an event as columns; without games in columns it can only take the readable way."""
    header = games or readable().report.header
    size, rounds = len(players), games.rounds if games else 0
    numbers, opponents, results = games[-3:] if games else (bytes(4 * size), b"", b"")
    return EventColumns(
        event, header.name, header.first_day, header.last_day, edition, facts,
        np.array(players, np.int64),
        np.frombuffer(numbers, "<i4"),
        np.frombuffer(opponents, "<i4").reshape(rounds, size),
        np.frombuffer(results, np.uint8).reshape(rounds, size),
        (header.time_control, header.coded_time_control), readable, irregular=games is None,
    )  # fmt: skip


def columns_of_event(event: Event) -> EventColumns:
    """Return an event of the readable period as columns."""
    games = games_in_columns(event.report)
    return event_columns(event.id, games, event.players, event.edition, event.facts, lambda: event)


def games_of(events: Sequence[EventColumns]) -> tuple[Column, Column, Column]:
    """Return the games of some events that were played and whose two results agree.

    Of each game the index of both entrants among those of all events, and the score of the first.
    The cells of all events are in one column, entrant by entrant: arrays are slow for the few cells of one event.
    """
    sizes = np.array([len(event.numbers) for event in events], np.int32)
    rounds = np.array([len(event.opponents) for event in events], np.int32)
    before = np.cumsum(sizes, dtype=np.int32) - sizes
    entrant_rounds = np.repeat(rounds, sizes)
    event_of_entrant = np.repeat(np.arange(len(events), dtype=np.int32), sizes)
    index = np.arange(len(event_of_entrant), dtype=np.int32) - before[event_of_entrant]
    cells = _joined([event.results.T.ravel() for event in events], np.uint8)
    score = _HALF_POINTS[cells]
    opponent = _opponents_by_index(events, sizes, rounds, index)
    entrant = np.repeat(index, entrant_rounds)
    (cell,) = np.nonzero((score >= 0) & (opponent > entrant))
    own, other = entrant[cell], opponent[cell]
    first = np.repeat(np.arange(len(index), dtype=np.int32), entrant_rounds)[cell]
    second = first + (other - own)
    others = cell + (other - own) * entrant_rounds[first]  # the cells of the opponents in the same round
    agreed = (opponent[others] == own) & (score[others] >= 0) & (score[cell] + score[others] == 2)  # noqa: PLR2004  two half-points
    return first[agreed], second[agreed], score[cell[agreed]]


def _joined(parts: Sequence[Column], kind: type) -> Column:
    return np.concatenate([np.zeros(0, kind), *parts])


def _opponents_by_index(
    events: Sequence[EventColumns], sizes: Column, rounds: Column, index: Column
) -> Column:
    """Return the index of the opponent in each cell of events, entrant by entrant; negative for none."""
    opponents = _joined([event.opponents.T.ravel() for event in events], np.int16)
    largest = np.repeat(sizes, sizes * rounds)
    by_index = np.where(opponents <= largest, opponents, 0).astype(np.int32) - 1
    odd = _joined([event.numbers for event in events], np.int16) != index + 1
    if odd.any():  # start numbers are usually 1 to N
        stops = np.cumsum(sizes * rounds)
        for number in {*np.repeat(np.arange(len(events)), sizes)[odd].tolist()}:
            own = slice(stops[number] - sizes[number] * rounds[number], stops[number])
            by_index[own] = _indices_of(events[number].numbers, opponents[own])
    return by_index


def _indices_of(numbers: Column, wanted: Column) -> Column:
    """Return the index of each wanted number; -1 for none."""
    order = np.argsort(numbers)
    index = order[np.minimum(np.searchsorted(numbers, wanted, sorter=order), len(numbers) - 1)]
    return np.where((wanted != 0) & (numbers[index] == wanted), index, -1)


def needs_readable_path(event: EventColumns, rules: ChessRules, ratings: Column, *, repeats: bool) -> bool:
    """Whether an event must be counted the readable way; ``repeats`` is whether an entrant is there twice."""
    rounds = len(event.opponents)
    # in the first round: at least so many
    paired = int(np.count_nonzero(event.opponents[0])) if rounds else 0
    if paired <= max(rounds + 1, 2):
        paired = int((event.opponents != 0).any(axis=0).sum())
    is_match = paired <= 2  # noqa: PLR2004  two players
    if repeats or event.irregular or event.facts.taken_out or is_match:
        return True
    if not _gap_rule_known(rules) or event.facts.kind not in _LIKE_A_SWISS:
        return True
    may_be_round_robin = rules.round_robin_entry is not None and rounds >= paired - 1 + paired % 2
    return may_be_round_robin and not ratings.all()


def _have_repeats(values: Column, sizes: Sequence[int]) -> Column:
    """Return which events have a value twice; ``values`` are those of their entrants, one event after the other."""
    event = np.repeat(np.arange(len(sizes)), sizes)
    span = int(values.max(initial=0)) + 1
    keys = np.sort(event * span + values)
    repeated = np.zeros(len(sizes), np.bool_)
    repeated[keys[1:][keys[1:] == keys[:-1]] // span] = True
    return repeated


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
        then = context.players.standard_then
        standard = then(rows, day) if then else context.players.standard[rows]
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
    by_edition: dict[str, tuple[list[int], list[tuple[Column, ...]]]] = {}
    for (edition, day), numbers in by_day.items():
        rules = events[numbers[0]].edition.on(context.frame.on_list)
        sizes = [len(events[number].players) for number in numbers]
        rows = context.roster.rows(np.concatenate([events[number].players for number in numbers]))
        parts = (rows, *participation_columns(rows, day, rules, context))
        start_numbers = np.concatenate([events[number].numbers for number in numbers])
        repeated = _have_repeats(rows, sizes) | _have_repeats(start_numbers, sizes)
        on_columns = [
            not needs_readable_path(events[number], rules, parts[1][end - size : end], repeats=repeats)
            for number, size, end, repeats in zip(
                numbers, sizes, np.cumsum(sizes).tolist(), repeated.tolist(), strict=True
            )
        ]
        if not all(on_columns):
            readable += compress([events[number] for number in numbers], [not it for it in on_columns])
            parts = tuple(part[np.repeat(on_columns, sizes)] for part in parts)
        members, all_parts = by_edition.setdefault(edition, ([], []))
        members += compress(numbers, on_columns)
        all_parts.append(parts)
    games = [
        _games(edition, {number: events[number] for number in members}, parts, context)
        for edition, (members, parts) in by_edition.items()
        if members
    ]
    return games, readable


def _games(
    edition: str, members: Mapping[int, EventColumns], parts: Sequence[tuple[Column, ...]], context: Context
) -> Games:
    row, *participation = map(np.concatenate, zip(*parts, strict=True))
    numbers = np.fromiter(members, np.int32, len(members))
    event_of = np.repeat(numbers, [len(event.players) for event in members.values()])
    entrants = Entrants(row, event_of, *participation)
    games = Games(edition, *games_of([*members.values()]), entrants)
    rules = next(iter(members.values())).edition.on(context.frame.on_list)
    return _drop_unrated_times(games, members, rules)


def _drop_unrated_times(games: Games, events: Mapping[int, EventColumns], rules: ChessRules) -> Games:
    """Return the games without those too fast for the stronger player, if the edition judges each game.

    Games in which the players had different times are also left out, if the edition requires equal times.
    """
    by_game = rules.time_bands_per_game and rules.time_bands
    if not (by_game or rules.equal_times):
        return games
    bands = by_game.value if by_game else ((0, 0),)
    too_fast = np.zeros((max(events) + 1, len(bands)), np.bool_)
    judged: dict[tuple[tuple[str, str], int], list[bool]] = {}  # most events have one of a few time controls
    for number, event in events.items():
        key = (event.time_control, id(event.facts))
        if key not in judged:
            judged[key] = _too_fast(event, bands, rules)
        too_fast[number] = judged[key]
    if not too_fast.any():
        return games
    rating = games.entrants.rating_for_opponents
    stronger = np.maximum(rating[games.first], rating[games.second])
    band = np.zeros(len(stronger), np.intp)
    for index, (low, _) in reversed(list(enumerate(bands))):
        band[stronger >= low] = index
    return games.where(~too_fast[games.entrants.event[games.first], band])


def _too_fast(event: EventColumns, bands: Sequence[tuple[int, int]], rules: ChessRules) -> list[bool]:
    """Return for each band of ratings whether the games of an event are too fast for it."""
    decided = event.facts.time_control
    control = read_time_control(decided) if decided is not None else read_time_control(*event.time_control)
    minutes = minutes_judged(control, event.facts, rules)
    unequal = bool(rules.equal_times and control.black)
    return [unequal or (minutes is not None and minutes < least) for _, least in bands]
