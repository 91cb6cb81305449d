"""A screen of lists: more ratings just above a threshold than just below it, where nothing but the threshold differs.

A binomial form of McCrary's test of a density at a cut-off (2008).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from scipy import stats

from arpad.monitor.history import HistoryList
from arpad.monitor.integrity import Evidence, Signal, surviving

THRESHOLDS = (2300, 2400, 2650)
WINDOW = 10
LEAST = 10


def screen(evidence: Evidence) -> list[Signal]:
    """Each threshold over all lists; a player counts once, with the first rating that comes to lie near it."""
    lists = evidence.lists
    if not lists:
        return []
    floor = min((min(one.ratings.values()) for one in lists if one.ratings), default=0)
    found = []
    # below the floor there is nobody: the first points above it are compared with the next
    for threshold, middle in (*((bound, bound) for bound in THRESHOLDS), (floor, floor + WINDOW)):
        near = _arrivals(lists, middle)
        if len(near) < LEAST:
            continue
        above = tuple(player for player, rating in near.items() if threshold <= rating < threshold + WINDOW)
        p = float(stats.binomtest(len(above), len(near), 0.5, alternative="greater").pvalue)
        beside = len(near) - len(above)
        figures = {"threshold": threshold, "above": len(above), "beside": beside, "window": WINDOW}
        found.append(Signal("above-threshold", above, "", figures, p))
    return surviving(found)


def _arrivals(lists: Sequence[HistoryList], middle: int) -> dict[int, int]:
    near: dict[int, int] = {}
    for before, one in pairwise(lists):
        for player, rating in one.ratings.items():
            moved = before.ratings.get(player) != rating
            if moved and player not in near and middle - WINDOW <= rating < middle + WINDOW:
                near[player] = rating
    return near
