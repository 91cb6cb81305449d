"""A history of games replayed list by list, in memory for one period's games and one list, however long the history.

Games come as columns in the order of their days. A game counts for the first list after its day, with the ratings of
the list in force on it, under the edition of its day or under one edition throughout. There are only games, so
everything is a Swiss: no round-robin procedure, no matches, no time controls. A tournament that runs over the day of a
list is two tournaments to a newcomer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from datetime import date
from hashlib import sha256
from itertools import pairwise
from typing import Any

import numpy as np

from arpad.change import one_gap_per_event
from arpad.engine.columns import NO_TRANCHES, NONE, Beside, Column, Roster, WholeLists
from arpad.engine.finish import finish
from arpad.engine.games import Context, Entrants, Games
from arpad.engine.sums import Partial, combined, sums_of_games
from arpad.errors import BadInput
from arpad.model import Birth, Edition, ListName
from arpad.period import Event
from arpad.period.frame import Frame
from arpad.regulations import CHESS
from arpad.report import Header, Report
from arpad.rules import ChessRules, add_months

DIRECT = 1 << 26
"""Up to this number, a player's row is looked up directly; beyond it, by halving."""


@dataclass(frozen=True, slots=True)
class Played:
    """Some games of a history, in the order of their days."""

    day: Column
    """As ordinals."""

    white: Column
    black: Column
    score: Column
    """White's half-points."""

    event: Column | None = None
    """A number for each tournament."""

    def __len__(self) -> int:
        return len(self.day)

    def part(self, start: int, end: int) -> Played:
        """Some of the games, in the same order."""
        return Played(
            *(None if (it := getattr(self, name.name)) is None else it[start:end] for name in fields(self))  # type: ignore[arg-type]
        )

    def some(self, which: Column) -> Played:
        """The games marked."""
        return Played(
            *(None if (it := getattr(self, name.name)) is None else it[which] for name in fields(self))  # type: ignore[arg-type]
        )


@dataclass(frozen=True, slots=True)
class Replayed:
    """One list of a replayed history."""

    day: date
    edition: str
    played: int
    """Games of the period that were given."""

    roster: Roster
    games: Column
    """Rated games of each player in the period."""

    @property
    def digest(self) -> str:
        """SHA-256 over players and ratings, the rated ones by ascending number."""
        rated = np.flatnonzero(self.roster.rating)
        order = rated[np.argsort(self.roster.player[rated])]
        told = sha256(self.roster.player[order].astype("<i8").tobytes())
        told.update(self.roster.rating[order].astype("<i2").tobytes())
        return told.hexdigest()


Editions = Callable[[date], Edition[ChessRules]]


class Book:
    """The list as it grows: rows by number, players added as they appear."""

    def __init__(self, roster: Roster, births: Sequence[Birth] = (), born: Column | None = None) -> None:
        self.roster = roster
        self.births = tuple(births) or (None,)
        self.born = born if born is not None else np.zeros(len(roster), np.int32)
        self._row = np.full(1, -1, np.int32)
        self._order: Column = np.zeros(0, np.int64)
        self._index(roster.player)

    def begins(self, opened: date) -> None:
        """The list at hand is that of the day: who is on it and not inactive has played of late."""
        lately = (self.roster.rating > 0) & ~self.roster.inactive & (self.roster.last_list == 0)
        last_list = np.where(lately, opened.toordinal(), self.roster.last_list).astype(np.int32)
        self.roster = replace(self.roster, last_list=last_list)

    def _index(self, players: Column) -> None:
        highest = int(players.max(initial=0))
        if highest >= DIRECT:
            self._order = np.argsort(self.roster.player)
            self._row = np.zeros(0, np.int32)
            return
        if len(self._row) and highest >= len(self._row):
            wider = np.full(max(highest + 1, 2 * len(self._row)), -1, np.int32)
            wider[: len(self._row)] = self._row
            self._row = wider
        start = len(self.roster) - len(players)
        if len(self._row):
            self._row[players] = np.arange(start, len(self.roster), dtype=np.int32)
        else:
            self._order = np.argsort(self.roster.player)

    def rows(self, players: Column) -> Column:
        """The rows of players; -1 for those who are not there yet."""
        if len(self._row):
            if int(players.max(initial=0)) < len(self._row):
                return self._row.take(players)
            inside = players < len(self._row)
            return np.where(inside, self._row[np.where(inside, players, 0)], -1)
        ordered = self.roster.player[self._order]
        place = np.minimum(np.searchsorted(ordered, players), len(ordered) - 1)
        return np.where(ordered[place] == players, self._order[place], -1).astype(np.int32)

    def with_everybody(self, players: Column, start: int) -> Column:
        """The rows of players, after those who are new were added with a starting rating (0: unrated)."""
        rows = self.rows(players)
        if int(rows.min(initial=0)) >= 0:
            return rows
        new = np.unique(players[rows < 0])
        self.roster = _grown(self.roster, new, start)
        self.born = np.concatenate([self.born, np.zeros(len(new), np.int32)])
        self._index(new)
        return self.rows(players)


def empty_roster() -> Roster:
    """Nobody."""
    return Roster.of({})


def _grown(roster: Roster, new: Column, start: int) -> Roster:
    more = Roster(
        player=new.astype(np.int64),
        rating=np.full(len(new), start, np.int16),
        games=np.zeros(len(new), np.int32),
        peak=np.full(len(new), start, np.int16),
        k=np.full(len(new), NONE, np.int16),
        entered=np.zeros(len(new), np.int32),
        entry=np.zeros(len(new), np.int16),
        last_list=np.zeros(len(new), np.int32),
        delisted=np.zeros(len(new), np.bool_),
        inactive=np.zeros(len(new), np.bool_),
        tranches=NO_TRANCHES,
    )
    columns: dict[str, Any] = {
        item.name: np.concatenate([getattr(roster, item.name), getattr(more, item.name)])
        for item in fields(Roster)
        if item.name != "tranches"
    }
    return replace(roster, **columns)


# ------------------------------------------------------------------------------------------- list after list


def replay(
    batches: Iterable[Played], book: Book, on_list: ListName, editions: Editions, *, start: int = 0
) -> Iterator[Replayed]:
    """Every list that the games make, in order; a period without games makes its list too."""
    waiting: list[Played] = []
    opened: date | None = None
    due = date.max
    last = 0
    for batch in batches:
        if not len(batch):
            continue
        last = _in_order(batch, last)
        rest = batch
        if opened is None:
            opened = _list_of(date.fromordinal(int(batch.day[0])), on_list, editions)
            book.begins(opened)
            due = _next_list(opened, on_list, editions)
        while len(rest) and int(rest.day[-1]) >= due.toordinal():
            cut = int(np.searchsorted(rest.day, due.toordinal()))
            yield _closed([*waiting, rest.part(0, cut)], book, on_list, opened, due, editions, start)
            waiting, rest, opened = [], rest.part(cut, len(rest)), due
            due = _next_list(opened, on_list, editions)
        waiting.append(rest)
    if opened is not None and any(map(len, waiting)):
        yield _closed(waiting, book, on_list, opened, due, editions, start)


def _in_order(batch: Played, last: int) -> int:
    """Refuse games that go back in time: their list would be made already."""
    if int(batch.day[0]) < last or bool((np.diff(batch.day) < 0).any()):
        raise BadInput("games-not-in-order", column="date")
    return int(batch.day[-1])


def _list_of(day: date, on_list: ListName, editions: Editions) -> date:
    """The list in force on a day."""
    first = day.replace(day=1)
    while first.month not in editions(first).on(on_list).list_months.value:
        first = add_months(first, -1)
    return first


def _next_list(opened: date, on_list: ListName, editions: Editions) -> date:
    day = add_months(opened, 1)
    while day.month not in editions(day).on(on_list).list_months.value:
        day = add_months(day, 1)
    return day


def _closed(
    parts: Sequence[Played],
    book: Book,
    on_list: ListName,
    opened: date,
    day: date,
    editions: Editions,
    start: int,
) -> Replayed:
    """One period of the history."""
    games = parts[0] if len(parts) == 1 else _joined([part for part in parts if len(part)] or parts[:1])
    white = book.with_everybody(games.white, start)
    games = replace(games, white=white, black=book.with_everybody(games.black, start))
    edition = editions(day)
    size = len(book.roster)
    nobody = np.zeros(size, np.bool_)
    beside = Beside(book.births, book.born, nobody, np.full(size, NONE, np.int16), np.zeros(size, np.int16))
    used = {it.id: it for it in (editions(date.fromordinal(it)) for it, _, _ in _days(games.day))}
    frame = Frame.of(on_list, day, opened, edition, [*CHESS, *used.values()])
    context = Context(book.roster, beside, WholeLists({date.min: book.roster.rating}), frame)
    sums = [part for slice_, under in _by_edition(games, editions) for part in _sums(slice_, under, context)]
    closed = finish(combined(sums), context)
    book.roster = closed.roster
    return Replayed(day, edition.id, len(games), closed.roster, closed.games)


def _joined(parts: Sequence[Played]) -> Played:
    event = None
    if parts[0].event is not None:
        event = np.concatenate([part.event for part in parts if part.event is not None])
    day, white, black, score = (
        np.concatenate([getattr(part, name) for part in parts]) for name in ("day", "white", "black", "score")
    )
    return Played(day, white, black, score, event)


def _by_edition(games: Played, editions: Editions) -> Iterator[tuple[Played, Edition[ChessRules]]]:
    """The games of a period, cut where a new edition begins."""
    begun, under = 0, None
    for day, start, end in _days(games.day):
        now = editions(date.fromordinal(day))
        if under is not None and now.id != under.id:
            yield games.part(begun, start), under
            begun = start
        under = now
        if end == len(games):
            yield games.part(begun, end), under


def _days(day: Column) -> Iterator[tuple[int, int, int]]:
    """Each day with its first game and the first after it."""
    first = [0, *(np.flatnonzero(np.diff(day)) + 1).tolist(), len(day)]
    for start, end in pairwise(first):
        if start < end:
            yield int(day[start]), start, end


def _sums(games: Played, edition: Edition[ChessRules], context: Context) -> Iterator[Partial]:
    """Rated players against each other row by row; whatever depends on the tournament, tournament by tournament."""
    rules = edition.on(context.frame.on_list)
    rating = context.roster.rating
    white, black, score = games.white, games.black, games.score
    by_event = rules.cap_scope.value is one_gap_per_event
    if by_event or not rating.all():
        unrated = rating == 0
        loose = unrated.take(white) | unrated.take(black)
        if by_event:
            loose |= np.abs(rating.take(white) - rating.take(black)) > rules.cap.value
        if loose.any():
            yield _event_sums(games.some(loose), edition, rules, context)
            rated = np.flatnonzero(~loose)
            white, black, score = white.take(rated), black.take(rated), score.take(rated)
    if len(white):
        entrants = Entrants(None, None, rating, rating, None, None)
        columns = Games(edition.id, white, black, score, entrants)
        yield _row_sums(columns, rules, context)


def _row_sums(games: Games, rules: ChessRules, context: Context) -> Partial:
    """Games whose two players are both rated; the others on the list play no part."""
    seen = games.entrants.seen
    if not seen.all():
        games = replace(games, entrants=replace(games.entrants, seen=np.where(seen > 0, seen, 1)))
    return sums_of_games(games, rules, context)


def _event_sums(games: Played, edition: Edition[ChessRules], rules: ChessRules, context: Context) -> Partial:
    """Games entrant by entrant: newcomers' tranches, and rules that count per tournament."""
    size = len(context.roster)
    given = games.event if games.event is not None else np.zeros(len(games), np.int64)
    numbers, event = np.unique(given, return_inverse=True)
    key = np.concatenate([event * size + games.white, event * size + games.black])
    entrant, place = np.unique(key, return_inverse=True)
    row = (entrant % size).astype(np.int32)
    rating = context.roster.rating[row]
    entrants = Entrants(row, (entrant // size).astype(np.int32), rating, rating, None, None)
    count = len(games)
    columns = Games(edition.id, place[:count], place[count:], games.score, entrants)
    last = np.zeros(len(numbers), np.int64)
    np.maximum.at(last, event, games.day)
    events = [
        Event(f"{number}", _told(f"{number}", date.fromordinal(int(day))), (), edition)
        for number, day in zip(numbers.tolist(), last.tolist(), strict=True)
    ]
    part = sums_of_games(columns, rules, context, events)
    keys = tuple((int(day), int(day), f"{number}") for number, day in zip(numbers, last, strict=True))
    return replace(part, keys=keys)


def _told(name: str, last_day: date) -> Report:
    """A report that says no more than when it was."""
    return Report(Header(name=name, first_day=last_day, last_day=last_day), (), ())
