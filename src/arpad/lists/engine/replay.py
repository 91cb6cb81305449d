"""A history of games replayed list by list, in memory for one list and what waits for its end, however long it is.

Games come in the order of their days. A game counts for the first list after its day, with the ratings of the list in
force on it, under the edition of its day or under one edition throughout. There are only games, so everything is a
Swiss: no round-robin procedure, no matches, no time controls. A tournament that runs over the day of a list is two
tournaments to a newcomer.

The games of rated players are summed up as they come, here or by ``workers``; only those of players without a rating
(and wide gaps where an edition helps once in a tournament) wait for the end of their period.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from hashlib import sha256

import numpy as np

from arpad.lists.engine.columns import NONE, Column, PlayerColumns, Roster, WholeLists
from arpad.lists.engine.event_columns import Context, Entrants, EventLabel, Games
from arpad.lists.engine.game_history import GameSlice, Piece, joined
from arpad.lists.engine.next_list import finish
from arpad.lists.engine.period_sums import PartialSum, SumContext, by_edition, sum_part
from arpad.lists.engine.player_index import PlayerIndex
from arpad.lists.engine.sums import Partial, combined, sums_of_games
from arpad.lists.period_inputs import Frame
from arpad.model.errors import BadInput
from arpad.model.rules import Edition, ListName
from arpad.regulations.calendar import list_after, list_in_force
from arpad.regulations.chess.change import one_gap_per_event
from arpad.regulations.chess.rules import ChessRules
from arpad.regulations.editions import CHESS, EditionByDay, editions_in, rules_by_day
from arpad.system.workers import Workers

WORTH_SENDING = 1 << 18
"""A period with fewer games is summed up here: to send the ratings away would take longer."""


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


# ------------------------------------------------------------------------------------------- list after list


def replay(
    pieces: Iterable[Piece],
    book: PlayerIndex,
    on_list: ListName,
    editions: EditionByDay,
    *,
    start: int = 0,
    workers: Workers | None = None,
) -> Iterator[Replayed]:
    """Every list that the games make, in order; a period without games makes its list too."""
    period: _Period | None = None
    last = 0
    for piece in pieces:
        if not len(piece):
            continue
        rest = piece.games() if isinstance(piece, GameSlice) else piece
        if rest.first < last:
            raise BadInput("games-not-in-order", column="date")
        last = rest.last
        if period is None:
            opened = list_in_force(date.fromordinal(rest.first), rules_by_day(editions, on_list))
            book.begins(opened)
            period = _Period(book, on_list, editions, opened, start, workers)
        while len(rest) and last >= period.day.toordinal():
            before, rest = rest.cut(period.day.toordinal())
            period.add(before)
            yield period.close()
            period = _Period(book, on_list, editions, period.day, start, workers)
        period.add(rest)
    if period is not None and period.played:
        yield period.close()


@dataclass(slots=True)
class _Period:
    """The time between two lists, while its games come in."""

    book: PlayerIndex
    on_list: ListName
    editions: EditionByDay
    opened: date
    start: int
    workers: Workers | None
    day: date = field(init=False)
    known: SumContext = field(init=False)
    part: PartialSum = field(init=False, default_factory=PartialSum)
    waiting: list[Piece] = field(init=False, default_factory=list)
    played: int = field(init=False, default=0)

    def __post_init__(self) -> None:
        self.day = list_after(self.opened, rules_by_day(self.editions, self.on_list))
        self.known = SumContext(self.book.places, self.book.ratings(), self.on_list, self.editions)

    def add(self, piece: Piece) -> None:
        """Some more games: summed up at once, or kept until the workers get them."""
        if not len(piece):
            return
        self.played += len(piece)
        if self.workers is not None and self.workers.count > 1:
            self.waiting.append(piece)
        else:
            self.part.add(piece, self.known)

    def _send(self) -> None:
        """Let the workers sum up what waits, each a like share of the games."""
        if self.workers is None or self.played < WORTH_SENDING:
            self.part.join(sum_part(self.known, self.waiting))
        else:
            shares = _shares(self.waiting, self.workers.count)
            with self.workers.broadcast(self.known) as shared:
                for part in self.workers.map(sum_part, shared, shares):
                    self.part.join(part)
        self.waiting.clear()

    def close(self) -> Replayed:
        """The list at the end of the period."""
        if self.waiting:
            self._send()
        book, size = self.book, len(self.book.roster)
        by_row = {edition: packed.take(book.place) for edition, packed in self.part.sums.items()}
        loose = joined(self.part.loose) if self.part.loose else None
        if loose is not None:
            book.with_everybody(np.concatenate([loose.white, loose.black]), self.start)
        new = len(book.roster) - size
        if new:
            by_row = {
                edition: np.append(packed, np.zeros(new, np.int64)) for edition, packed in by_row.items()
            }
        context = self._context()
        sums = [Partial({(edition, False): packed for edition, packed in by_row.items()})]
        if loose is not None:
            rows = replace(loose, white=book.rows(loose.white), black=book.rows(loose.black))
            for games, edition in by_edition(rows, self.editions):
                sums += _sums(games, edition, context)
        closed = finish(combined(sums), context)
        book.roster = closed.roster
        return Replayed(self.day, self.editions(self.day).id, self.played, closed.roster, closed.games)

    def _context(self) -> Context:
        roster, size = self.book.roster, len(self.book.roster)
        nobody = np.zeros(size, np.bool_)
        born = self.book.born
        beside = PlayerColumns(
            self.book.births, born, nobody, np.full(size, NONE, np.int16), np.zeros(size, np.int16), nobody
        )
        days = (date.fromordinal(it) for it in range(self.opened.toordinal(), self.day.toordinal()))
        used = {it.id: it for it in (*editions_in(self.editions), *map(self.editions, days))}
        frame = Frame.of(
            self.on_list, self.day, self.opened, self.editions(self.day), [*CHESS, *used.values()]
        )
        return Context(roster, beside, WholeLists({date.min: roster.rating}), frame)


def _shares(pieces: Sequence[Piece], count: int) -> list[list[Piece]]:
    """The pieces in so many shares of about as many games."""
    shares: list[list[Piece]] = [[] for _ in range(count)]
    games = [0] * count
    for piece in sorted(pieces, key=len, reverse=True):
        least = games.index(min(games))
        shares[least].append(piece)
        games[least] += len(piece)
    return [share for share in shares if share]


# ------------------------------------------------------------------------- games that need more than two ratings


def _sums(games: GameSlice, edition: Edition[ChessRules], context: Context) -> Iterator[Partial]:
    """Newcomers who begin with a rating row by row; whatever depends on the tournament, tournament by tournament."""
    rules = edition.on(context.frame.on_list)
    rating = context.roster.rating
    unrated = rating == 0
    loose = unrated.take(games.white) | unrated.take(games.black)
    if rules.cap_scope.value is one_gap_per_event:
        loose |= np.abs(rating.take(games.white) - rating.take(games.black)) > rules.cap.value
    if loose.any():
        yield _event_sums(games.some(loose), edition, rules, context)
        games = games.some(~loose)
    if len(games):
        seen = np.where(unrated, 1, rating).astype(np.int16)  # the unrated play no part
        entrants = Entrants(None, None, seen, seen, None, None)
        yield sums_of_games(
            Games(edition.id, games.white, games.black, games.score, entrants), rules, context
        )


def _event_sums(
    games: GameSlice, edition: Edition[ChessRules], rules: ChessRules, context: Context
) -> Partial:
    """Games entrant by entrant: newcomers' tranches, and rules that count per tournament."""
    size = len(context.roster)
    numbers, event = np.unique(games.events(), return_inverse=True)
    key = np.concatenate([event * size + games.white, event * size + games.black])
    entrant, place = np.unique(key, return_inverse=True)
    row = (entrant % size).astype(np.int32)
    rating = context.roster.rating[row]
    entrants = Entrants(row, (entrant // size).astype(np.int32), rating, rating, None, None)
    count = len(games)
    columns = Games(edition.id, place[:count], place[count:], games.score, entrants)
    last = np.zeros(len(numbers), np.int64)
    np.maximum.at(last, event, games.day)
    told = [
        EventLabel((day, day, f"{number}"), f"{number}")
        for number, day in zip(numbers.tolist(), last.tolist(), strict=True)
    ]
    part = sums_of_games(columns, rules, context, told)
    return replace(part, keys=tuple(it.key for it in told))
