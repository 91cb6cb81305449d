"""A whole list as columns of integers, one row for each player by ascending id; conversion from and to values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import date
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from arpad.lists.period import InForce, RegisterFacts
from arpad.model.chess import EventKind, Performance, PlayerState
from arpad.model.people import Birth

Column: TypeAlias = npt.NDArray[Any]
"""One value for each row."""

Ratings: TypeAlias = Callable[[Column, date], Column]
"""Rows and a day → the ratings of the list in force on that day; 0 for none."""

KINDS = tuple(EventKind)
NONE = -1
"""No K: a K may be 0, but not negative."""


def ordinal(day: date | None) -> int:
    """Return a day as a number; 0 for none."""
    return day.toordinal() if day else 0


def from_ordinal(number: int) -> date | None:
    """Return the day of a number; None for 0."""
    return date.fromordinal(number) if number else None


def find_rows(players: Column, wanted: Column) -> Column:
    """Return the row of each wanted player in a column of all players; -1 for those who are not in it."""
    if not len(players):
        return np.full(len(wanted), -1, np.int32)
    order = np.argsort(players, kind="stable")
    row = order[np.minimum(np.searchsorted(players[order], wanted), len(players) - 1)]
    return np.where(players[row] == wanted, row, -1).astype(np.int32)


# ---------------------------------------------------------------------------------------------- tranches


@dataclass(frozen=True, slots=True)
class Tranches:
    """The pending events of unrated players, one line each, by player and last day."""

    row: Column
    last_day: Column
    games: Column
    score: Column
    total: Column
    """The sum of the opponents' ratings."""

    opponents: Column
    rated_games: Column
    rated_score: Column
    kind: Column
    team: Column
    edition: Column
    event: Column
    steps: Column
    """The derivation by the procedure of a round robin; None in a Swiss."""

    def __len__(self) -> int:
        return len(self.row)

    def at(self, lines: Column) -> Tranches:
        """Return these lines."""
        return Tranches(*(getattr(self, item.name)[lines] for item in fields(self)))

    @staticmethod
    def joined(parts: Sequence[Tranches]) -> Tranches:
        """Return several tables as one."""
        return Tranches(
            *(np.concatenate([getattr(part, item.name) for part in parts]) for item in fields(Tranches))
        )

    @staticmethod
    def of(pending: Iterable[tuple[int, Performance]]) -> Tranches:
        """Return performances as lines, each with the row of its player."""
        lines = [
            (
                row, ordinal(it.last_day), it.games, it.score, int(it.opponents_total), it.opponents, it.rated_games,
                it.rated_score, KINDS.index(it.kind), it.team_championship, it.edition, it.event, it.steps or None,
            )
            for row, it in pending
        ]  # fmt: skip
        columns = zip(*lines, strict=True) if lines else ((),) * len(_TYPES)
        return Tranches(
            *(_column(values, kind, len(lines)) for values, kind in zip(columns, _TYPES, strict=True))
        )

    def performance(self, line: int) -> Performance:
        """Return one line as a value."""
        return Performance(
            self.event[line],
            KINDS[self.kind[line]],
            int(self.games[line]),
            int(self.score[line]),
            Fraction(int(self.total[line])),
            int(self.opponents[line]),
            int(self.rated_games[line]),
            int(self.rated_score[line]),
            from_ordinal(int(self.last_day[line])),
            bool(self.team[line]),
            self.edition[line],
            self.steps[line] or (),
        )


_TYPES = (
    np.int32, np.int32, np.int32, np.int32, np.int64, np.int32, np.int32, np.int32, np.int8, np.bool_, object, object,
    object,
)  # fmt: skip
"""The types of the columns of tranches, in their order."""


def _column(values: Sequence[Any], kind: type, rows: int) -> Column:
    """Return values as a column; a sequence among objects stays one value."""
    column: Column = np.empty(rows, kind)
    column[:] = values
    return column


NO_TRANCHES = Tranches.of(())

# ------------------------------------------------------------------------------------------------- the list


@dataclass(frozen=True, slots=True)
class Roster:
    """All players of a list, and unrated players with pending events; a rating of 0 is none."""

    player: Column
    rating: Column
    games: Column
    peak: Column
    k: Column
    entered: Column
    entry: Column
    last_list: Column
    delisted: Column
    inactive: Column
    tranches: Tranches

    def __len__(self) -> int:
        return len(self.player)

    @staticmethod
    def of(standings: Mapping[int, PlayerState], without_standing: Iterable[int] = ()) -> Roster:
        """Return standings as columns; ``without_standing`` are players without a standing."""
        players = sorted({*standings, *without_standing})
        rows = [standings.get(player) or PlayerState(player) for player in players]
        return Roster(
            np.array(players, np.int64),
            np.array([it.rating or 0 for it in rows], np.int16),
            np.array([it.games for it in rows], np.int32),
            np.array([it.peak for it in rows], np.int16),
            np.array([NONE if it.k is None else it.k for it in rows], np.int16),
            np.array([ordinal(it.entered) for it in rows], np.int32),
            np.array([it.entry or 0 for it in rows], np.int16),
            np.array([ordinal(it.last_list) for it in rows], np.int32),
            np.array([it.delisted for it in rows], np.bool_),
            np.array([it.inactive for it in rows], np.bool_),
            Tranches.of((row, tranche) for row, it in enumerate(rows) for tranche in it.tranches),
        )

    def rows(self, players: Sequence[int] | Column) -> Column:
        """Return the rows of some players, who must all be on the roster."""
        return np.searchsorted(self.player, np.asarray(players, np.int64)).astype(np.int32)

    def standing(self, row: int, tranches: tuple[Performance, ...] = ()) -> PlayerState:
        """Return one row as a value."""
        k = int(self.k[row])
        return PlayerState(
            int(self.player[row]),
            int(self.rating[row]) or None,
            int(self.games[row]),
            int(self.peak[row]),
            None if k == NONE else k,
            from_ordinal(int(self.entered[row])),
            int(self.entry[row]) or None,
            from_ordinal(int(self.last_list[row])),
            tranches,
            bool(self.delisted[row]),
            bool(self.inactive[row]),
        )

    def standings(self) -> Iterator[PlayerState]:
        """Yield all players as values, by ascending id."""
        pools: dict[int, list[Performance]] = {}
        for line, row in enumerate(self.tranches.row.tolist()):
            pools.setdefault(row, []).append(self.tranches.performance(line))
        for row in range(len(self)):
            yield self.standing(row, tuple(pools.get(row, ())))

    def copy(self) -> Roster:
        """Return a copy that can be changed."""
        return replace(
            self,
            **{
                item.name: getattr(self, item.name).copy() for item in fields(self) if item.name != "tranches"
            },
        )


# ----------------------------------------------------------------------------------------- facts about players


@dataclass(frozen=True, slots=True)
class PlayerColumns:
    """Facts about the player of each row that are not in reports, as columns."""

    births: tuple[Birth, ...]
    """Each date or year of birth that occurs."""

    born: Column
    """Index into ``births``."""

    affiliated: Column
    decided_k: Column
    """K decided by an officer."""

    standard: Column
    dead: Column
    """Whether each player has died by the day of the list."""

    standard_then: Ratings | None = None
    guests: Mapping[date, Mapping[int, int | None]] = field(default_factory=dict)
    """First day of an event → its guests, as in ``RegisterFacts``."""

    @staticmethod
    def of(register: RegisterFacts, roster: Roster) -> PlayerColumns:
        """Return the facts about the players of a roster."""
        players = roster.player.tolist()
        births: dict[Birth, int] = {None: 0}
        born = [births.setdefault(register.born.get(player), len(births)) for player in players]
        then = register.standard_then
        return PlayerColumns(
            tuple(births),
            np.array(born, np.int32),
            np.array([player in register.affiliated for player in players], np.bool_),
            np.array([register.k.get(player, NONE) for player in players], np.int16),
            np.array([register.standard.get(player, 0) for player in players], np.int16),
            np.array([player in register.dead for player in players], np.bool_),
            ratings_one_by_one(then, roster) if then else None,
            register.guests,
        )


def ratings_one_by_one(in_force: InForce, roster: Roster) -> Ratings:
    """Return ratings in force from a function that is called for each player."""
    return lambda rows, day: np.array(
        [in_force(player, day) or 0 for player in roster.player[rows].tolist()], np.int16
    )
