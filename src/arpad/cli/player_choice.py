"""Which player of a report is meant: by start number, by id, or by a name however written."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain
from typing import TypeAlias, TypeVar

from arpad.model import names
from arpad.model.errors import BadInput

T = TypeVar("T")

KnownBy: TypeAlias = Callable[[T], tuple[int, str, str]]
"""A player's number, id and name."""

_NAMED = 8
"""So many of those who may be meant are named."""


def find_player(players: Sequence[T], asked: str, known_by: KnownBy[T]) -> T:
    """The one player that is meant."""
    (found,) = find_in_each([players], asked, known_by)
    return found[0]


def find_in_each(reports: Sequence[Sequence[T]], asked: str, known_by: KnownBy[T]) -> list[tuple[T, ...]]:
    """In each report the one player that is meant, or nobody; he plays in one of them at least."""
    found = [_meant(players, asked.strip(), known_by) for players in reports]
    if not any(found):
        everybody = {known_by(player)[2]: None for player in chain.from_iterable(reports)}
        if nearly := names.alike(asked, everybody):
            raise BadInput("player-nearly", asked=asked, meant="; ".join(nearly))
        raise BadInput("player-unknown", asked=asked, players=len(everybody))
    return found


def _meant(players: Sequence[T], asked: str, known_by: KnownBy[T]) -> tuple[T, ...]:
    known = [(player, *known_by(player)) for player in players]
    by_number = [one for one in known if str(one[1]) == asked]
    by_id = [one for one in known if one[2] and one[2] == asked]
    by_name = [one for one in known if names.matches(one[3], asked)]
    found = by_number or by_id or by_name
    if len(found) > 1:
        some = "; ".join(f"{number} {name}" for _, number, _, name in found[:_NAMED])
        raise BadInput("player-ambiguous", asked=asked, accepted=some)
    return tuple(one[0] for one in found)
