"""Replay a history of games list by list; memory is needed for the games of one list, however long the history is.

Games come in the order of their days. A game counts for the first list after its day, with the ratings of the list in
force on that day, under the edition of the day or under one edition throughout. Since there are only games, every event
is a Swiss: no round-robin procedure, no matches, no time controls. A tournament that runs over the day of a list counts
as two tournaments for a newcomer.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields, replace
from datetime import date
from hashlib import sha256
from typing import Any, TypeVar

import numpy as np
import polars as pl

from arpad.lists.engine.columns import NONE, Column, PlayerColumns, Ratings, Roster, find_rows
from arpad.lists.engine.event_columns import Context, Entrants, EventLabel, Games
from arpad.lists.engine.next_list import finish_list
from arpad.lists.engine.sums import Partial, add_partials, sum_games
from arpad.lists.period_inputs import Frame
from arpad.model.errors import BadInput
from arpad.model.rules import Edition, ListName
from arpad.regulations.calendar import list_after, list_in_force
from arpad.regulations.editions import CHESS_EDITIONS, EditionByDay, editions_in, rules_by_day
from arpad.regulations.fide.rules import ChessRules
from arpad.studies.game_table import EPOCH


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


def replay(
    tables: Iterable[pl.DataFrame],
    roster: Roster,
    facts: PlayerColumns,
    on_list: ListName,
    editions: EditionByDay,
    *,
    start: int = 0,
) -> Iterator[Replayed]:
    """Yield every list, in order; a period without games also has a list.

    ``roster`` is the list before the games. Players who are not on it begin with the rating ``start`` (0: unrated).
    """
    opening = True
    for opened, day, played in _periods(tables, on_list, editions):
        if opening:
            roster, opening = _as_list_of(opened, roster), False
        players, at = np.unique(played.select("white", "black").to_numpy(), return_inverse=True)
        new = players[find_rows(roster.player, players) < 0]
        roster = _with_rows(roster, len(new), player=new, rating=start, peak=start, k=NONE)
        facts = _with_rows(facts, len(new), decided_k=NONE)
        white, black = find_rows(roster.player, players)[at].T
        games = played.with_columns(white=white, black=black)
        days = (date.fromordinal(it) for it in range(opened.toordinal(), day.toordinal()))
        used = {it.id: it for it in (*editions_in(editions), *map(editions, days))}
        frame = Frame.of(on_list, day, opened, editions(day), [*CHESS_EDITIONS, *used.values()])
        context = Context(roster, facts, _in_force(roster.rating), frame)
        parts = [_sums(of_edition, edition, context) for of_edition, edition in _by_edition(games, editions)]
        closed = finish_list(add_partials(parts), context)
        roster = closed.roster
        yield Replayed(day, editions(day).id, games.height, roster, closed.games)


def _periods(
    tables: Iterable[pl.DataFrame], on_list: ListName, editions: EditionByDay
) -> Iterator[tuple[date, date, pl.DataFrame]]:
    """Yield the first day of each period, the day of its list, and its games; refuse games that go back in time."""
    rules = rules_by_day(editions, on_list)
    waiting: list[pl.DataFrame] = []
    opened = day = last = date.min
    for table in tables:
        days = table["day"]
        if not days.is_sorted() or days[0] < last:
            raise BadInput("games-not-in-order", column="date")
        if day == date.min:
            opened = list_in_force(days[0], rules)
            day = list_after(opened, rules)
        waiting.append(table)
        last = days[-1]
        while last >= day:
            games = pl.concat(waiting)
            yield opened, day, games.filter(pl.col("day") < day)
            waiting = [games.filter(pl.col("day") >= day)]
            opened, day = day, list_after(day, rules)
    if waiting:
        yield opened, day, pl.concat(waiting)


def _as_list_of(opened: date, roster: Roster) -> Roster:
    """Return a roster as the list of a day: rated players who are not inactive have played recently."""
    active = (roster.rating > 0) & ~roster.inactive & (roster.last_list == 0)
    last_list = np.where(active, opened.toordinal(), roster.last_list).astype(np.int32)
    return replace(roster, last_list=last_list)


def _in_force(rating: Column) -> Ratings:
    """Return the ratings of the list before for every day of a period."""
    return lambda rows, _: rating[rows]


Rows = TypeVar("Rows", Roster, PlayerColumns)


def _with_rows(rows: Rows, more: int, **values: Column | int) -> Rows:
    """Return columns with more rows, which have these values or zeros."""
    columns = {item.name: getattr(rows, item.name) for item in fields(rows)}
    longer: dict[str, Any] = {
        name: np.append(column, np.full(more, values.get(name, 0), column.dtype))
        for name, column in columns.items()
        if isinstance(column, np.ndarray)
    }
    return replace(rows, **longer)


def _by_edition(
    games: pl.DataFrame, editions: EditionByDay
) -> Iterator[tuple[pl.DataFrame, Edition[ChessRules]]]:
    """Yield the games of each edition, which is that of their days."""
    by_day = {day: editions(day) for day in games["day"].unique()}
    for edition in {it.id: it for it in by_day.values()}.values():
        days = [day for day, of_day in by_day.items() if of_day.id == edition.id]
        yield games.filter(pl.col("day").is_in(days)), edition


def _sums(games: pl.DataFrame, edition: Edition[ChessRules], context: Context) -> Partial:
    """Sum up games between rows of the roster, by entrant: some rules count per tournament."""
    size = len(context.roster)
    numbers, event = np.unique(games["event"].to_numpy(), return_inverse=True)
    keys = event[:, None] * size + games.select("white", "black").to_numpy()
    entrant, (first, second) = np.unique(keys.T, return_inverse=True)
    row = (entrant % size).astype(np.int32)
    rating = context.roster.rating[row]
    nobody = np.zeros(len(row), np.bool_)
    entrants = Entrants(row, (entrant // size).astype(np.int32), rating, rating, nobody, nobody, nobody)
    columns = Games(edition.id, first, second, games["score"].to_numpy(), entrants)
    last = np.zeros(len(numbers), np.int64)
    np.maximum.at(last, event, games["day"].to_physical().to_numpy() + EPOCH)
    labels = [
        EventLabel((day, day, f"{number}"), f"{number}")
        for number, day in zip(numbers.tolist(), last.tolist(), strict=True)
    ]
    part = sum_games(columns, edition.on(context.frame.on_list), context, labels)
    return replace(part, keys=tuple(it.key for it in labels))
