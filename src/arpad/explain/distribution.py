"""The distribution of ratings as bars, with a mark at one rating."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

WIDTH, HEIGHT = 640, 150
_LEFT, _RIGHT, _TOP, _BOTTOM = 8, 8, 26, 22
_MOST_BARS = 48
_LABELS = 8


@dataclass(frozen=True, slots=True)
class RatingBar:
    """The players with ratings from ``low`` to ``high``, and where their bar is."""

    low: int
    high: int
    players: int
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Distribution:
    """Bars of a picture, the ratings below them, and the position of a mark."""

    bars: tuple[RatingBar, ...]
    labels: tuple[tuple[float, int], ...]
    """Position and rating."""

    mark: float | None = None
    width: int = WIDTH
    height: int = HEIGHT
    base: int = HEIGHT - _BOTTOM


def distribution(bands: Mapping[int, int], band: int, here: int | None = None) -> Distribution | None:
    """Return the picture of how many ratings each band has; None if there are fewer than two bands to compare."""
    if len(bands) < 2:  # noqa: PLR2004  a single bar says nothing
        return None
    low, high = min(bands), max(bands) + band
    while (high - low) / band > _MOST_BARS:
        band *= 2
    low = low // band * band
    starts = range(low, high, band)
    sums = {
        start: sum(count for at, count in bands.items() if start <= at < start + band) for start in starts
    }
    most, step = max(sums.values()), (WIDTH - _LEFT - _RIGHT) / len(starts)
    tall = HEIGHT - _TOP - _BOTTOM

    def x(rating: int) -> float:
        return round(_LEFT + (rating - low) / band * step, 1)

    bars = tuple(
        RatingBar(
            start, start + band - 1, count, x(start), round(HEIGHT - _BOTTOM - tall * count / most, 1),
            round(step - 1, 1), round(tall * count / most, 1),
        )
        for start, count in sums.items()
        if count
    )  # fmt: skip
    every = next(step for step in (100, 200, 250, 500, 1000, 2000, 5000) if (high - low) / step <= _LABELS)
    labels = tuple((x(rating), rating) for rating in range(-(-low // every) * every, high, every))
    inside = here is not None and low <= here < starts[-1] + band
    return Distribution(bars, labels, x(here) if here is not None and inside else None)
