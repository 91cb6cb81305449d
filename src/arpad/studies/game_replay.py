"""Replay a history of games list by list; memory is needed for one list only, however long the history is.

Games come in the order of their days. A game counts for the first list after its day, with the ratings of the list in
force on that day, under the edition of the day or under one edition throughout. Since there are only games, every event
is a Swiss: no round-robin procedure, no matches, no time controls. A tournament that runs over the day of a list counts
as two tournaments for a newcomer.

Games between two rated players need only the two ratings and are summed up as they come. Loose games wait for the end
of their period: those of unrated players, and wide gaps if the edition caps one per tournament.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import date
from hashlib import sha256
from typing import Any

import numpy as np

from arpad.lists.engine.columns import NONE, Column, PlayerColumns, Roster
from arpad.lists.engine.event_columns import Context, Entrants, EventLabel, Games
from arpad.lists.engine.next_list import finish_list
from arpad.lists.engine.player_index import RowIndex
from arpad.lists.engine.sums import BLOCK, Partial, add_games, add_partials, cap_correction, sum_games
from arpad.lists.period_inputs import Frame
from arpad.model.errors import BadInput
from arpad.model.people import Birth
from arpad.model.rules import Edition, ListName
from arpad.regulations.calendar import list_after, list_in_force
from arpad.regulations.editions import CHESS_EDITIONS, EditionByDay, editions_in, rules_by_day
from arpad.regulations.fide.change import cap_one_game_per_event
from arpad.regulations.fide.rules import ChessRules
from arpad.studies.game_table import GameSlice, join_slices, split_by_edition


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


# ------------------------------------------------------------------------------------------- the list as it grows


class PlayerIndex(RowIndex):
    """The list as it grows: players are added as they appear, and keep their rows."""

    def __init__(self, roster: Roster, births: Sequence[Birth] = (), born: Column | None = None) -> None:
        super().__init__(roster.player)
        self.roster = roster
        self.births = tuple(births) or (None,)
        self.born = born if born is not None else np.zeros(len(roster), np.int32)

    def start_on(self, opened: date) -> None:
        """Take the roster as the list of that day: rated players who are not inactive have played recently."""
        active = (self.roster.rating > 0) & ~self.roster.inactive & (self.roster.last_list == 0)
        last_list = np.where(active, opened.toordinal(), self.roster.last_list).astype(np.int32)
        self.roster = replace(self.roster, last_list=last_list)

    def ratings(self) -> Column:
        """Return the ratings by slot; 0 for no player and for no rating."""
        ratings = np.zeros(self.index.size, np.int16)
        ratings[self.slot] = self.roster.rating
        return ratings

    def add_players(self, players: Column, start: int) -> None:
        """Add the players who are new, with a starting rating (0: unrated)."""
        new = np.unique(players[self.rows(players) < 0])
        if len(new):
            self.roster = _with_players(self.roster, new, start)
            self.born = np.concatenate([self.born, np.zeros(len(new), np.int32)])
            self._build(self.roster.player)


def _with_players(roster: Roster, new: Column, start: int) -> Roster:
    beginning = {"player": new, "rating": start, "peak": start, "k": NONE}
    columns: dict[str, Any] = {}
    for name in (item.name for item in fields(Roster) if item.name != "tranches"):
        column = getattr(roster, name)
        columns[name] = np.append(column, np.zeros(len(new), column.dtype))
        columns[name][len(column) :] = beginning.get(name, 0)
    return replace(roster, **columns)


# ------------------------------------------------------------------------------------------- list after list


def replay(
    pieces: Iterable[GameSlice],
    players: PlayerIndex,
    on_list: ListName,
    editions: EditionByDay,
    *,
    start: int = 0,
) -> Iterator[Replayed]:
    """Yield every list, in order; a period without games also has a list."""
    period: _Period | None = None
    last = 0
    for piece in pieces:
        if not len(piece):
            continue
        piece.refuse_disorder()
        rest = piece
        if rest.first < last:
            raise BadInput("games-not-in-order", column="date")
        last = rest.last
        if period is None:
            opened = list_in_force(date.fromordinal(rest.first), rules_by_day(editions, on_list))
            players.start_on(opened)
            period = _Period(players, on_list, editions, opened, start)
        while len(rest) and last >= period.day.toordinal():
            before, rest = rest.cut(period.day.toordinal())
            period.add(before)
            yield period.close()
            period = _Period(players, on_list, editions, period.day, start)
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
    day: date = field(init=False)
    rating: Column = field(init=False)
    """By slot of the index of players; 0: no rating."""

    sums: dict[str, Column] = field(init=False, default_factory=dict)
    """Packed sums by slot, for each edition."""

    loose: list[GameSlice] = field(init=False, default_factory=list)
    """Games that need more than two ratings."""

    played: int = field(init=False, default=0)

    def __post_init__(self) -> None:
        self.day = list_after(self.opened, rules_by_day(self.editions, self.on_list))
        self.rating = self.players.ratings()

    def add(self, piece: GameSlice) -> None:
        """Sum up some games."""
        self.played += len(piece)
        for games, edition in split_by_edition(piece, self.editions):
            rules = edition.on(self.on_list)
            packed = self.sums.setdefault(edition.id, np.zeros(self.players.index.size, np.int64))
            for at in range(0, len(games), BLOCK):
                block = games.part(at, at + BLOCK)
                loose = self._add_block(packed, block, rules)
                if len(loose):
                    self.loose.append(block.select(loose))

    def _add_block(self, packed: Column, games: GameSlice, rules: ChessRules) -> Column:
        """Add the games between rated players; return the indices of the loose games."""
        first, second = self.players.index.lookup(games.white), self.players.index.lookup(games.black)
        rating, opposing = self.rating.take(first), self.rating.take(second)
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
            np.add.at(packed, side, cap_correction(side, gap, self.rating.take(side), rules))
        return loose

    def close(self) -> Replayed:
        """Compute the list at the end of the period."""
        players, size = self.players, len(self.players.roster)
        by_row = {edition: packed.take(players.slot) for edition, packed in self.sums.items()}
        loose = join_slices(self.loose) if self.loose else None
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
                sums.append(_event_sums(games, edition, context))
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


# ------------------------------------------------------------------------- games that need more than two ratings


def _event_sums(games: GameSlice, edition: Edition[ChessRules], context: Context) -> Partial:
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
    part = sum_games(columns, edition.on(context.frame.on_list), context, labels)
    return replace(part, keys=tuple(it.key for it in labels))
