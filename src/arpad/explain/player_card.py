"""The picture of a player that others show when the page is shared: name, ratings, curve."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from arpad.explain.curves import turning_points
from arpad.explain.templates import draw_picture

MOST_RATINGS = 4
PLACES = 4


def player_card(
    name: str,
    about: str,
    ratings: Sequence[tuple[str, int]],
    points: Sequence[tuple[date, int | None]],
    foot: str,
    language: str,
) -> bytes:
    """Return the picture of a player as a PNG of 1200 by 630 pixels."""
    return draw_picture(
        "player_card",
        {
            "name": name,
            "about": about,
            "ratings": [[label, str(rating)] for label, rating in ratings[:MOST_RATINGS]],
            "points": _scaled(points),
            "foot": foot,
            "language": language,
        },
    )


def _scaled(points: Sequence[tuple[date, int | None]]) -> list[list[float]]:
    """Return the rated points between 0 and 1 in both directions."""
    rated = [(day, rating) for day, rating in turning_points(points) if rating is not None]
    if not rated:
        return []
    days = max(1, (rated[-1][0] - rated[0][0]).days)
    low, high = min(rating for _, rating in rated), max(rating for _, rating in rated)
    return [
        [round((day - rated[0][0]).days / days, PLACES), round((rating - low) / max(1, high - low), PLACES)]
        for day, rating in rated
    ]
