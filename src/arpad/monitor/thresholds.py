"""A screen of lists: more ratings just above a threshold than just below it, where nothing but the threshold differs.

A binomial form of McCrary's test of a density at a cut-off (2008).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from scipy import stats

from arpad.monitor.history import Listed
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
    for threshold in (*THRESHOLDS, floor + WINDOW):
        near = _arrivals(lists, threshold)
        above = tuple(player for player, rating in near.items() if rating >= threshold)
        if (
            threshold == floor + WINDOW
        ):  # below the floor there is nobody: compare with the next points above it
            above = tuple(player for player, rating in near.items() if rating < threshold)
        if len(near) < LEAST:
            continue
        p = float(stats.binomtest(len(above), len(near), 0.5, alternative="greater").pvalue)
        at = floor if threshold == floor + WINDOW else threshold
        figures = {"threshold": at, "above": len(above), "beside": len(near) - len(above), "window": WINDOW}
        found.append(Signal("above-threshold", above, "", figures, p))
    return surviving(found)


def _arrivals(lists: Sequence[Listed], threshold: int) -> dict[int, int]:
    near: dict[int, int] = {}
    for before, one in pairwise(lists):
        for player, rating in one.ratings.items():
            moved = before.ratings.get(player) != rating
            if moved and player not in near and threshold - WINDOW <= rating < threshold + WINDOW:
                near[player] = rating
    return near
