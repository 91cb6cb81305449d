"""The two sides of every rated game of a period: what one player's game is worth, and to whom it answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from arpad.lists.period import ClosedPeriod, Contribution
from arpad.model.chess import GameChange
from arpad.rating.event import Tally

Cell: TypeAlias = tuple[str, int, int]
"""Event, round, place."""


@dataclass(frozen=True, slots=True)
class Side:
    """A game as it counts for one player."""

    player: int
    event: str
    round: int
    place: int
    opponent_place: int
    k: int
    """Before the limit of K times games."""

    k_applied: int
    change: GameChange


def sides(period: ClosedPeriod) -> dict[Cell, Side]:
    """Every side that counts, by event, round and place."""
    found: dict[Cell, Side] = {}
    for player, happened in period.players.items():
        for part in happened.contributions:
            for side in _of(player, part, period):
                found[part.event, side.round, side.place] = side
    return found


def _of(player: int, part: Contribution, period: ClosedPeriod) -> list[Side]:
    tally: Tally = period.tallies[part.event].players[part.place]
    counted = [cell for cell in tally.rounds if not cell.reason and cell.opponent_rating is not None]
    made = []
    for cell, change in zip(counted, part.games, strict=True):
        opponent = cell.cell.opponent
        if opponent is None or not change.rated:
            continue
        made.append(
            Side(player, part.event, cell.cell.round, part.place, opponent, part.k, part.k_applied, change)
        )
    return made
