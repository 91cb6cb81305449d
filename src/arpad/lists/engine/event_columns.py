"""Reports as columns of games: every pairing that was played, once, with the entrants' places in one long column.

Some events go the readable way, since their kind decides what counts and they are few: matches, round robins in which
unrated players take part under an edition that has a procedure for them, events from which single games are taken out,
and reports that contradict themselves.
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
"""The regimes of large gaps that the engine has on arrays."""

_LIKE_A_SWISS = (None, EventKind.SWISS, EventKind.TEAM)
"""The kinds that may be stated without a procedure of their own; None where nobody states one."""

_HALF_POINTS = np.full(256, -1, np.int8)
_HALF_POINTS[[ord("0"), ord("="), ord("1")]] = (0, 1, 2)


@dataclass(frozen=True, slots=True)
class Games:
    """The games of some events under one edition."""

    edition: str
    one: Column
    """The entrant with the lower place."""

    other: Column
    score: Column
    """His half-points."""

    entrants: Entrants
    event: Column | None = None
    """Each game's event; only where something about the event decides whether the game counts."""


@dataclass(frozen=True, slots=True)
class Entrants:
    """Everybody who takes part in some events, one line for each event he plays in."""

    row: Column | None
    """The player's row on the roster; None where the lines are the roster's own rows."""

    event: Column | None
    """Which of the events; None where there is only one."""

    seen: Column
    """The rating that the opponents meet; 0: unrated."""

    own: Column
    """The rating that the own change starts from; 0: the games go into the pool."""

    meanwhile: Column | None
    """Unrated when the event began, rated since (8.4, 8.2.4); None: nobody."""

    takes: Column | None
    """Takes part with the standard rating; None: nobody."""

    def __len__(self) -> int:
        return len(self.seen)


class EventLabel(NamedTuple):
    """What is said of an event beside its games."""

    key: tuple[int, int, str]
    """Last day, first day, id: the order in which events ended, as ``in_order`` has it."""

    name: str
    team: bool = False
    """Whether it is a team championship."""


@dataclass(frozen=True, slots=True)
class EventColumns:
    """One event as the engine takes it: what its header says, who plays, and the cells as columns."""

    id: str
    name: str
    first_day: date | None
    last_day: date | None
    edition: Edition[ChessRules]
    facts: EventFacts
    players: Column
    """The register's number of each entrant, by place."""

    numbers: Column
    """The start numbers, by place."""

    named: Column
    """Round by round, by place: the start number of the opponent; 0 for none."""

    letters: Column
    """Round by round, by place: the result."""

    control: tuple[str, str]
    """The two texts in which a report gives its time control."""

    event: Callable[[], Event]
    """The same the readable way."""

    odd: bool = False
    """Whether its columns cannot be told: then only the readable way is left."""

    @property
    def told(self) -> EventLabel:
        """What is said of it beside its games."""
        key = ordinal(self.last_day), ordinal(self.first_day), self.id
        return EventLabel(key, self.name, bool(self.facts.team_championship))


def columns_of_event(event: Event) -> EventColumns:
    """An event as columns."""
    report = event.report
    size = len(report.entrants)
    odd = any(len(cells.opponents) != size or len(cells.results) != size for cells in report.rounds)
    rounds = () if odd else report.rounds
    letters = "".join(cells.results for cells in rounds).encode("ascii", "replace")
    return EventColumns(
        event.id, report.header.name, report.header.first_day, report.header.last_day, event.edition, event.facts,
        np.array(event.players, np.int64),
        np.array([entrant.number for entrant in report.entrants], np.int64),
        np.array([cells.opponents for cells in rounds], np.int64).reshape(len(rounds), size),
        np.frombuffer(letters, np.uint8).reshape(len(rounds), size),
        (report.header.time_control, report.header.coded_time_control), lambda: event, odd,
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class EventGames:
    """One event as columns of places."""

    one: Column
    other: Column
    score: Column


def event_games(sheet: EventColumns) -> EventGames:
    """The games of an event that were played and that both cells tell alike."""
    named, numbers = sheet.named, sheet.numbers
    size = len(numbers)
    if not named.size:
        nobody = np.zeros(0, np.int32)
        return EventGames(nobody, nobody, np.zeros(0, np.int8))
    score = _HALF_POINTS[sheet.letters]
    here = np.arange(size)
    if (numbers == here + 1).all():  # the usual case: places are start numbers
        found = named - 1
        there = (named > 0) & (named <= size)
    else:
        order = np.argsort(numbers)
        found = order[np.minimum(np.searchsorted(numbers, named, sorter=order), size - 1)]
        there = (named != 0) & (numbers[found] == named)
    turn, one = np.nonzero(there & (score >= 0) & (found > here))
    other = found[turn, one]
    mine, theirs = score[turn, one], score[turn, other]
    agreed = (named[turn, other] == numbers[one]) & (theirs >= 0) & (mine + theirs == 2)  # noqa: PLR2004  two half-points
    return EventGames(one[agreed].astype(np.int32), other[agreed].astype(np.int32), mine[agreed])


def needs_readable_path(sheet: EventColumns, rules: ChessRules, seen: Column) -> bool:
    """Whether an event is counted the readable way."""
    size, rounds = int((sheet.named != 0).any(axis=0).sum()), len(sheet.named)  # who was paired at least once
    is_match = size <= 2  # noqa: PLR2004  two players
    if sheet.odd or sheet.facts.taken_out or is_match:
        return True
    if _has_repeats(sheet.numbers) or _has_repeats(sheet.players):
        return True
    if not _gap_rule_known(rules) or sheet.facts.kind not in _LIKE_A_SWISS:
        return True
    may_be_round_robin = rules.round_robin_entry is not None and rounds >= size - 1 + size % 2
    return may_be_round_robin and not seen.all()


def _has_repeats(column: Column) -> bool:
    return len(set(column.tolist())) != len(column)


def _gap_rule_known(rules: ChessRules) -> bool:
    """Whether the engine has the edition's rules for large gaps on arrays."""
    scope = rules.cap_rule.value
    return scope in KNOWN_SCOPES and not (rules.unrated_gap and scope is cap_one_game_per_event)


# ------------------------------------------------------------------------------------------- several events


@dataclass(frozen=True, slots=True)
class Context:
    """All that events need to become games: the list, what is known beside it, the ratings in force, the frame."""

    roster: Roster
    beside: PlayerColumns
    in_force: Ratings
    frame: Frame


def participation_columns(rows: Column, day: date, rules: ChessRules, context: Context) -> tuple[Column, ...]:
    """Return how players take part in an event: seen, own, meanwhile, takes (``participation`` for many)."""
    seen = context.in_force(rows, day)
    rated = context.roster.rating[rows] > 0
    own = np.where(rated, seen, 0).astype(np.int16)
    takes = np.zeros(len(rows), np.bool_)
    if rules.entry_takes_standard:
        standard = context.beside.standard_on(rows, day)
        takes = (seen == 0) & (standard > 0)
        own = np.where(takes, standard, own)
        seen = np.where(takes, standard, seen)
    meanwhile = rated & (seen == 0)
    roster, computed = context.roster, rules.rated_meanwhile.value
    for place in np.flatnonzero(meanwhile).tolist():
        row = rows[place]
        rating, entry, games = int(roster.rating[row]), int(roster.entry[row]), int(roster.games[row])
        own[place] = computed(rating, entry or None, games).own
    return seen, own, meanwhile, takes


def game_columns(sheets: Sequence[EventColumns], context: Context) -> tuple[list[Games], list[EventColumns]]:
    """The games of some events, edition by edition, and the events that go the readable way."""
    alike: dict[tuple[str, date], list[int]] = {}
    for number, sheet in enumerate(sheets):
        alike.setdefault((sheet.edition.id, sheet.first_day or date.min), []).append(number)
    readable: list[EventColumns] = []
    by_edition: dict[str, list[tuple[int, EventColumns, tuple[Column, ...]]]] = {}
    for (edition, day), numbers in alike.items():
        rules = sheets[numbers[0]].edition.on(context.frame.on_list)
        rows = context.roster.rows(np.concatenate([sheets[number].players for number in numbers]))
        parts = (rows, *participation_columns(rows, day, rules, context))
        begins = 0
        for number in numbers:
            sheet = sheets[number]
            ends = begins + len(sheet.players)
            mine = tuple(part[begins:ends] for part in parts)
            begins = ends
            if needs_readable_path(sheet, rules, mine[1]):
                readable.append(sheet)
            else:
                by_edition.setdefault(edition, []).append((number, sheet, mine))
    return [_games(edition, members, context) for edition, members in by_edition.items()], readable


def _games(
    edition: str, members: Sequence[tuple[int, EventColumns, tuple[Column, ...]]], context: Context
) -> Games:
    one, other, score, where = [], [], [], []
    offset = 0
    for number, sheet, _ in members:
        games = event_games(sheet)
        one.append(games.one + np.int32(offset))
        other.append(games.other + np.int32(offset))
        score.append(games.score)
        where.append(np.full(len(games.one), number, np.int32))
        offset += len(sheet.players)
    row, seen, own, meanwhile, takes = (
        np.concatenate([parts[index] for _, _, parts in members]) for index in range(5)
    )
    event_of = np.repeat(
        np.array([number for number, _, _ in members], np.int32),
        [len(sheet.players) for _, sheet, _ in members],
    )
    entrants = Entrants(row, event_of, seen, own, meanwhile, takes)
    found = Games(
        edition,
        np.concatenate(one),
        np.concatenate(other),
        np.concatenate(score),
        entrants,
        np.concatenate(where),
    )
    rules = members[0][1].edition.on(context.frame.on_list)
    return _drop_unrated_times(found, [(number, sheet) for number, sheet, _ in members], rules)


def _drop_unrated_times(
    games: Games, members: Iterable[tuple[int, EventColumns]], rules: ChessRules
) -> Games:
    """Return the games without those too fast for the stronger player, where the edition judges each game.

    Those in which the players had different times go too, where the edition asks for the same.
    """
    by_game = rules.time_bands_per_game and rules.time_bands
    if not (by_game or rules.equal_times) or games.event is None:
        return games
    bands = by_game.value if by_game else ((0, 0),)
    sheets = dict(members)
    too_fast = np.zeros((max(sheets) + 1, len(bands)), np.bool_)
    for number, sheet in sheets.items():
        control = _time_control(sheet.control, sheet.facts.time_control)
        given = minutes_judged(control, sheet.facts, rules)
        unequal = bool(rules.equal_times and control.black)
        too_fast[number] = [unequal or (given is not None and given < least) for _, least in bands]
    stronger = np.maximum(games.entrants.seen[games.one], games.entrants.seen[games.other])
    band = np.zeros(len(stronger), np.intp)
    for index, (low, _) in reversed(list(enumerate(bands))):
        band[stronger >= low] = index
    kept = ~too_fast[games.event, band]
    return Games(
        games.edition,
        games.one[kept],
        games.other[kept],
        games.score[kept],
        games.entrants,
        games.event[kept],
    )


@lru_cache(maxsize=4096)
def _time_control(texts: tuple[str, str], told: str | None) -> TimeControl:
    """Return the time control: what an officer says, else what the report says; most events have one of a few."""
    return read_time_control(told) if told is not None else read_time_control(*texts)
