"""Pairings that made-up tournaments share: the rotation of a round robin, and the order of opponents in a Swiss."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

T = TypeVar("T")


def rotation(players: Sequence[T]) -> Iterator[list[tuple[T, T]]]:
    """Return the pairs of each round of a round robin of an even number of players; the first one stays in place."""
    circle = list(players)
    for _ in range(len(circle) - 1):
        yield [(circle[board], circle[-1 - board]) for board in range(len(circle) // 2)]
        circle = [circle[0], circle[-1], *circle[1:-1]]


def preferred_opponents(group: Sequence[T]) -> list[T]:
    """Return the players of a score group in the order in which the first of the upper half would meet them."""
    half = len(group) // 2
    return [*group[half:], *reversed(group[:half])]
