"""Glicko-2 against the example that its author published."""

from __future__ import annotations

import pytest

from arpad.studies.baselines import GlickoState, after_period, rested

PLAYER = GlickoState(1500, 200, 0.06)
GAMES = [
    (GlickoState(1400, 30, 0.06), 1.0),
    (GlickoState(1550, 100, 0.06), 0.0),
    (GlickoState(1700, 300, 0.06), 0.0),
]


def test_the_published_example() -> None:
    after = after_period(PLAYER, GAMES)
    assert after.rating == pytest.approx(1464.06, abs=0.01)
    assert after.deviation == pytest.approx(151.52, abs=0.01)
    assert after.volatility == pytest.approx(0.05999, abs=0.00001)


def test_only_differences_of_ratings_matter() -> None:
    higher = [(GlickoState(it.rating + 700, it.deviation, it.volatility), score) for it, score in GAMES]
    moved = after_period(GlickoState(2200, 200, 0.06), higher)
    after = after_period(PLAYER, GAMES)
    assert moved.rating - 700 == pytest.approx(after.rating)
    assert (moved.deviation, moved.volatility) == pytest.approx((after.deviation, after.volatility))


def test_without_games_only_the_deviation_grows() -> None:
    assert after_period(PLAYER, []) == rested(PLAYER)
    # the deviation grows by the volatility of 0.06, which is 10.42 points: the root of 200² + 10.42²
    assert rested(PLAYER).deviation == pytest.approx(200.2714, abs=0.0001)
    assert (rested(PLAYER).rating, rested(PLAYER).volatility) == (1500, 0.06)


def test_a_great_surprise_raises_the_volatility() -> None:
    surprised = after_period(GlickoState(1500, 30, 0.06), [(GlickoState(2300, 30, 0.06), 1.0)] * 5)
    assert surprised.volatility > 0.06
    assert surprised.rating > 1500
