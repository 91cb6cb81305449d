"""Replay a history of games list by list; memory is needed for one list only, however long the history is.

Games come in the order of their days. A game counts for the first list after its day, with the ratings of the list in
force on that day, under the edition of the day or under one edition throughout. Since there are only games, every event
is a Swiss: no round-robin procedure, no matches, no time controls. A tournament that runs over the day of a list counts
as two tournaments for a newcomer.

Games between two rated players need only the two ratings and are summed up as they come, here or by ``workers``. Loose
games wait for the end of their period: those of unrated players, and wide gaps if the edition caps one per tournament.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from hashlib import sha256

import numpy as np

from arpad.lists.engine.columns import NONE, Column, PlayerColumns, Roster
from arpad.lists.engine.event_columns import Context, Entrants, EventLabel, Games
from arpad.lists.engine.game_slices import GameSlice, Piece, join_slices, split_by_edition
from arpad.lists.engine.next_list import finish_list
from arpad.lists.engine.player_index import IdIndex, PlayerIndex
from arpad.lists.engine.sums import BLOCK, Partial, add_games, add_partials, cap_correction, sum_games
from arpad.lists.period_inputs import Frame
from arpad.model.errors import BadInput
from arpad.model.rules import Edition, ListName
from arpad.regulations.calendar import list_after, list_in_force
from arpad.regulations.chess.change import cap_one_game_per_event
from arpad.regulations.chess.rules import ChessRules
from arpad.regulations.editions import CHESS_EDITIONS, EditionByDay, editions_in, rules_by_day
from arpad.system.workers import Workers

WORTH_SENDING = 1 << 18
"""A period with fewer games is summed up in this process: sending the ratings would take longer."""


@dataclass(frozen=True, slots=True)
class Replayed:
    """One list of a replayed history."""

    day: date
    edition: str
    played: int
    """Games of the history that belong to the period."""

    roster: Roster
    games: Column
    """Rated games of each player in the period."""

    @property
    def digest(self) -> str:
        """SHA-256 over the ids and ratings of the rated players, by ascending id."""
        rated = np.flatnonzero(self.roster.rating)
        order = rated[np.argsort(self.roster.player[rated])]
        digest = sha256(self.roster.player[order].astype("<i8").tobytes())
        digest.update(self.roster.rating[order].astype("<i2").tobytes())
        return digest.hexdigest()


# ------------------------------------------------------------------------------- sums of rated players, by worker


@dataclass(frozen=True, slots=True)
class SumContext:
    """What a worker needs to sum up games of a period."""

    index: IdIndex
    rating: Column
    """By slot of the index; 0: no rating."""

    on_list: ListName
    editions: EditionByDay


@dataclass(frozen=True, slots=True)
class PartialSum:
    """Sums of some games of a period."""

    sums: dict[str, Column] = field(default_factory=dict)
    """Packed sums by slot of the index, for each edition."""

    loose: list[GameSlice] = field(default_factory=list)
    """Games that need more than two ratings."""

    def add(self, piece: Piece, context: SumContext) -> None:
        """Add the games of a piece."""
        for games, edition in split_by_edition(piece.games(), context.editions):
            rules = edition.on(context.on_list)
            if edition.id not in self.sums:
                self.sums[edition.id] = np.zeros(context.index.size, np.int64)
            for at in range(0, len(games), BLOCK):
                block = games.part(at, at + BLOCK)
                loose = _add_block(self.sums[edition.id], block, context, rules)
                if len(loose):
                    self.loose.append(block.select(loose))

    def join(self, added: PartialSum) -> None:
        """Add another partial sum."""
        for edition, packed in added.sums.items():
            self.sums[edition] = self.sums[edition] + packed if edition in self.sums else packed
        self.loose.extend(added.loose)


def sum_part(context: SumContext, pieces: Sequence[Piece]) -> PartialSum:
    """Sum up some pieces of a period; the task of a worker."""
    part = PartialSum()
    for piece in pieces:
        part.add(piece, context)
    return part


def _add_block(packed: Column, games: GameSlice, context: SumContext, rules: ChessRules) -> Column:
    """Add the games between rated players; return the indices of the loose games."""
    first, second = context.index.lookup(games.white), context.index.lookup(games.black)
    rating, opposing = context.rating.take(first), context.rating.take(second)
    is_loose = np.minimum(rating, opposing) == 0
    by_event = rules.cap_rule.value is cap_one_game_per_event
    if by_event:
        is_loose |= np.abs(rating - opposing) > rules.cap.value
    loose = np.flatnonzero(is_loose)
    if len(loose):
        # slot 0 is never read: adding there is cheaper than leaving these games out
        first[loose] = second[loose] = 0
        opposing[loose] = rating[loose]
    side, gap = add_games(packed, first, second, games.score, rating, opposing, rules)
    if len(side) and rules.cap_exempt_from is not None and not by_event:
        np.add.at(packed, side, cap_correction(side, gap, context.rating.take(side), rules))
    return loose


# ------------------------------------------------------------------------------------------- list after list


def replay(
    pieces: Iterable[Piece],
    players: PlayerIndex,
    on_list: ListName,
    editions: EditionByDay,
    *,
    start: int = 0,
    workers: Workers | None = None,
) -> Iterator[Replayed]:
    """Yield every list, in order; a period without games also has a list."""
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
            players.start_on(opened)
            period = _Period(players, on_list, editions, opened, start, workers)
        while len(rest) and last >= period.day.toordinal():
            before, rest = rest.cut(period.day.toordinal())
            period.add(before)
            yield period.close()
            period = _Period(players, on_list, editions, period.day, start, workers)
        period.add(rest)
    if period is not None and period.played:
        yield period.close()


@dataclass(slots=True)
class _Period:
    """The time between two lists, while its games are read."""

    players: PlayerIndex
    on_list: ListName
    editions: EditionByDay
    opened: date
    start: int
    workers: Workers | None
    day: date = field(init=False)
    context: SumContext = field(init=False)
    part: PartialSum = field(init=False, default_factory=PartialSum)
    waiting: list[Piece] = field(init=False, default_factory=list)
    played: int = field(init=False, default=0)

    def __post_init__(self) -> None:
        self.day = list_after(self.opened, rules_by_day(self.editions, self.on_list))
        self.context = SumContext(self.players.index, self.players.ratings(), self.on_list, self.editions)

    def add(self, piece: Piece) -> None:
        """Sum up the games of a piece, or keep it for the workers."""
        if not len(piece):
            return
        self.played += len(piece)
        if self.workers is not None and self.workers.count > 1:
            self.waiting.append(piece)
        else:
            self.part.add(piece, self.context)

    def _send(self) -> None:
        """Let the workers sum up the waiting pieces, each about the same number of games."""
        if self.workers is None or self.played < WORTH_SENDING:
            self.part.join(sum_part(self.context, self.waiting))
        else:
            shares = _share_out(self.waiting, self.workers.count)
            with self.workers.broadcast(self.context) as shared:
                for part in self.workers.map(sum_part, shared, shares):
                    self.part.join(part)
        self.waiting.clear()

    def close(self) -> Replayed:
        """Compute the list at the end of the period."""
        if self.waiting:
            self._send()
        players, size = self.players, len(self.players.roster)
        by_row = {edition: packed.take(players.slot) for edition, packed in self.part.sums.items()}
        loose = join_slices(self.part.loose) if self.part.loose else None
        if loose is not None:
            players.add_players(np.concatenate([loose.white, loose.black]), self.start)
        new = len(players.roster) - size
        if new:
            by_row = {
                edition: np.append(packed, np.zeros(new, np.int64)) for edition, packed in by_row.items()
            }
        context = self._list_context()
        sums = [Partial({(edition, False): packed for edition, packed in by_row.items()})]
        if loose is not None:
            rows = replace(loose, white=players.rows(loose.white), black=players.rows(loose.black))
            for games, edition in split_by_edition(rows, self.editions):
                sums += _loose_sums(games, edition, context)
        closed = finish_list(add_partials(sums), context)
        players.roster = closed.roster
        return Replayed(self.day, self.editions(self.day).id, self.played, closed.roster, closed.games)

    def _list_context(self) -> Context:
        roster, size = self.players.roster, len(self.players.roster)
        false = np.zeros(size, np.bool_)
        born = self.players.born
        columns = PlayerColumns(
            self.players.births, born, false, np.full(size, NONE, np.int16), np.zeros(size, np.int16), false
        )
        days = (date.fromordinal(it) for it in range(self.opened.toordinal(), self.day.toordinal()))
        used = {it.id: it for it in (*editions_in(self.editions), *map(self.editions, days))}
        frame = Frame.of(
            self.on_list, self.day, self.opened, self.editions(self.day), [*CHESS_EDITIONS, *used.values()]
        )
        return Context(roster, columns, lambda rows, _: roster.rating[rows], frame)


def _share_out(pieces: Sequence[Piece], count: int) -> list[list[Piece]]:
    """Return the pieces in at most ``count`` shares with about the same number of games."""
    shares: list[list[Piece]] = [[] for _ in range(count)]
    games = [0] * count
    for piece in sorted(pieces, key=len, reverse=True):
        least = games.index(min(games))
        shares[least].append(piece)
        games[least] += len(piece)
    return [share for share in shares if share]


# ------------------------------------------------------------------------- games that need more than two ratings


def _loose_sums(games: GameSlice, edition: Edition[ChessRules], context: Context) -> Iterator[Partial]:
    """Yield the sums of loose games.

    Newcomers who begin with a rating are summed by row, games of unrated players and wide gaps by tournament.
    """
    rules = edition.on(context.frame.on_list)
    rating = context.roster.rating
    unrated = rating == 0
    loose = unrated.take(games.white) | unrated.take(games.black)
    if rules.cap_rule.value is cap_one_game_per_event:
        loose |= np.abs(rating.take(games.white) - rating.take(games.black)) > rules.cap.value
    if loose.any():
        yield _event_sums(games.select(loose), edition, rules, context)
        games = games.select(~loose)
    if len(games):
        met_rating = np.where(unrated, 1, rating).astype(np.int16)  # the unrated have no game here
        nobody = np.zeros(len(rating), np.bool_)
        entrants = Entrants(None, None, met_rating, met_rating, nobody, nobody, nobody)
        yield sum_games(Games(edition.id, games.white, games.black, games.score, entrants), rules, context)


def _event_sums(
    games: GameSlice, edition: Edition[ChessRules], rules: ChessRules, context: Context
) -> Partial:
    """Sum up games by entrant: newcomers' tranches, and rules that count per tournament."""
    size = len(context.roster)
    numbers, event = np.unique(games.events(), return_inverse=True)
    key = np.concatenate([event * size + games.white, event * size + games.black])
    entrant, index = np.unique(key, return_inverse=True)
    row = (entrant % size).astype(np.int32)
    rating = context.roster.rating[row]
    nobody = np.zeros(len(row), np.bool_)
    entrants = Entrants(row, (entrant // size).astype(np.int32), rating, rating, nobody, nobody, nobody)
    count = len(games)
    columns = Games(edition.id, index[:count], index[count:], games.score, entrants)
    last = np.zeros(len(numbers), np.int64)
    np.maximum.at(last, event, games.day)
    labels = [
        EventLabel((day, day, f"{number}"), f"{number}")
        for number, day in zip(numbers.tolist(), last.tolist(), strict=True)
    ]
    part = sum_games(columns, rules, context, labels)
    return replace(part, keys=tuple(it.key for it in labels))
