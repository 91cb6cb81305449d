"""Reports as columns of games: every pairing that was played, once, with the entrants' places in one long column.

Some events go the readable way, since their kind decides what counts and they are few: matches, round robins in which
unrated players take part under an edition that has a procedure for them, and reports that contradict themselves.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction

import numpy as np

from arpad.change import every_gap, one_gap_per_event
from arpad.engine.columns import Beside, Column, Ratings, Roster, ordinal
from arpad.period import Event
from arpad.period.frame import Frame
from arpad.report import Report
from arpad.rules import ChessRules
from arpad.tally import control_of

KNOWN_SCOPES = (every_gap, one_gap_per_event)
"""The regimes of large gaps that the engine has on arrays."""

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
    """Unrated when the event began, rated since (8.4); None: nobody."""

    takes: Column | None
    """Takes part with the standard rating; None: nobody."""

    def __len__(self) -> int:
        return len(self.seen)


@dataclass(frozen=True, slots=True)
class Placed:
    """One report as columns of places."""

    one: Column
    other: Column
    score: Column


def placed(report: Report) -> Placed:
    """The games of a report that were played and that both cells tell alike."""
    size = len(report.entrants)
    if not report.rounds:
        nobody = np.zeros(0, np.int32)
        return Placed(nobody, nobody, np.zeros(0, np.int8))
    named = np.array([cells.opponents for cells in report.rounds], np.int64)
    letters = "".join(cells.results for cells in report.rounds).encode("ascii", "replace")
    score = _HALF_POINTS[np.frombuffer(letters, np.uint8)].reshape(named.shape)
    numbers = np.array([entrant.number for entrant in report.entrants], np.int64)
    order = np.argsort(numbers)
    found = order[np.minimum(np.searchsorted(numbers, named, sorter=order), size - 1)]
    here = np.broadcast_to(np.arange(size), named.shape)
    paired = (score >= 0) & (named != 0) & (numbers[found] == named) & (found > here)
    turn, one = np.nonzero(paired)
    other = found[turn, one]
    agreed = (named[turn, other] == numbers[one]) & (score[turn, one] + score[turn, other] == 2)  # noqa: PLR2004  two half-points
    agreed &= score[turn, other] >= 0
    one, other = one[agreed], other[agreed]
    return Placed(one.astype(np.int32), other.astype(np.int32), score[turn[agreed], one])


def goes_readable(event: Event, rules: ChessRules, seen: Column) -> bool:
    """Whether an event is counted the readable way."""
    report = event.report
    size = len(report.entrants)
    if size <= 2 or len(report.places) != size or len(set(event.players)) != size:  # noqa: PLR2004  a match
        return True
    if not _known_gaps(rules) or any(len(it.opponents) != size for it in report.rounds):
        return True
    may_be_round_robin = rules.round_robin_entry is not None and len(report.rounds) >= size - 1 + size % 2
    return may_be_round_robin and not seen.all()


def _known_gaps(rules: ChessRules) -> bool:
    """Whether the engine has the edition's rules for large gaps on arrays."""
    scope = rules.cap_scope.value
    return scope in KNOWN_SCOPES and not (rules.far_gap and scope is one_gap_per_event)


# ------------------------------------------------------------------------------------------- several events


@dataclass(frozen=True, slots=True)
class Context:
    """All that events need to become games: the list, what is known beside it, the ratings in force, the frame."""

    roster: Roster
    beside: Beside
    in_force: Ratings
    frame: Frame


def parts_of(rows: Column, day: date, rules: ChessRules, context: Context) -> tuple[Column, ...]:
    """How players take part in an event: seen, own, meanwhile, takes (the same as ``part_in``, for many at once)."""
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
    entry = context.roster.entry[rows]
    own = np.where(meanwhile, np.where(entry > 0, entry, context.roster.rating[rows]), own)
    return seen, own, meanwhile, takes


def columns_of(events: Sequence[Event], context: Context) -> tuple[list[Games], list[Event]]:
    """The games of some events, edition by edition, and the events that go the readable way."""
    readable: list[Event] = []
    by_edition: dict[str, list[tuple[int, Event, tuple[Column, ...]]]] = {}
    for number, event in enumerate(events):
        rules = event.edition.on(context.frame.on_list)
        rows = context.roster.rows(event.players)
        parts = parts_of(rows, event.first_day, rules, context)
        if goes_readable(event, rules, parts[0]):
            readable.append(event)
        else:
            by_edition.setdefault(event.edition.id, []).append((number, event, (rows, *parts)))
    return [_games(edition, members, context) for edition, members in by_edition.items()], readable


def _games(edition: str, members: Sequence[tuple[int, Event, tuple[Column, ...]]], context: Context) -> Games:
    one, other, score, where = [], [], [], []
    offset = 0
    for number, event, _ in members:
        games = placed(event.report)
        one.append(games.one + offset)
        other.append(games.other + offset)
        score.append(games.score)
        where.append(np.full(len(games.one), number, np.int32))
        offset += len(event.players)
    row, seen, own, meanwhile, takes = (
        np.concatenate([parts[index] for _, _, parts in members]) for index in range(5)
    )
    event_of = np.repeat(
        np.array([number for number, _, _ in members], np.int32),
        [len(event.players) for _, event, _ in members],
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
    return _slow_enough(found, [(number, event) for number, event, _ in members], rules)


def _slow_enough(games: Games, members: Iterable[tuple[int, Event]], rules: ChessRules) -> Games:
    """Without the games that were too fast for the stronger player, where the edition judges it game by game."""
    if not rules.time_bands_per_game or not rules.time_bands or games.event is None:
        return games
    bands = rules.time_bands.value
    minutes = {number: control_of(event.report, event.facts).minutes() for number, event in members}
    too_fast = np.zeros((max(minutes) + 1, len(bands)), np.bool_)
    for number, given in minutes.items():
        too_fast[number] = [given is not None and Fraction(given) < least for _, least in bands]
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


def event_key(event: Event) -> tuple[int, int, str]:
    """The order in which events ended, as ``in_order`` has it."""
    header = event.report.header
    return ordinal(header.last_day), ordinal(header.first_day), event.id
