"""Categories that a rating or a capital reaches: one idea for chess and draughts."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence


def rank_reached(thresholds: Sequence[int], value: int) -> int:
    """Return how many thresholds a value has reached: 0 is below the first; the threshold itself is enough."""
    return bisect_right(thresholds, value)


def rank_held(held: int, thresholds: Sequence[int], value: int) -> int:
    """Return the rank after reaching a value: it rises and never falls."""
    return max(held, rank_reached(thresholds, value))
